import type { DirectoryView } from '../mirrors/index.ts';
import { bomBytes, decodeText, encodeAs } from './decode-text.ts';
import { isHidden } from './opt-out.ts';
import type { ContentPolicy } from './types.ts';

/** Larger files are not written to disk: they would have to be masked as a whole. */
export const directoryFileBytesMax = 8 << 20;

/** Directories on disk are a store like any other: no opted-out file reaches them, and no credential, not even as a name. */
export function directoryView(policy: ContentPolicy, key: string): DirectoryView {
  return {
    key,
    wants: (path, kind) => !isHidden(policy, path, kind) && policy.mask(Buffer.from(path)) === 0,
    transform: (bytes) => maskedFile(bytes, (text) => policy.mask(text)),
    fileBytesMax: directoryFileBytesMax,
  };
}

/** The file in its own encoding, and the very same bytes where there is nothing to mask. */
function maskedFile(bytes: Buffer, mask: (text: Buffer) => number): Buffer {
  const decoded = decodeText(bytes);
  // Nobody is shown what is no text, but it would lie on the disk.
  const text = Buffer.from(decoded === null ? bytes : decoded.text);
  if (mask(text) === 0) return bytes;
  if (decoded === null) return text;
  const { encoding } = decoded;
  return Buffer.concat([bytes.subarray(0, bomBytes(bytes, encoding)), encodeAs(encoding, text)]);
}
