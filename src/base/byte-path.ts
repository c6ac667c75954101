import { isUtf8 } from 'node:buffer';

/**
 * Paths in git are bytes. Inside Periscope they travel in their shown form: UTF-8 text in which every byte that is not valid
 * UTF-8, every byte of a control character or of one that turns the direction of a text or ends a line, and a backslash that would
 * otherwise read as an escape, is written `\xNN`: a path looks like what it is, and stays on its line.
 * `bytesOfPath(shownPath(bytes))` gives the same bytes for any input.
 */
export function shownPath(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) return escapeText(buffer.toString('utf8'));
  let shown = '';
  let textFrom = 0;
  for (let at = 0; at < buffer.length; ) {
    const length = utf8LengthAt(buffer, at);
    if (length > 0) {
      at += length;
      continue;
    }
    shown += escapeText(buffer.toString('utf8', textFrom, at)) + hexEscape(buffer[at]!);
    at += 1;
    textFrom = at;
  }
  return shown + escapeText(buffer.toString('utf8', textFrom));
}

/** The bytes that a shown path stands for; `\xNN` is one byte, everything else is UTF-8. */
export function bytesOfPath(shown: string): Buffer {
  if (!shown.includes('\\x')) return Buffer.from(shown, 'utf8');
  const parts: Buffer[] = [];
  let from = 0;
  for (const match of shown.matchAll(/\\x([0-9a-fA-F]{2})/g)) {
    parts.push(
      Buffer.from(shown.slice(from, match.index), 'utf8'),
      Buffer.from([Number.parseInt(match[1]!, 16)]),
    );
    from = match.index + 4;
  }
  parts.push(Buffer.from(shown.slice(from), 'utf8'));
  return Buffer.concat(parts);
}

const toEscape = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\\(?=x[0-9a-fA-F]{2})/;
const allToEscape = new RegExp(toEscape, 'g');

function escapeText(text: string): string {
  return toEscape.test(text)
    ? text.replace(allToEscape, (char) => Array.from(Buffer.from(char, 'utf8'), hexEscape).join(''))
    : text;
}

function hexEscape(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}

/** Length of the well-formed UTF-8 sequence at `at`, or 0. Unicode 15, table 3-7. */
function utf8LengthAt(buffer: Buffer, at: number): number {
  const first = buffer[at]!;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > buffer.length) return 0;
  return isUtf8(buffer.subarray(at, at + length)) ? length : 0;
}
