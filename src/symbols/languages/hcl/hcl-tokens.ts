import { tokenizeTemplates } from '../../scanning/template-tokens.ts';
import { type Tokens, WORD } from '../../scanning/token-list.ts';
import { endOfLine } from '../../scanning/tokens.ts';

/** Tokens of HCL: code stands in `${…}` and `%{…}` within strings and heredocs. */
export function tokenizeHcl(text: string, comments: number[]): Tokens {
  return tokenizeTemplates(text, {
    textEnd: (from, mark) => textEnd(text, from, mark),
    read(start, tokens, readText) {
      const sign = text[start]!;
      if (sign === '#' || (sign === '/' && /[/*]/.test(text[start + 1] ?? ''))) {
        const end = text[start + 1] === '*' && sign === '/' ? blockEnd(text, start) : endOfLine(text, start);
        comments.push(start, end);
        return end;
      }
      if (sign === '"') return readText(start, start + 1, '"');
      if (sign === '<' && text[start + 1] === '<' && /[-A-Za-z_]/.test(text[start + 2] ?? '')) {
        const line = endOfLine(text, start);
        const mark = text.slice(start, Math.min(line, start + 100)).match(/^<<-?([A-Za-z_]\w*)\s*$/)?.[1];
        return mark ? readText(start, line, mark) : start + 2;
      }
      if (!isWord(text.charCodeAt(start))) return -1;
      let end = start;
      while (end < text.length && (isWord(text.charCodeAt(end)) || text[end] === '-')) end++;
      tokens.push(WORD, start, end);
      return end;
    },
  });
}

function blockEnd(text: string, at: number): number {
  const close = text.indexOf('*/', at + 2);
  return close < 0 ? text.length : close + 2;
}

/** `mark`: `"`, or the word of a heredoc. */
function textEnd(text: string, from: number, mark: string): { end: number; opensCode: boolean } {
  for (let at = from; at < text.length; at++) {
    const unit = text[at];
    if (mark === '"') {
      if (unit === '"') return { end: at + 1, opensCode: false };
      if (unit === '\n') return { end: at, opensCode: false };
      if (unit === '\\') at++;
    } else if (
      unit === '\n' &&
      text
        .slice(at + 1, at + 200)
        .trimStart()
        .startsWith(mark)
    ) {
      const line = endOfLine(text, at + 1);
      if (text.slice(at + 1, Math.min(line, at + 200)).trim() === mark)
        return { end: line, opensCode: false };
    }
    if ((unit === '$' || unit === '%') && text[at + 1] === '{' && text[at - 1] !== unit)
      return { end: at, opensCode: true };
  }
  return { end: text.length, opensCode: false };
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
