import { endOfLine } from '../../scanning/tokens.ts';

/** A value that is not closed within so many lines is not what it seems: its line alone counts. */
const LINES_MAX = 300;

/** Lines that may be looked at in vain in one text: then values are read by their first line alone. */
export interface LookAhead {
  lines: number;
}

export const LOOKED_AT_IN_VAIN_MAX = 3000;

/** Behind the closing quote, or the end of the line. */
export function quotedValueEnd(text: string, start: number, line: number, ahead: LookAhead): number {
  if (ahead.lines <= 0) return line;
  const quote = text[start]!;
  let lines = 0;
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === quote) {
      if (quote === '"' || text[at + 1] !== quote) return Math.max(line, at + 1);
      at++;
    } else if (text[at] === '\\' && quote === '"') at++;
    else if (text[at] === '\n' && ++lines > LINES_MAX) break;
  }
  ahead.lines -= lines + 1;
  return line;
}

/** Behind the bracket that closes the first one, or the end of the line. */
export function flowEnd(text: string, start: number, line: number, ahead: LookAhead): number {
  if (ahead.lines <= 0) return line;
  let depth = 0;
  let lines = 0;
  for (let at = start; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === '[' || sign === '{') depth++;
    else if ((sign === ']' || sign === '}') && --depth === 0) return Math.max(line, at + 1);
    else if ((sign === '"' || sign === "'") && /[\s,[{:]/.test(text[at - 1]!)) {
      const close = quotedValueEnd(text, at, at, ahead);
      if (close > at) at = close - 1;
    } else if (sign === '#' && /\s/.test(text[at - 1] ?? ' ')) at = endOfLine(text, at) - 1;
    // Templates (`{{ x }}`) and unclosed brackets must not take the rest of the text.
    else if (sign === '\n' && (++lines > LINES_MAX || isOutside(text, at + 1))) break;
  }
  ahead.lines -= lines + 1;
  return line;
}

function isOutside(text: string, lineStart: number): boolean {
  return /^(?:---|[A-Za-z_][\w-]*:[ \r\n])/.test(text.slice(lineStart, lineStart + 80));
}
