import { type ReadText, tokenizeTemplates } from '../../scanning/template-tokens.ts';
import { STRING, type TokenList, type Tokens, WORD } from '../../scanning/token-list.ts';
import { endOfLine } from '../../scanning/tokens.ts';

/** `:name`, and `name:` before a value. */
export const ATOM = 4;
export const KEY = 5;

const closings: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/**
 * Tokens of Elixir. A module's name with its dots (`Acme.Shop`) is one word, and so is a name with its `?` or `!`. What stands in `#{…}`
 * within strings is code; the rest of those is strings.
 */
export function tokenizeElixir(text: string, comments: number[]): Tokens {
  return tokenizeTemplates(text, {
    textEnd: (from, mark) => textEnd(text, from, mark),
    read(at, tokens, readText) {
      const sign = text[at]!;
      const next = text[at + 1] ?? ' ';
      if (sign === '#') {
        const end = endOfLine(text, at);
        comments.push(at, end);
        return end;
      }
      if (sign === '"' || sign === "'") return readQuoted(at, tokens, readText);
      if (sign === '~') return readOpaque(tokens, at, sigilEnd(text, at));
      if (sign === '?' && /\S/.test(next)) return readOpaque(tokens, at, at + (next === '\\' ? 3 : 2));
      if (sign === ':' && next !== ':' && (isNameStart(text, at + 1) || next === '"')) {
        const end = next === '"' ? quotedAtomEnd(text, at) : nameEnd(text, at + 1, '@');
        tokens.push(ATOM, at, end);
        return end;
      }
      return isNameStart(text, at) || /[0-9]/.test(sign) ? readName(tokens, at) : -1;
    },
  });
}

function readQuoted(at: number, tokens: TokenList, readText: ReadText): number {
  const { text } = tokens;
  const sign = text[at]!;
  const mark = text.startsWith(sign.repeat(3), at) ? sign.repeat(3) : sign;
  const end = readText(at, at + mark.length, mark);
  // `"a b": 1`
  if (text[end] !== ':' || !/\s/.test(text[end + 1] ?? ' ') || tokens.kind[tokens.count - 1] !== STRING)
    return end;
  tokens.kind[tokens.count - 1] = KEY;
  return end + 1;
}

/** A string in which nothing is read; -1 stays -1. */
function readOpaque(tokens: TokenList, at: number, end: number): number {
  tokens.push(STRING, at, end);
  return end;
}

function readName(tokens: TokenList, start: number): number {
  const { text } = tokens;
  let at = nameEnd(text, start, '');
  while (isCapital(text, start) && text[at] === '.' && isCapital(text, at + 1))
    at = nameEnd(text, at + 1, '');
  const isKey = text[at] === ':' && text[at + 1] !== ':' && /[\s\])},]/.test(text[at + 1] ?? ' ');
  tokens.push(isKey ? KEY : WORD, start, at);
  return isKey ? at + 1 : at;
}

function textEnd(text: string, from: number, mark: string): { end: number; opensCode: boolean } {
  for (let at = from; at < text.length; at++) {
    const sign = text[at];
    if (sign === '\\') at++;
    else if (sign === mark[0] && text.startsWith(mark, at))
      return { end: at + mark.length, opensCode: false };
    else if (sign === '#' && text[at + 1] === '{') return { end: at, opensCode: true };
  }
  return { end: text.length, opensCode: false };
}

/** `~r/…/i`, `~s"""…"""`: nothing in it is read. */
function sigilEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && /[A-Za-z]/.test(text[at]!)) at++;
  const opening = text[at] ?? '';
  if (at === start + 1 || !/[/|"'([{<]/.test(opening)) return -1;
  const isRaw = /[A-Z]/.test(text[start + 1]!);
  const mark = text.startsWith(opening.repeat(3), at) && /["']/.test(opening) ? opening.repeat(3) : '';
  const closing = mark || (closings[opening] ?? opening);
  at += mark ? 3 : 1;
  while (at < text.length && !text.startsWith(closing, at)) at += text[at] === '\\' && !isRaw ? 2 : 1;
  at += closing.length;
  while (at < text.length && /[a-zA-Z]/.test(text[at]!)) at++;
  return at;
}

function quotedAtomEnd(text: string, start: number): number {
  let at = start + 2;
  while (at < text.length && text[at] !== '"' && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function isNameStart(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit > 127 || unit === 95 || (unit > 64 && unit < 91) || (unit > 96 && unit < 123);
}

function isCapital(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit > 64 && unit < 91;
}

function nameEnd(text: string, from: number, further: string): number {
  let at = from;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (
      !isNameStart(text, at) &&
      !(unit > 47 && unit < 58) &&
      !(further !== '' && further.includes(text[at]!))
    )
      break;
    at++;
  }
  if ((text[at] === '?' || text[at] === '!') && text[at + 1] !== '=') at++;
  return at;
}
