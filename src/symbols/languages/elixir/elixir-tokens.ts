import { endOfLine, SIGN, STRING, type Tokens, WORD } from '../../scanning/tokens.ts';

/** `:name`, and `name:` before a value. */
export const ATOM = 4;
export const KEY = 5;

const closings: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/**
 * Tokens of Elixir. A module's name with its dots (`Acme.Shop`) is one word, and so is a name with its `?` or `!`. What stands in `#{…}`
 * within strings is code; the rest of those is strings.
 */
export function tokenizeElixir(text: string, comments: number[]): Tokens {
  const { length } = text;
  const kind = new Uint8Array(length);
  const starts = new Uint32Array(length);
  const ends = new Uint32Array(length);
  let count = 0;
  const push = (what: number, start: number, end: number) => {
    if (end <= start) return;
    kind[count] = what;
    starts[count] = start;
    ends[count++] = Math.min(end, length);
  };
  const templates: { braces: number; mark: string }[] = [];

  /** Reads a string's text on from `at` up to its end or its next `#{`, and gives where to go on. */
  const readText = (start: number, from: number, mark: string): number => {
    for (let at = from; at < length; at++) {
      const sign = text[at];
      if (sign === '\\') at++;
      else if (sign === mark[0] && text.startsWith(mark, at)) {
        push(STRING, start, at + mark.length);
        return at + mark.length;
      } else if (sign === '#' && text[at + 1] === '{') {
        push(STRING, start, at);
        templates.push({ braces: 0, mark });
        return at + 2;
      }
    }
    push(STRING, start, length);
    return length;
  };

  /** `~r/…/i`, `~s"""…"""`: nothing in it is read. */
  const sigilEnd = (start: number): number => {
    let at = start + 1;
    while (at < length && /[A-Za-z]/.test(text[at]!)) at++;
    const opening = text[at] ?? '';
    if (at === start + 1 || !/[/|"'([{<]/.test(opening)) return -1;
    const isRaw = /[A-Z]/.test(text[start + 1]!);
    const mark = text.startsWith(opening.repeat(3), at) && /["']/.test(opening) ? opening.repeat(3) : '';
    const closing = mark || (closings[opening] ?? opening);
    at += mark ? 3 : 1;
    while (at < length && !text.startsWith(closing, at)) at += text[at] === '\\' && !isRaw ? 2 : 1;
    at += closing.length;
    while (at < length && /[a-zA-Z]/.test(text[at]!)) at++;
    return at;
  };

  let at = 0;
  while (at < length) {
    const unit = text.charCodeAt(at);
    const sign = text[at]!;
    if (unit <= 32) at++;
    else if (sign === '#') {
      const end = endOfLine(text, at);
      comments.push(at, end);
      at = end;
    } else if (sign === '"' || sign === "'") {
      const mark = text.startsWith(sign.repeat(3), at) ? sign.repeat(3) : sign;
      at = readText(at, at + mark.length, mark);
      // `"a b": 1`
      if (text[at] === ':' && /\s/.test(text[at + 1] ?? ' ') && kind[count - 1] === STRING) {
        kind[count - 1] = KEY;
        at++;
      }
    } else if (sign === '~' && sigilEnd(at) >= 0) {
      const end = sigilEnd(at);
      push(STRING, at, end);
      at = end;
    } else if (sign === '?' && /\S/.test(text[at + 1] ?? ' ')) {
      const end = at + (text[at + 1] === '\\' ? 3 : 2);
      push(STRING, at, end);
      at = end;
    } else if (sign === ':' && text[at + 1] !== ':' && (isNameStart(text, at + 1) || text[at + 1] === '"')) {
      const start = at;
      if (text[at + 1] === '"') {
        at += 2;
        while (at < length && text[at] !== '"' && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
        at++;
      } else at = nameEnd(text, at + 1, '@');
      push(ATOM, start, at);
    } else if (isNameStart(text, at) || (unit > 47 && unit < 58)) {
      const start = at;
      at = nameEnd(text, at, '');
      while (isCapital(text, start) && text[at] === '.' && isCapital(text, at + 1))
        at = nameEnd(text, at + 1, '');
      if (text[at] === ':' && text[at + 1] !== ':' && /[\s\])},]/.test(text[at + 1] ?? ' ')) {
        push(KEY, start, at);
        at++;
      } else push(WORD, start, at);
    } else {
      const template = templates[templates.length - 1];
      at++;
      if (template && sign === '{') template.braces++;
      else if (template && sign === '}' && template.braces-- === 0) {
        templates.pop();
        at = readText(at, at, template.mark);
        continue;
      }
      push(SIGN, at - 1, at);
    }
  }
  return {
    text,
    count,
    kind,
    start: starts,
    end: ends,
    of: (token) => (token >= 0 && token < count ? text.slice(starts[token]!, ends[token]!) : ''),
    is: (token, wanted) =>
      token >= 0 && token < count && kind[token] === SIGN && text[starts[token]!] === wanted,
  };
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
