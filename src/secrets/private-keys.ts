import { base64Bytes, byteSet, digits, letters, runEnd } from './byte-classes.ts';

/** More than the longest RSA key with its headers. */
const keyBytesMax = 32 * 1024;
const labelBytesMax = 100;
const dashes = Buffer.from('-----');
const endMark = Buffer.from('-----END');
const beginMark = Buffer.from('-----BEGIN');
const labelBytes = byteSet(`${letters}${digits} _-`);
const bodyBytesMin = 40;

/**
 * The key between `-----BEGIN … PRIVATE KEY-----` and its end line, both of which stay. `begin` is where the dashes begin. A text
 * that stops within the key gives what there is of it.
 */
export function privateKeyAfter(text: Buffer, begin: number): { start: number; end: number } | null {
  const labelStart = begin + beginMark.length;
  const labelEnd = text.subarray(labelStart, labelStart + labelBytesMax).indexOf(dashes);
  if (labelEnd < 0 || !isPrivate(text, labelStart, labelStart + labelEnd)) return null;
  const start = labelStart + labelEnd + dashes.length;
  const end = bodyEnd(text, start, Math.min(text.length, start + keyBytesMax));
  return holdsKey(text, start, end) ? { start, end } : null;
}

/** The key before an end line whose beginning is not in the text: a page, or the context of a change. `from` bounds the way back. */
export function privateKeyBefore(
  text: Buffer,
  end: number,
  from: number,
): { start: number; end: number } | null {
  const labelStart = end + endMark.length;
  const labelEnd = text.subarray(labelStart, labelStart + labelBytesMax).indexOf(dashes);
  if (labelEnd < 0 || !isPrivate(text, labelStart, labelStart + labelEnd)) return null;
  const least = Math.max(from, end - keyBytesMax);
  let start = end;
  for (;;) {
    const lineEnd = start;
    if (lineEnd <= least) break;
    const lineStart = Math.max(least, text.lastIndexOf(0x0a, lineEnd - 2) + 1);
    if (!keyLineEnd(text, lineStart, lineEnd).isWhole) break;
    start = lineStart;
  }
  return holdsKey(text, start, end) ? { start, end } : null;
}

function isPrivate(text: Buffer, start: number, end: number): boolean {
  if (runEnd(text, start, end, labelBytes) !== end) return false;
  return /PRIVATE KEY(?: BLOCK)?$/i.test(text.toString('latin1', start, end));
}

/** As far as lines of a key go on. Its end line is none, and stands in the same line where line breaks are escaped. */
function bodyEnd(text: Buffer, start: number, limit: number): number {
  let at = start;
  while (at < limit) {
    const stop = keyLineEnd(text, at, limit);
    if (stop.isWhole) at = stop.at;
    else return text.subarray(stop.at, stop.at + endMark.length).equals(endMark) ? stop.at : at;
  }
  return at;
}

const linePrefixBytes = byteSet(' \t+>*#/"\'`-');
const lineSuffixBytes = byteSet(' \t\r"\'`,;.+\\');
const keyBytes = byteSet(`${letters}${digits}+/=`);
const headerLine = /^[ \t+>*#/"'-]*(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): [^\n]*/;
const headerBytesMax = 200;

/**
 * Base64 with what may stand around it in a change, a string or a comment; a header of the key; nothing at all. Tells where the
 * next line begins, or where this one stops to be one.
 */
function keyLineEnd(text: Buffer, start: number, limit: number): { at: number; isWhole: boolean } {
  let at = runEnd(text, start, limit, linePrefixBytes);
  while (at < limit) {
    at = runEnd(text, at, limit, keyBytes);
    const isEscape = text[at] === 0x5c && escapedBytes[text[at + 1] ?? 0] === 1;
    if (!isEscape || at + 1 >= limit) break;
    at += 2;
  }
  // One line of JSON or code holds the end line too; its dashes are no prefix then.
  if (isMark(text, at)) return { at, isWhole: false };
  at = runEnd(text, at, limit, lineSuffixBytes);
  if (at === limit) return { at, isWhole: true };
  if (text[at] === 0x0a) return { at: at + 1, isWhole: true };
  const newline = text.subarray(start, Math.min(limit, start + headerBytesMax)).indexOf(0x0a);
  if (newline >= 0 && headerLine.test(text.toString('latin1', start, start + newline))) {
    return { at: start + newline + 1, isWhole: true };
  }
  return { at, isWhole: false };
}

const escapedBytes = byteSet('nrt');

const isMark = (text: Buffer, at: number): boolean =>
  text[at] === 0x2d && text.subarray(at, at + endMark.length).equals(endMark);

/** Random bytes of base64: a text in its place has no such run. */
export function holdsKey(text: Buffer, start: number, end: number): boolean {
  let longest = 0;
  let distinct = 0;
  for (let at = start; at < end && longest < bodyBytesMin; ) {
    const stop = runEnd(text, at, end, base64Bytes);
    if (stop - at > longest) {
      longest = stop - at;
      distinct = new Set(text.subarray(at, stop)).size;
    }
    at = stop + 1;
  }
  return longest >= bodyBytesMin && distinct >= 12;
}
