import { isWordByte } from './word-bytes.ts';

/** Bytes of a line before and behind a name that are looked at. */
const BEFORE_MAX = 160;
const BEHIND_MAX = 160;

const KEYWORDS =
  'func|function|def|defp|defmodule|defmacro|class|interface|trait|type|fn|fun|const|let|var|val|module|mod|namespace|record|object|protocol|extension|actor|define|macro_rules!|sub|proc|package|message|service|rpc|table|view|procedure|static|typealias';
/** After these a name is defined only if what follows opens a body: `struct point p` uses one. */
const BODY_KEYWORDS = 'struct|union|enum';
/** What stands before a name in a call, and never before one that is defined. */
const CALLING =
  /(?:^|\W)(?:return|new|else|throw|await|yield|in|not|and|or|case|delete|typeof|go|defer|assert|raise|print|echo|import|from|if|while|for|do|of|is|as|unless|elif|when|then)$/;

const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!\s*define)|--|;|%)/;
const AFTER_KEYWORD = new RegExp(`(?:^|[^\\w.$])(?:${KEYWORDS})\\s+$`, 'i');
const AFTER_BODY_KEYWORD = new RegExp(`(?:^|\\W)(?:${BODY_KEYWORDS})\\s+$`);
/** `def self.name`, `function Point:move`, `func (p *Point) Move`, `impl<T> ... fn`. */
const AFTER_OWNER = /(?:^|\s)(?:def|function|func|fun|fn)\s+(?:[\w$]+[.:]|\([^)]*\)\s*)$/;
/** A type before a name with parameters: `static int`, `List<T>`, `char *`. */
const AFTER_TYPE = /(?:^|[\s,])[\w$.:]+(?:<[^;(]*>|\[\])?[\s*&]+$/;
const OPENS_BODY = /^\s*(?:[{:<(]|$)/;
const HAS_PARAMETERS = /^\s*(?:<[^>]*>)?\(/;
const IS_ASSIGNED = /^\s*(?::\s*\w+\s*)?:?=(?!=|~)/;
const IS_ASSIGNED_CODE = /^\s*[:=]\s*(?:async\s+)?(?:function\b|class\b|\([^)]*\)\s*=>|\w+\s*=>)/;

/**
 * Whether the name [start, end) of a text [from, to) stands where languages define names: behind a keyword, between a type and
 * parameters, before an assignment at the edge of the page. A guess by its line alone, for ranking.
 */
export function looksDefined(
  bytes: Uint8Array,
  { from, to }: { from: number; to: number },
  start: number,
  end: number,
): boolean {
  // Most names stand behind a bracket, a quote or an operator, and need no second look.
  const previous = start === from ? 0x0a : bytes[start - 1]!;
  if (!MAY_PRECEDE.has(previous)) return false;
  const before = lineBefore(bytes, Math.max(from, start - BEFORE_MAX), start);
  if (COMMENT.test(before)) return false;
  const behind = lineBehind(bytes, end, Math.min(to, end + BEHIND_MAX));
  if (AFTER_KEYWORD.test(before) || AFTER_OWNER.test(before)) return true;
  if (AFTER_BODY_KEYWORD.test(before)) return OPENS_BODY.test(behind);
  if (IS_ASSIGNED_CODE.test(behind)) return true;
  if (before === '') return IS_ASSIGNED.test(behind) || /^\s*::/.test(behind);
  if (!HAS_PARAMETERS.test(behind) || /;\s*$/.test(behind)) return false;
  if (before.trim() === '') return /\{\s*$/.test(behind);
  return AFTER_TYPE.test(before) && !CALLING.test(before.trimEnd());
}

/** Line feed, tab, blank, and the ends of an owner or of a pointer's type. */
const MAY_PRECEDE: ReadonlySet<number> = new Set([...'\n\t .:*&'].map((one) => one.charCodeAt(0)));

function lineBefore(bytes: Uint8Array, from: number, start: number): string {
  let at = start;
  while (at > from && bytes[at - 1] !== 0x0a) at--;
  return Buffer.from(bytes.buffer, bytes.byteOffset + at, start - at).toString('latin1');
}

function lineBehind(bytes: Uint8Array, end: number, to: number): string {
  let at = end;
  while (at < to && bytes[at] !== 0x0a) at++;
  return Buffer.from(bytes.buffer, bytes.byteOffset + end, at - end).toString('latin1');
}

/** Whether bytes could be a name that is defined somewhere. */
export function isName(bytes: Uint8Array): boolean {
  return bytes.length > 2 && bytes.every(isWordByte);
}
