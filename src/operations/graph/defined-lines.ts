import { editDistance } from '../../base/edit-distance.ts';
import type { TextDocument } from '../../content/index.ts';
import type { GraphNode } from '../../symbols/index.ts';
import { bareName } from './written-names.ts';

/** One definition within a file, with the lines that it takes. */
export interface DefinedSymbol {
  name: string;
  kind: string;
  startLine: number;
  endLine: number;
}

const NEAR_MAX = 8;
const SLIPS_MAX = 2;

/** Definitions of a file that a name means: overloads that stand together are one. */
export function definedAs(symbol: string, outline: readonly GraphNode[]): DefinedSymbol[] {
  const wanted = plainName(symbol);
  const tests: ((name: string) => boolean)[] = [
    (name) => name === wanted,
    (name) => name.endsWith(`.${wanted}`),
    (name) => name.toLowerCase() === wanted.toLowerCase(),
    (name) => name.toLowerCase().endsWith(`.${wanted.toLowerCase()}`),
    // What stands before the dot may be the file's own module.
    (name) => wanted.endsWith(`.${name}`),
  ];
  for (const test of tests) {
    const found = joined(outline.flatMap(definedSymbol).filter(({ name }) => test(name)));
    if (found.length > 0) return withoutSideParts(found);
  }
  return [];
}

/** Definitions with names like it, else the first of the file. */
export function nearDefinitions(
  symbol: string,
  outline: readonly GraphNode[],
): { name: string; line: number }[] {
  const wanted = plainName(symbol).replace(/^.*\./, '').toLowerCase();
  const near = outline.filter(({ name }) => {
    const folded = name.toLowerCase();
    return (
      editDistance(wanted, folded, SLIPS_MAX) <= SLIPS_MAX || (wanted.length > 2 && folded.includes(wanted))
    );
  });
  const top = outline.filter(({ container }) => !container.includes('.'));
  const told = near.length > 0 ? near : top;
  return told.slice(0, NEAR_MAX).map(({ container, place }) => ({ name: container, line: place?.line ?? 1 }));
}

/** The first line of the comment right above a definition; the definition's own where there is none. */
export function documentedFrom(document: TextDocument, startLine: number): number {
  const from = Math.max(1, startLine - COMMENT_LINES_MAX);
  const { lines } = document.lines(from, startLine - from, LINE_BYTES_MAX);
  let first = startLine;
  for (let at = lines.length - 1; at >= 0 && isComment(lines, at); at--) first = from + at;
  return first;
}

const COMMENT_LINES_MAX = 80;
const LINE_BYTES_MAX = 2000;
const LINE_COMMENT = /^\s*(?:\/\/|#(?!include|define|if|else|endif|pragma)|--|;;?|%%?|\*|\/\*|<!--|'''|""")/;

function isComment(lines: readonly string[], at: number): boolean {
  if (LINE_COMMENT.test(lines[at]!)) return true;
  // Within a block comment lines need not begin with a star.
  const ends = lines.slice(at).findIndex((line) => line.includes('*/'));
  if (ends < 0) return false;
  const opening = lines.slice(0, at + 1).findLastIndex((line) => line.includes('/*'));
  const closing = lines.slice(0, at).findLastIndex((line) => line.includes('*/'));
  return opening > closing;
}

/** First line that holds the name as a word, for a file without symbols; null where none does. */
export function firstLineWith(symbol: string, document: TextDocument): number | null {
  const word = plainName(symbol).replace(/^.*\./, '');
  const text = document.text()?.toString('utf8');
  if (!text || word === '') return null;
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const found = new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, 'u').exec(text);
  return found ? text.slice(0, found.index).split('\n').length : null;
}

/** `Foo::bar`, `Foo#bar()` and `Foo.bar` are one name. */
function plainName(symbol: string): string {
  return bareName(symbol)
    .replace(/::|->|[#/\\]/g, '.')
    .replace(/^\.+|\.+$/g, '');
}

function definedSymbol({ container, symbolKind, place }: GraphNode): DefinedSymbol[] {
  if (!place) return [];
  return [
    { name: container, kind: symbolKind ?? 'symbol', startLine: place.startLine, endLine: place.endLine },
  ];
}

const OVERLOAD_GAP_MAX = 2;

function joined(found: readonly DefinedSymbol[]): DefinedSymbol[] {
  const all: DefinedSymbol[] = [];
  for (const one of found) {
    const last = all.at(-1);
    const isSame =
      last?.name === one.name && last.kind === one.kind && one.startLine - last.endLine <= OVERLOAD_GAP_MAX;
    if (last && isSame) last.endLine = Math.max(last.endLine, one.endLine);
    else all.push({ ...one });
  }
  return all;
}

/** A type and its implementations or constructors bear one name: the type is meant. */
function withoutSideParts(found: readonly DefinedSymbol[]): DefinedSymbol[] {
  const main = found.filter(({ kind }) => kind !== 'implementation' && kind !== 'constructor');
  return main.length === 1 ? main : [...found];
}
