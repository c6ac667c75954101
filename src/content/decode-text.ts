import { isUtf8 } from 'node:buffer';
import type { TextEncoding } from './types.ts';

export interface DecodedText {
  encoding: TextEncoding;
  /** UTF-8 without BOM. May share memory with the input. */
  text: Buffer;
}

/** Git's own rule looks for a NUL in so many bytes (buffer_is_binary in xdiff-interface.c). */
const sniffBytes = 8000;

/** A file's bytes as UTF-8, or null when they are binary. */
export function decodeText(bytes: Buffer): DecodedText | null {
  const encoding = encodingOf(bytes);
  if (encoding === null) return null;
  const text = decodeAs(encoding, bytes.subarray(bomBytes(bytes, encoding)));
  return { encoding, text };
}

/** The encoding of a file of which only the beginning is at hand; null for binary. */
export function sniffEncoding(beginning: Buffer): TextEncoding | null {
  const encoding = encodingOf(beginning);
  if (encoding !== null && encoding !== 'latin-1') return encoding;
  // Only the character that the end cuts may have made it look like something else.
  const whole = withoutPartialCharacter(beginning);
  return whole.length < beginning.length ? encodingOf(whole) : encoding;
}

/** Bytes of one encoding as UTF-8. What claims to be UTF-8 and is not is read as Latin-1, line by line. */
export function decodeAs(encoding: TextEncoding, bytes: Buffer): Buffer {
  switch (encoding) {
    case 'utf-8':
    case 'utf-8-bom':
      return decodeLines(bytes);
    case 'latin-1':
      return Buffer.from(bytes.toString('latin1'), 'utf8');
    case 'utf-16le':
      return Buffer.from(bytes.toString('utf16le'), 'utf8');
    case 'utf-16be':
      return Buffer.from(littleEndian(bytes).toString('utf16le'), 'utf8');
  }
}

/** The way back, without BOM. */
export function encodeAs(encoding: TextEncoding, text: Buffer): Buffer {
  switch (encoding) {
    case 'utf-8':
    case 'utf-8-bom':
      return text;
    case 'latin-1':
      return Buffer.from(text.toString('utf8'), 'latin1');
    case 'utf-16le':
      return Buffer.from(text.toString('utf8'), 'utf16le');
    case 'utf-16be':
      return Buffer.from(text.toString('utf8'), 'utf16le').swap16();
  }
}

/** Text of unknown and perhaps mixed encodings, such as a patch over several files: a line that is no UTF-8 is read as Latin-1. */
export function decodeLines(bytes: Buffer): Buffer {
  if (isUtf8(bytes)) return bytes;
  const parts: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, from);
    const to = newline < 0 ? bytes.length : newline + 1;
    const line = bytes.subarray(from, to);
    parts.push(isUtf8(line) ? line : Buffer.from(line.toString('latin1'), 'utf8'));
    from = to;
  }
  return Buffer.concat(parts);
}

export function bomBytes(bytes: Buffer, encoding: TextEncoding): number {
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return utf16Bom(bytes) === null ? 0 : 2;
  return hasUtf8Bom(bytes) ? 3 : 0;
}

/** Without a character at its end that goes on beyond it. */
export function withoutPartialCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

function encodingOf(bytes: Buffer): TextEncoding | null {
  const beginning = bytes.subarray(0, sniffBytes);
  const bom = utf16Bom(bytes);
  if (bom !== null) return isPlausibleUtf16(beginning.subarray(2), bom) ? bom : null;
  if (beginning.includes(0)) return utf16ByZeros(bytes);
  if (isUtf8(bytes)) return hasUtf8Bom(bytes) ? 'utf-8-bom' : 'utf-8';
  return bytes.includes(0) || hasManyControls(bytes) ? null : 'latin-1';
}

const hasUtf8Bom = (bytes: Buffer): boolean =>
  bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

type Utf16 = 'utf-16le' | 'utf-16be';

function utf16Bom(bytes: Buffer): Utf16 | null {
  if (bytes.length < 2) return null;
  // FF FE 00 00 is UTF-32, which the NULs in it then tell as binary.
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

/** UTF-16 without a BOM: mostly Western text has its zero bytes on one side alone, at least half of that side. */
function utf16ByZeros(bytes: Buffer): Utf16 | null {
  if (bytes.length % 2 !== 0) return null;
  const beginning = bytes.subarray(0, sniffBytes);
  const zeros = [0, 0];
  for (let at = 0; at < beginning.length; at++) if (beginning[at] === 0) zeros[at & 1]! += 1;
  const [even, odd] = zeros as [number, number];
  const enough = beginning.length / 4;
  const encoding = even === 0 && odd >= enough ? 'utf-16le' : odd === 0 && even >= enough ? 'utf-16be' : null;
  return encoding !== null && isPlausibleUtf16(beginning, encoding) ? encoding : null;
}

function isPlausibleUtf16(beginning: Buffer, encoding: Utf16): boolean {
  const even = beginning.subarray(0, beginning.length & ~1);
  const text = (encoding === 'utf-16le' ? even : littleEndian(even)).toString('utf16le');
  // A pair may be cut at the end of what is looked at.
  return !/[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])(?!$)|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(
    text,
  );
}

function littleEndian(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();
}

/** Compressed or encrypted bytes hold about a tenth of them; old listings and terminal logs a few. */
function hasManyControls(bytes: Buffer): boolean {
  let controls = 0;
  for (const byte of bytes) {
    const isTextual = byte >= 0x20 ? byte !== 0x7f : (byte >= 0x08 && byte <= 0x0d) || byte === 0x1b;
    if (!isTextual) controls += 1;
  }
  return controls * 100 > bytes.length;
}
