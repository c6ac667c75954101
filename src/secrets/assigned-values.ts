import { byteSet, nameBytes, runEnd, runStart } from './byte-classes.ts';

/**
 * A value that a name is given: `name = "value"`, `"name": "value"`, `NAME=value`, `<name>value</name>`, `set("name", "value")`,
 * `name("value")`, `;name=value;`.
 */
export interface AssignedValue {
  nameStart: number;
  nameEnd: number;
  start: number;
  end: number;
  /** Certainly a text and no expression: in quotes or a tag, in an environment file, in a connection string. */
  isText: boolean;
  /** Without quotes, and its line ends with it. */
  endsLine: boolean;
}

const nameBytesMax = 40;
const valueBytesMax = 400;
const blanksMax = 20;

const blank = byteSet(' \t');
/** Before the name of a part of a connection string or a query. */
const partStart = byteSet(';?&');
const upperNameBytes = byteSet('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_');
const quotes = byteSet('"\'`');
/** What ends a value without quotes. Brackets, `$` and `%` are not in it: a value that holds one is an expression. */
const unquotedEnd = byteSet(' \t\r\n"\'`;,<>&|#\\');
const typeBytes = byteSet('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_<>[]|?. ');

const at = (char: string): number => char.charCodeAt(0);
const equals = at('=');
const colon = at(':');
const comma = at(',');
const greater = at('>');
const parenthesis = at('(');
const dot = at('.');
const less = at('<');
const backslash = at('\\');
const bracket = at(']');
const newline = at('\n');
const lineEnds = byteSet('\r\n');
const tilde = at('~');

/** Reads on from a keyword within a name; null as soon as it is no assignment of a plain text, which is nearly always at once. */
export function assignedValue(
  text: Uint8Array,
  keywordStart: number,
  keywordEnd: number,
): AssignedValue | null {
  const nameEnd = runEnd(text, keywordEnd, Math.min(text.length, keywordEnd + nameBytesMax), nameBytes);
  let position = nameEnd;
  if (text[position] === backslash) position++;
  const isQuotedName = quotes[text[position] ?? 0] === 1;
  if (isQuotedName) position++;
  if (text[position] === bracket) position++;
  position = skipBlanks(text, position);
  const afterOperator = operatorEnd(text, position, nameEnd, isQuotedName);
  if (afterOperator < 0) return null;
  // In `Secret.parse("…")` it is not the name that takes the value.
  if (text[position] === parenthesis && text.subarray(keywordEnd, nameEnd).includes(dot)) return null;
  const value = valueAt(text, skipBlanks(text, afterOperator));
  if (value === null) return null;
  const nameStart = runStart(text, Math.max(0, keywordStart - nameBytesMax), keywordStart, nameBytes);
  // An argument after the name: the quotes hold the name alone.
  if (text[position] === comma && quotes[text[nameStart - 1] ?? 0] !== 1) return null;
  const { start, end, isQuoted } = value;
  const isText =
    isQuoted ||
    text[position] === greater ||
    partStart[text[nameStart - 1] ?? 0] === 1 ||
    runEnd(text, nameStart, nameEnd, upperNameBytes) === nameEnd;
  const endsLine = !isQuoted && lineEnds[text[end] ?? newline] === 1;
  return { nameStart, nameEnd, start, end, isText, endsLine };
}

function skipBlanks(text: Uint8Array, from: number): number {
  return runEnd(text, from, Math.min(text.length, from + blanksMax), blank);
}

/**
 * After `=`, `:`, `:=`, `=>`, `: type =`, a comma after a quoted name, a parenthesis before a
 * quote, or the `>` of a tag; -1 for a comparison and anything else.
 */
function operatorEnd(text: Uint8Array, from: number, nameEnd: number, isQuotedName: boolean): number {
  const next = text[from + 1];
  switch (text[from]) {
    case equals:
      if (next === greater) return from + 2;
      return next === equals || next === tilde ? -1 : from + 1;
    case colon: {
      if (next === equals) return from + 2;
      if (next === colon) return -1;
      const type = skipBlanks(text, from + 1);
      const typeEnd = runEnd(text, type, Math.min(text.length, type + 30), typeBytes);
      const isTyped = typeEnd > type && text[typeEnd] === equals && text[typeEnd + 1] !== equals;
      return isTyped && text[typeEnd - 1] === at(' ') ? typeEnd + 1 : from + 1;
    }
    case comma:
      return isQuotedName ? from + 1 : -1;
    case parenthesis:
      return from === nameEnd && quotes[next ?? 0] === 1 ? from + 1 : -1;
    case greater:
      return from === nameEnd ? from + 1 : -1;
    default:
      return -1;
  }
}

const stringPrefixes = byteSet('bfru@BFRU');

function valueAt(text: Uint8Array, from: number): { start: number; end: number; isQuoted: boolean } | null {
  let start = from;
  if (stringPrefixes[text[start] ?? 0] === 1 && quotes[text[start + 1] ?? 0] === 1) start++;
  const isEscaped = text[start] === backslash;
  if (isEscaped) start++;
  const quote = text[start] ?? 0;
  const limit = Math.min(text.length, start + valueBytesMax);
  if (quotes[quote] !== 1) {
    if (isEscaped) return null;
    let end = start;
    while (end < limit && unquotedEnd[text[end]!] === 0) end++;
    return end > start && end < start + valueBytesMax ? { start, end, isQuoted: false } : null;
  }
  start++;
  for (let end = start; end < limit; end++) {
    const byte = text[end]!;
    if (byte === quote) return isEscaped ? null : { start, end, isQuoted: true };
    if (byte === backslash) {
      return isEscaped && text[end + 1] === quote ? { start, end, isQuoted: true } : null;
    }
    if (byte === newline || byte === less) return null;
  }
  return null;
}
