import { BAD_BYTE } from './utf8-automaton.ts';

/** The bytes of [from, to) with every one that is no UTF-8 replaced by BAD_BYTE: the same length, so offsets stay true. */
export function withoutBadBytes(bytes: Uint8Array, from: number, to: number): Uint8Array {
  // Not slice: that of a Buffer is a view.
  const copy = Uint8Array.from(bytes.subarray(from, to));
  for (let at = 0; at < copy.length; ) {
    const length = encodedLength(copy, at);
    if (length === 0) copy[at++] = BAD_BYTE;
    else at += length;
  }
  return copy;
}

/** The length of the well-formed encoding at `at`, or 0 if there is none (Unicode, table 3-7). */
function encodedLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  const length =
    lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
  if (at + length > bytes.length || length === 0) return 0;
  const second = bytes[at + 1]!;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  for (let i = 2; i < length; i++) if (!isContinuation(bytes[at + i]!)) return 0;
  return length;
}

export function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Where a text can be cut at or shortly before `at`, so that no well-formed encoding is torn. */
export function encodingBoundary(bytes: Uint8Array, at: number): number {
  for (let back = 1; back <= 3; back++) {
    const byte = bytes[at - back];
    if (byte === undefined || byte < 0x80) return at;
    if (byte >= 0xc0) return at - back;
  }
  return at;
}
