import type { ScannedLanguage } from '../../extractor/language-definition.ts';
import { dataBound, draftFacts, type SymbolDraft } from '../../scanning/facts-draft.ts';
import { endOfLine } from '../../scanning/tokens.ts';

export const toml: ScannedLanguage = { version: 1, scan, longLines: true };

const HEADER = /^\[\[?[ \t]*((?:[\w-]+|"[^"\n]*"|'[^'\n]*'|[ \t]*\.[ \t]*)+?)[ \t]*\]/;
const KEY = /^(?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|"[^"\n]*"|'[^'\n]*'))*(?=[ \t]*=)/;
const HEAD_UNITS_MAX = 300;

/** Line by line: a table's header, or a key whose value may go on over further lines. */
function scan(text: string) {
  const draft = draftFacts(text, { symbolsMax: dataBound(text) });
  const tables = new Set<string>();
  let table: SymbolDraft | null = null;
  // Of the tables of an array the first alone is told: a lock file has thousands.
  let isRepeated = false;
  for (let at = 0; at < text.length && !draft.isFull; ) {
    let start = at;
    while (text[start] === ' ' || text[start] === '\t') start++;
    const line = endOfLine(text, start);
    const head = text.slice(start, Math.min(line, start + HEAD_UNITS_MAX));
    at = line + 1;
    if (head.startsWith('#')) draft.comments.push(start, line);
    else if (head.startsWith('[')) {
      const found = head.match(HEADER);
      if (!found) continue;
      if (table) table.end = start;
      const name = plainKey(found[1]!);
      const isArray = head.startsWith('[[');
      isRepeated = isArray && tables.has(name);
      table = null;
      if (isRepeated) continue;
      tables.add(name);
      const nameStart = start + found[0].indexOf(found[1]!);
      table = draft.symbol({
        name,
        kind: 'key',
        nameStart,
        nameEnd: nameStart + found[1]!.length,
        start,
        end: text.length,
        bodyStart: start + found[0].length + (isArray ? 1 : 0),
      });
    } else {
      const key = head.match(KEY)?.[0];
      if (key === undefined) continue;
      const end = valueEnd(text, start + key.length);
      at = endOfLine(text, end) + 1;
      if (isRepeated) continue;
      draft.symbol({
        name: plainKey(key),
        kind: 'key',
        nameStart: start,
        nameEnd: start + key.length,
        start,
        end,
      });
    }
  }
  if (table) table.end = text.trimEnd().length;
  return draft.finish();
}

/** Without quotes, and without blanks around dots. */
function plainKey(written: string): string {
  return written.replace(/"([^"]*)"|'([^']*)'|[ \t]+/g, (_, double, single) => double ?? single ?? '');
}

/** The end of a value: of its line, unless it is a long string or has open brackets there. */
function valueEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"' || sign === "'") {
      const long = sign.repeat(3);
      const close = text.startsWith(long, at) ? text.indexOf(long, at + 3) : -2;
      if (close === -2) at = shortStringEnd(text, at);
      else at = close < 0 ? text.length : close + 2;
    } else if (sign === '#') at = endOfLine(text, at) - 1;
    else if (sign === '[' || sign === '{') depth++;
    else if (sign === ']' || sign === '}') depth--;
    else if (sign === '\n' && depth <= 0) return at;
  }
  return text.length;
}

/** Of its closing quote, or of the character before the line break. */
function shortStringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === text[start]) return at;
    if (text[at] === '\n') return at - 1;
    if (text[at] === '\\' && text[start] === '"') at++;
  }
  return text.length;
}
