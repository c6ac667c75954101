import type { ScannedLanguage } from '../../extractor/language-definition.ts';
import { dataBound, draftFacts, type SymbolDraft } from '../../scanning/facts-draft.ts';
import { endOfLine } from '../../scanning/tokens.ts';

export const markdown: ScannedLanguage = { version: 1, scan, longLines: true };

const HEAD_UNITS_MAX = 400;

/** Headings; each holds all up to the next one of its level or above. */
function scan(text: string) {
  const draft = draftFacts(text, { symbolsMax: dataBound(text) });
  const open: { level: number; heading: SymbolDraft }[] = [];
  let fence = '';
  let at = frontMatterEnd(text);
  /** The line before, where it may be a heading that the next one underlines. */
  let paragraph = -1;
  let paragraphEnd = -1;
  while (at < text.length) {
    const start = at;
    const line = endOfLine(text, start);
    at = line + 1;
    const head = text.slice(start, Math.min(line, start + HEAD_UNITS_MAX));
    const before = paragraph;
    paragraph = -1;
    const mark = head.match(/^ {0,3}(`{3,}|~{3,})/)?.[1];
    if (fence !== '') {
      if (mark?.startsWith(fence) && head.trim() === mark) fence = '';
      continue;
    }
    if (mark) {
      fence = mark;
      continue;
    }
    if (head.startsWith('<!--')) {
      const close = text.indexOf('-->', start);
      at = endOfLine(text, close < 0 ? text.length : close) + 1;
      continue;
    }
    const atx = head.match(/^( {0,3}(#{1,6})[ \t]+)(\S.*?)[ \t]*(?:[ \t]#+)?[ \t\r]*$/);
    if (atx) {
      const nameStart = start + atx[1]!.length;
      addHeading(atx[2]!.length, atx[3]!, nameStart, start, line);
      continue;
    }
    const underline = before >= 0 ? head.match(/^ {0,3}(=+|-+)[ \t\r]*$/)?.[1] : undefined;
    if (underline) {
      const name = text.slice(before, Math.min(paragraphEnd, before + HEAD_UNITS_MAX)).trim();
      addHeading(underline[0] === '=' ? 1 : 2, name, before, before, line);
      continue;
    }
    // Lists, quotes and tables are no paragraphs of one line.
    if (/^ {0,3}[^\s>|*+-]/.test(head) && !/^ {0,3}\d+[.)]\s/.test(head)) {
      paragraph = start + head.search(/\S/);
      paragraphEnd = line;
    }
  }
  for (const { heading } of open) heading.end = text.trimEnd().length;
  return draft.finish();

  function addHeading(level: number, name: string, nameStart: number, start: number, end: number): void {
    while (open.length > 0 && open[open.length - 1]!.level >= level) open.pop()!.heading.end = start;
    const heading = draft.symbol({
      name,
      kind: 'heading',
      nameStart,
      nameEnd: nameStart + name.length,
      start,
      end,
      bodyStart: nameStart + name.length,
    });
    open.push({ level, heading });
  }
}

/** `---` at the very top opens data about the text. */
function frontMatterEnd(text: string): number {
  if (!/^---[ \t]*\r?\n/.test(text)) return 0;
  const close = text.slice(0, 20_000).search(/\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/);
  return close < 0 ? 0 : endOfLine(text, close + 1) + 1;
}
