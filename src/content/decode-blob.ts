import type { SecretScanner } from '../secrets/index.ts';
import { decodeText } from './decode-text.ts';
import { parseLfsPointer } from './lfs-pointer.ts';
import type { TextEncoding } from './types.ts';

export type DecodedBlob =
  | {
      kind: 'text';
      /** UTF-8, masked. Shares the memory of the bytes where nothing had to change. */
      text: Buffer;
      encoding: TextEncoding;
      maskedSpans: number;
    }
  | { kind: 'binary' }
  | { kind: 'lfs-pointer'; lfsOid: string; lfsSizeBytes: number };

/** A blob as the door lets it out, for indexing: pure, so that any thread may do it. The bytes stay as they are. */
export function decodeBlob(bytes: Buffer, scanner: SecretScanner): DecodedBlob {
  const pointer = parseLfsPointer(bytes);
  if (pointer !== null) return { kind: 'lfs-pointer', ...pointer };
  const decoded = decodeText(bytes);
  if (decoded === null) return { kind: 'binary' };
  const { encoding } = decoded;
  if (scanner.find(decoded.text).length === 0) {
    return { kind: 'text', text: decoded.text, encoding, maskedSpans: 0 };
  }
  const text = Buffer.from(decoded.text);
  return { kind: 'text', text, encoding, maskedSpans: scanner.mask(text) };
}
