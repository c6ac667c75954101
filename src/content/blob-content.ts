import { PeriscopeError } from '../base/errors.ts';
import type { Mirror, ReadOptions } from '../mirrors/index.ts';
import type { Sized } from './blob-cache.ts';
import { decodeText, sniffEncoding } from './decode-text.ts';
import { parseLfsPointer } from './lfs-pointer.ts';
import { createLineIndex, type LineIndex } from './line-index.ts';
import { TextLines } from './text-lines.ts';
import type { TextEncoding } from './types.ts';

/** A blob as the door sees it, whatever path it has: decoded, masked, and cached by its object id. */
export type BlobContent = Sized &
  (
    | {
        kind: 'text';
        encoding: TextEncoding;
        sizeBytes: number;
        lines: TextLines;
        maskedSpans: number;
      }
    /** Too large to hold: only where its lines are. */
    | { kind: 'paged'; index: LineIndex }
    | { kind: 'binary'; sizeBytes: number }
    | { kind: 'lfs-pointer'; sizeBytes: number; lfsOid: string; lfsSizeBytes: number }
  );

export async function readBlobContent(
  mirror: Mirror,
  oid: string,
  limits: { wholeBytesMax: number; pageBytes: number },
  mask: (text: Buffer) => number,
  options: ReadOptions,
): Promise<BlobContent> {
  try {
    const bytes = await mirror.blob(oid, { signal: options.signal, bytesMax: limits.wholeBytesMax });
    return contentOf(bytes, mask);
  } catch (error) {
    if (!(error instanceof PeriscopeError) || error.kind !== 'too-large') throw error;
    return readLarge(mirror, oid, limits.pageBytes, error, options);
  }
}

export function contentOf(bytes: Buffer, mask: (text: Buffer) => number): BlobContent {
  const sizeBytes = bytes.length;
  const pointer = parseLfsPointer(bytes);
  if (pointer !== null) return { kind: 'lfs-pointer', sizeBytes, ...pointer, cachedBytes: 0 };
  const decoded = decodeText(bytes);
  if (decoded === null) return { kind: 'binary', sizeBytes, cachedBytes: 0 };
  // Masking writes into the text, which may be the mirror's own bytes or a small part of a larger piece of memory.
  const text = Buffer.allocUnsafeSlow(decoded.text.length);
  decoded.text.copy(text);
  const maskedSpans = mask(text);
  const lines = new TextLines(text);
  return {
    kind: 'text',
    encoding: decoded.encoding,
    sizeBytes,
    lines,
    maskedSpans,
    cachedBytes: lines.sizeBytes,
  };
}

const sniffBytes = 8000;

async function readLarge(
  mirror: Mirror,
  oid: string,
  pageBytes: number,
  tooLarge: PeriscopeError,
  options: ReadOptions,
): Promise<BlobContent> {
  const [sizeBytes] = await mirror.sizes([oid], options);
  if (sizeBytes === null || sizeBytes === undefined) throw tooLarge;
  const end = Math.min(sizeBytes, sniffBytes);
  const encoding = sniffEncoding(await mirror.blobRange(oid, { start: 0, end }, options));
  if (encoding === null) return { kind: 'binary', sizeBytes, cachedBytes: 0 };
  const index = createLineIndex(sizeBytes, encoding, pageBytes);
  return { kind: 'paged', index, cachedBytes: index.breaksBefore.byteLength };
}
