import type { SymbolFact, SymbolKind } from '../facts/types.ts';
import { closePieces, type Piece } from './close-pieces.ts';
import { commentAbove } from './comment-above.ts';
import { TextLines } from './text-lines.ts';
import type { Chunk } from './types.ts';

/** Of the rules by which texts are cut and their words are told: chunks of another version are cut anew. */
const CUTTING_VERSION = 1;

/** Chunks depend on how facts are extracted as well: both together are their version. */
export function chunksVersion(factsVersion: string): string {
  return `${CUTTING_VERSION}.${factsVersion}`;
}

/** A symbol that is no larger is one chunk, whatever is in it; a function may be as large as FUNCTION_BYTES. */
const WHOLE_BYTES = 1500;
const FUNCTION_BYTES = 2500;
/** Text between symbols is cut into pieces of about so many bytes. */
const PIECE_BYTES = 1500;
const PIECE_BYTES_LEAST = 600;
/** Nothing is larger: a longer line is cut. */
export const CHUNK_BYTES_MAX = 4096;
/** Values, keys and fields are part of what is around them, unless they are as large as this. */
const OWN_LINES = 5;

const functions: ReadonlySet<SymbolKind> = new Set([
  'function',
  'method',
  'constructor',
  'macro',
  'rpc',
  'target',
  'stage',
]);
const containers: ReadonlySet<SymbolKind> = new Set([
  'class',
  'interface',
  'struct',
  'enum',
  'trait',
  'type',
  'namespace',
  'module',
  'annotation',
  'implementation',
  'object',
  'heading',
  'table',
  'view',
  'message',
  'service',
  'resource',
  'template',
]);

/** A symbol that is a chunk of its own, or several. */
interface Node {
  symbol: number;
  /** Whole lines, with the comment that documents it. */
  start: number;
  end: number;
  /** The same within it. */
  inner: Node[];
}

export interface CutText {
  chunks: Chunk[];
  /** By chunk: names of symbols that it defines beside its own, first to last. */
  defined: string[][];
}

/** Cuts a text around its symbols: in order, nothing twice, nothing left out that has a word. */
export function cutText(text: Uint8Array, symbols: readonly SymbolFact[]): CutText {
  const lines = new TextLines(text);
  const pieces: Piece[] = [];
  const comments = new Map<number, number>();
  cutAround(0, text.length, -1, nodesOf(symbols, lines, comments));
  return chunksOf(closePieces(pieces, text), symbols, { lines, comments });

  /** The text of a symbol (-1: the whole) with what is cut out of it. */
  function cutAround(start: number, end: number, owner: number, inner: readonly Node[]): void {
    let from = start;
    for (const node of inner) {
      cutGap(from, node.start, owner);
      cutNode(node, owner);
      from = node.end;
    }
    cutGap(from, end, owner);
  }

  function cutNode({ symbol, start, end, inner }: Node, around: number): void {
    if (end - start <= (functions.has(symbols[symbol]!.kind) ? FUNCTION_BYTES : WHOLE_BYTES))
      pieces.push({ start, end, owner: symbol, around, isWhole: true });
    else cutAround(start, end, symbol, inner);
  }

  function cutGap(start: number, end: number, owner: number): void {
    for (let from = start; from < end; ) {
      const to = pieceEnd(from, end, owner < 0 ? WHOLE_BYTES : FUNCTION_BYTES);
      pieces.push({ start: from, end: to, owner, around: owner, isWhole: false });
      from = to;
    }
  }

  /** Where the piece that begins at `from` ends: behind an empty line where there is one far enough, else behind a line. */
  function pieceEnd(from: number, end: number, wholeBytes: number): number {
    if (end - from <= wholeBytes) return end;
    const most = from + PIECE_BYTES;
    let best = -1;
    let bestIndent = Number.POSITIVE_INFINITY;
    let line = lines.lineOf(from);
    let last = -1;
    for (;;) {
      const next = lines.startOf(line + 1);
      if (next > most || next >= end) break;
      last = next;
      line++;
      if (next - from < PIECE_BYTES_LEAST || !lines.isBlank(line - 1)) continue;
      const indent = lines.indentOf(line);
      if (indent > bestIndent) continue;
      best = next;
      bestIndent = indent;
    }
    if (best >= 0) return best;
    if (last - from >= PIECE_BYTES_LEAST) return last;
    const lineEnd = Math.min(end, lines.startOf(line + 1));
    if (lineEnd - from <= CHUNK_BYTES_MAX) return lineEnd;
    return last > from ? last : lines.cutWithin(from, from + CHUNK_BYTES_MAX);
  }
}

