/**
 * A stored text as a string and the way back to bytes: tree-sitter tells offsets in UTF-16 units. Texts of ASCII alone need no way back.
 */
export interface OffsetText {
  text: string;
  /** Bytes before a UTF-16 offset. */
  byteOf(offset: number): number;
  /** Line of a byte, counted from 1. */
  lineOf(byte: number): number;
  /** Bytes before the line. */
  lineStart(line: number): number;
  lines: number;
  longestLine: number;
}

export function readOffsets(bytes: Uint8Array): OffsetText {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const starts = [0];
  let longestLine = 0;
  for (let at = buffer.indexOf(10); at >= 0; at = buffer.indexOf(10, at + 1)) {
    longestLine = Math.max(longestLine, at + 1 - starts[starts.length - 1]!);
    starts.push(at + 1);
  }
  longestLine = Math.max(longestLine, buffer.length - starts[starts.length - 1]!);
  let text = buffer.toString('utf8');
  let byteOf = (offset: number) => offset;
  if (text.length !== buffer.length) {
    const map = byteMap(text);
    // Bytes that are no UTF-8 have become other characters: then each byte counts as one.
    if (map[text.length] === buffer.length) byteOf = (offset) => map[offset]!;
    else text = buffer.toString('latin1');
  }
  // A byte order mark is no part of any language.
  if (text.charCodeAt(0) === 0xfeff) text = ` ${text.slice(1)}`;
  return {
    text,
    byteOf,
    lineOf: (byte) => lastAtMost(starts, byte) + 1,
    lineStart: (line) => starts[line - 1] ?? buffer.length,
    lines: starts.length,
    longestLine,
  };
}

function byteMap(text: string): Uint32Array {
  const map = new Uint32Array(text.length + 1);
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    map[i] = bytes;
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00 && i + 1 < text.length) {
      map[++i] = bytes + 2;
      bytes += 4;
    } else bytes += 3;
  }
  map[text.length] = bytes;
  return map;
}

/** Place of the last number that is not over `limit`, in ascending numbers that begin with 0. */
export function lastAtMost(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (ascending[middle]! <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
