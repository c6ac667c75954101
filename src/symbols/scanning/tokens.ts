import { SIGN, STRING, TokenList, type Tokens, WORD } from './token-list.ts';

/** What a language's texts consist of, as far as a scanner needs it. */
export interface TokenRules {
  /** Begin a comment that ends with the line. */
  lineComments: readonly string[];
  /** `/* … *\/`. */
  blockComments?: boolean;
  /** Characters that open and close strings; `"""` is one string where `"` is listed in `tripleQuotes`. */
  quotes: string;
  tripleQuotes?: string;
  /** Strings that may hold line breaks; others end with their line at the latest. */
  multiLine?: string;
  /** A quote within a string is written twice, instead of behind a backslash. */
  doubledQuotes?: boolean;
  /** `[[ … ]]` and `[==[ … ]==]` are strings, and comments behind `--`. */
  longBrackets?: boolean;
  /** Characters of words besides letters, digits, `_` and all that is not ASCII. */
  wordCharacters?: string;
}

/** Linear, whatever the text holds: what is not closed ends with its line or with the text. Comments' bounds go into `comments`. */
export function tokenize(text: string, rules: TokenRules, comments: number[]): Tokens {
  const { length } = text;
  const tokens = new TokenList(text);
  const isWord = wordTable(rules.wordCharacters ?? '');
  let at = 0;
  while (at < length) {
    const unit = text.charCodeAt(at);
    if (unit <= 32) {
      at++;
      continue;
    }
    const start = at;
    const long = rules.longBrackets ? longBracketEnd(text, at) : -1;
    const comment = long >= 0 ? -1 : commentEnd(text, at, rules);
    if (comment >= 0) {
      comments.push(start, comment);
      at = comment;
    } else if (long >= 0) {
      at = long;
      tokens.push(STRING, start, at);
    } else if (unit > 127 || isWord[unit] === 1) {
      while (at < length && (text.charCodeAt(at) > 127 || isWord[text.charCodeAt(at)] === 1)) at++;
      tokens.push(WORD, start, at);
    } else if (rules.quotes.includes(text[at]!)) {
      at = stringEnd(text, at, rules);
      tokens.push(STRING, start, at);
    } else {
      at++;
      tokens.push(SIGN, start, at);
    }
  }
  return tokens;
}

function wordTable(further: string): Uint8Array {
  const table = new Uint8Array(128);
  for (let unit = 0; unit < 128; unit++) {
    if (/\w/.test(String.fromCharCode(unit)) || further.includes(String.fromCharCode(unit))) table[unit] = 1;
  }
  return table;
}

function commentEnd(
  text: string,
  at: number,
  { lineComments, blockComments, longBrackets }: TokenRules,
): number {
  for (const opening of lineComments) {
    if (!text.startsWith(opening, at)) continue;
    const long = longBrackets ? longBracketEnd(text, at + opening.length) : -1;
    return long >= 0 ? long : endOfLine(text, at);
  }
  if (!blockComments || text.charCodeAt(at) !== 47 || text.charCodeAt(at + 1) !== 42) return -1;
  const close = text.indexOf('*/', at + 2);
  return close < 0 ? text.length : close + 2;
}

/** Behind a long bracket that begins here, -1 for none. */
function longBracketEnd(text: string, start: number): number {
  if (text[start] !== '[') return -1;
  let at = start + 1;
  while (text[at] === '=') at++;
  if (text[at] !== '[') return -1;
  const closing = `]${'='.repeat(at - start - 1)}]`;
  const close = text.indexOf(closing, at);
  return close < 0 ? text.length : close + closing.length;
}

export function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function stringEnd(text: string, start: number, rules: TokenRules): number {
  const quote = text[start]!;
  if (rules.tripleQuotes?.includes(quote) && text.startsWith(quote.repeat(3), start)) {
    const close = text.indexOf(quote.repeat(3), start + 3);
    return close < 0 ? text.length : close + 3;
  }
  const mayBreak = rules.multiLine?.includes(quote) ?? false;
  for (let at = start + 1; at < text.length; at++) {
    const unit = text[at];
    if (unit === quote) {
      if (!rules.doubledQuotes || text[at + 1] !== quote) return at + 1;
      at++;
    } else if (unit === '\\' && !rules.doubledQuotes) at++;
    else if (unit === '\n' && !mayBreak) return at;
  }
  return text.length;
}