/** `comments` learns where comments begin that the facts do not name, by symbol. */
function nodesOf(symbols: readonly SymbolFact[], lines: TextLines, comments: Map<number, number>): Node[] {
  const top: Node[] = [];
  const around: Node[] = [];
  let before: Node | null = null;
  symbols.forEach((fact, symbol) => {
    if (!isOwn(fact)) return;
    const hasDoc = fact.docStart >= 0 && fact.docStart < fact.start;
    const first = hasDoc ? fact.docStart : fact.start;
    const line = lines.lineOf(first);
    const start = lines.startOf(hasDoc ? line : commentAbove(lines, line));
    if (!hasDoc && start < lines.startOf(line)) comments.set(symbol, start);
    const end = lines.startOf(lines.lineOf(Math.max(first, fact.end - 1)) + 1);
    while (around.length > 0 && around.at(-1)!.end < end) around.pop();
    const outer = around.at(-1) ?? null;
    // Several on one line, or a text that is cut in another order than it is written in: the first one has it.
    if (outer !== null && start < outer.start) return;
    if (before !== null && start < before.end && before !== outer && !around.includes(before)) return;
    const siblings = outer?.inner ?? top;
    if (siblings.length > 0 && start < siblings.at(-1)!.end) return;
    if (outer !== null && outer.start === start && outer.end === end) return;
    const node: Node = { symbol, start, end, inner: [] };
    siblings.push(node);
    around.push(node);
    before = node;
  });
  return top;
}

function isOwn({ kind, startLine, endLine }: SymbolFact): boolean {
  if (functions.has(kind) || containers.has(kind)) return true;
  return kind !== 'package' && endLine - startLine + 1 >= OWN_LINES;
}

/** Keys and fields come in such numbers that the first says nothing of the rest. */
function isNaming({ kind }: SymbolFact): boolean {
  return functions.has(kind) || containers.has(kind) || kind === 'constant' || kind === 'variable';
}

function chunksOf(
  pieces: readonly Piece[],
  symbols: readonly SymbolFact[],
  { lines, comments }: { lines: TextLines; comments: ReadonlyMap<number, number> },
): CutText {
  const chunks: Chunk[] = [];
  const defined: string[][] = [];
  const parts = new Map<number, number>();
  let next = 0;
  for (const { start, end, owner } of pieces) {
    const within: number[] = [];
    while (next < symbols.length && symbols[next]!.start < end) {
      if (symbols[next]!.start >= start) within.push(next);
      next++;
    }
    const symbol = owner >= 0 ? owner : (within.find((other) => isNaming(symbols[other]!)) ?? -1);
    const part = owner < 0 ? 0 : (parts.get(owner) ?? 0);
    if (owner >= 0) parts.set(owner, part + 1);
    const fact = symbols[symbol];
    const [docStart, docEnd] =
      fact === undefined || part > 0 ? [-1, -1] : docOf(fact, comments.get(symbol) ?? -1);
    const hasDoc = docStart >= start && docEnd <= end;
    const hasSignature = fact !== undefined && fact.signatureEnd > fact.signatureStart;
    chunks.push({
      start,
      end,
      startLine: lines.lineOf(start),
      endLine: lines.lineOf(end - 1),
      name: fact?.name ?? '',
      kind: fact?.kind ?? null,
      parents: fact === undefined ? '' : parentsOf(fact, symbols),
      symbol,
      signatureStart: hasSignature ? fact.signatureStart : -1,
      signatureEnd: hasSignature ? fact.signatureEnd : -1,
      docStart: hasDoc ? docStart : -1,
      docEnd: hasDoc ? docEnd : -1,
      part,
    });
    defined.push(within.filter((other) => other !== symbol).map((other) => symbols[other]!.name));
  }
  return { chunks, defined };
}

/** The comment that the facts name, or that was found to begin above the symbol. */
function docOf({ docStart, docEnd, start }: SymbolFact, comment: number): readonly [number, number] {
  if (docStart >= 0) return [docStart, docEnd];
  return comment >= 0 && comment < start ? [comment, start] : [-1, -1];
}

function parentsOf({ parent }: SymbolFact, symbols: readonly SymbolFact[]): string {
  const names: string[] = [];
  for (let at = parent; at >= 0; at = symbols[at]!.parent) names.unshift(symbols[at]!.name);
  return names.join('.');
}
