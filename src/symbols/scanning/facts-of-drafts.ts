import type { FileFacts, ImportFact, ReferenceFact, SymbolFact } from '../../search/index.ts';
import type { FactsDraft, SymbolDraft } from './facts-draft.ts';

const SIGNATURE_BYTES_MAX = 200;
const DEPTH_MAX = 100;

/** Drafts in order, with lines, parents, signatures and the comments above them. */
export function factsOfDrafts(draft: FactsDraft, isName: (name: string) => boolean): FileFacts {
  const { text } = draft;
  const lineOf = lineFinder(text);
  const documentation = commentsAbove(draft, lineOf);
  const ordered = [...draft.symbols].sort((a, b) => a.start - b.start || b.end - a.end);
  const symbols: SymbolFact[] = [];
  const around: number[] = [];
  const places = new Map<SymbolDraft, number>();
  for (const one of ordered) {
    one.end = Math.min(one.end, text.length);
    // No text of people is nested so deep, and whoever walks up from a symbol must get there.
    if (around.length > DEPTH_MAX) around.length = DEPTH_MAX;
    while (around.length > 0 && !holds(symbols[around[around.length - 1]!]!, one)) around.pop();
    const [signatureStart, signatureEnd] = signatureOf(text, one);
    const startLine = lineOf(one.start);
    const [docStart, docEnd] = one.doc ?? documentation(one.start, startLine);
    around.push(symbols.length);
    places.set(one, symbols.length);
    symbols.push({
      name: one.name,
      kind: one.kind,
      nameStart: one.nameStart,
      nameEnd: one.nameEnd,
      start: one.start,
      end: one.end,
      signatureStart,
      signatureEnd,
      docStart,
      docEnd,
      nameLine: lineOf(one.nameStart),
      startLine,
      endLine: lineOf(Math.max(one.start, one.end - 1)),
      parent: (one.parent && places.get(one.parent)) ?? around[around.length - 2] ?? -1,
      exported: one.exported ?? true,
      type: one.type ?? null,
    });
  }
  return {
    symbols,
    references: referencesOf(draft, symbols, lineOf, isName),
    imports: importsOf(draft, lineOf, isName),
    namespace: draft.namespace,
    packageFile: null,
  };
}

/** What has the very same range stands beside it: `.a, .b { }`. */
function holds(outer: SymbolFact, { start, end }: SymbolDraft): boolean {
  return outer.end > start && outer.end >= end && !(outer.start === start && outer.end === end);
}

function referencesOf(
  draft: FactsDraft,
  symbols: readonly SymbolFact[],
  lineOf: (offset: number) => number,
  isName: (name: string) => boolean,
): ReferenceFact[] {
  const references: ReferenceFact[] = [];
  const around: number[] = [];
  let next = 0;
  for (const one of [...draft.references].sort((a, b) => a.start - b.start)) {
    if (!isName(one.name)) continue;
    while (next < symbols.length && symbols[next]!.start <= one.start) around.push(next++);
    while (around.length > 0 && symbols[around[around.length - 1]!]!.end <= one.start) around.pop();
    references.push({
      name: one.name,
      kind: one.kind,
      start: one.start,
      line: lineOf(one.start),
      from: around[around.length - 1] ?? -1,
      receiver: one.receiver ?? null,
      receiverType: one.receiverType ?? null,
    });
  }
  return references;
}

function importsOf(
  draft: FactsDraft,
  lineOf: (offset: number) => number,
  isName: (name: string) => boolean,
): ImportFact[] {
  return draft.imports
    .filter(({ module }) => isName(module))
    .sort((a, b) => a.at - b.at)
    .map(({ module, at, name = '*', local = '', relative = false, reexport = false }) => ({
      module,
      name,
      local,
      reexport,
      relative,
      start: at,
      line: lineOf(at),
    }));
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

function signatureOf(
  text: string,
  { start, end, nameStart, nameEnd, bodyStart }: SymbolDraft,
): [number, number] {
  let from = nameStart;
  const floor = Math.max(start, nameStart - SIGNATURE_BYTES_MAX);
  while (from > floor && text[from - 1] !== '\n') from--;
  while (from < nameStart && (text[from] === ' ' || text[from] === '\t')) from++;
  let until = Math.min(end, bodyStart ?? end, from + SIGNATURE_BYTES_MAX);
  if (bodyStart === undefined) {
    const line = text.slice(nameEnd, until);
    const lineEnd = line.indexOf('\n');
    if (lineEnd >= 0) until = nameEnd + lineEnd;
  }
  until = Math.max(until, Math.min(nameEnd, from + SIGNATURE_BYTES_MAX));
  while (Buffer.byteLength(text.slice(from, until)) > SIGNATURE_BYTES_MAX) until--;
  if (isLowSurrogate(text.charCodeAt(until))) until--;
  while (until > nameEnd && /[\s{;,]/.test(text[until - 1]!)) until--;
  return [from, until];
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** Of comments with nothing before them on their line: the one that ends right above, with its like above it. */
function commentsAbove(
  { text, comments }: FactsDraft,
  lineOf: (offset: number) => number,
): (start: number, line: number) => readonly [number, number] {
  const byLastLine = new Map<number, { start: number; end: number; firstLine: number; isBlock: boolean }>();
  for (let i = 0; i < comments.length; i += 2) {
    const start = comments[i]!;
    let before = start - 1;
    while (before >= 0 && (text[before] === ' ' || text[before] === '\t')) before--;
    if (before >= 0 && text[before] !== '\n') continue;
    let end = comments[i + 1]!;
    while (end > start && /[\r\n]/.test(text[end - 1]!)) end--;
    const isBlock = /^(?:\/\*|<!--|""")/.test(text.slice(start, start + 4));
    byLastLine.set(lineOf(Math.max(start, end - 1)), { start, end, firstLine: lineOf(start), isBlock });
  }
  return (start, line) => {
    const last = byLastLine.get(line - 1);
    if (last === undefined || last.end > start) return [-1, -1];
    let first = last;
    while (!first.isBlock) {
      const above = byLastLine.get(first.firstLine - 1);
      if (above === undefined || above.isBlock) break;
      first = above;
    }
    return text.startsWith('#!', first.start) ? [-1, -1] : [first.start, last.end];
  };
}
