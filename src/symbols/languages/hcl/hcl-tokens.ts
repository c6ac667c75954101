import { endOfLine, SIGN, STRING, type Tokens, WORD } from '../../scanning/tokens.ts';

/** Tokens of HCL: what stands in `${…}` within strings and heredocs is code, the rest of those with it is one string. */
export function tokenizeHcl(text: string, comments: number[]): Tokens {
  const { length } = text;
  const kind = new Uint8Array(length);
  const starts = new Uint32Array(length);
  const ends = new Uint32Array(length);
  let count = 0;
  const push = (what: number, start: number, end: number) => {
    if (end <= start) return;
    kind[count] = what;
    starts[count] = start;
    ends[count++] = end;
  };
  /** For each open template: how many braces are open in it, and the string's end mark (`"` or the heredoc's word). */
  const templates: { braces: number; mark: string }[] = [];

  /** Reads a string's text on from `at` up to its end or its next template, and gives where to go on. */
  const readText = (start: number, at: number, mark: string): number => {
    for (let i = at; i < length; i++) {
      const unit = text[i];
      if (mark === '"') {
        if (unit === '"') {
          push(STRING, start, i + 1);
          return i + 1;
        }
        if (unit === '\n') {
          push(STRING, start, i);
          return i;
        }
        if (unit === '\\') i++;
      } else if (
        unit === '\n' &&
        text
          .slice(i + 1, i + 200)
          .trimStart()
          .startsWith(mark)
      ) {
        const line = endOfLine(text, i + 1);
        if (text.slice(i + 1, Math.min(line, i + 200)).trim() === mark) {
          push(STRING, start, line);
          return line;
        }
      }
      if ((unit === '$' || unit === '%') && text[i + 1] === '{' && text[i - 1] !== unit) {
        push(STRING, start, i);
        templates.push({ braces: 0, mark });
        return i + 2;
      }
    }
    push(STRING, start, length);
    return length;
  };

  let at = 0;
  while (at < length) {
    const unit = text.charCodeAt(at);
    const sign = text[at]!;
    if (unit <= 32) at++;
    else if (sign === '#' || (sign === '/' && text[at + 1] === '/')) {
      const end = endOfLine(text, at);
      comments.push(at, end);
      at = end;
    } else if (sign === '/' && text[at + 1] === '*') {
      const close = text.indexOf('*/', at + 2);
      const end = close < 0 ? length : close + 2;
      comments.push(at, end);
      at = end;
    } else if (sign === '"') at = readText(at, at + 1, '"');
    else if (sign === '<' && text[at + 1] === '<' && /[-A-Za-z_]/.test(text[at + 2] ?? '')) {
      const line = endOfLine(text, at);
      const mark = text.slice(at, Math.min(line, at + 100)).match(/^<<-?([A-Za-z_]\w*)\s*$/)?.[1];
      at = mark ? readText(at, line, mark) : at + 2;
    } else if (isWord(unit)) {
      const start = at;
      while (at < length && (isWord(text.charCodeAt(at)) || text[at] === '-')) at++;
      push(WORD, start, at);
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
    of: (token) => (token < count ? text.slice(starts[token]!, ends[token]!) : ''),
    is: (token, wanted) => token < count && kind[token] === SIGN && text[starts[token]!] === wanted,
  };
}

function isWord(unit: number): boolean {
  return (
    unit > 127 ||
    unit === 95 ||
    (unit > 47 && unit < 58) ||
    (unit > 64 && unit < 91) ||
    (unit > 96 && unit < 123)
  );
}
