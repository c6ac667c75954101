import { ANY_BUT_LINE_FEED, ANY_CODE_POINT, type CodePointSet, LINE_FEED } from './code-point-set.ts';
import { holds, op, type Program } from './program.ts';
import { tooLarge } from './regex-errors.ts';
import { type Assertion, matchesEmpty, type Syntax } from './syntax-tree.ts';
import { BAD_BYTE, type ByteEdge, DONE, utf8Automaton } from './utf8-automaton.ts';
import { type Word, type WordTrie, wordRuns, wordTrie } from './word-trie.ts';

export interface CompileOptions {
  /** A program that reads a match from its end to its start. */
  reversed: boolean;
  /** Matches may hold line breaks. */
  spansLines: boolean;
  /** The most instructions plus half the edges that the program may have; a larger one is refused. */
  maxStates: number;
}

/**
 * In the text that a scan reads, `\r\n` is written as `\n` and this byte, which UTF-8 never uses: so `$` holds before the `\r`,
 * and this byte just stands between the lines. Where matches may hold line breaks it is passed over, so that the two are one.
 */
export const LINE_FILLER = 0xfe;

/** Where bytes change from word characters to others. */
const WORD_BOUNDS = [0x30, 0x3a, 0x41, 0x5b, 0x5f, 0x60, 0x61, 0x7b];

const FORWARD: Record<Assertion, number> = {
  'line-start': holds.lineStart,
  'line-end': holds.lineEnd,
  'text-start': holds.textStart,
  'text-end': holds.textEnd,
  'word-edge': holds.wordEdge,
  'no-word-edge': holds.noWordEdge,
};
const REVERSED: Record<Assertion, number> = {
  ...FORWARD,
  'line-start': holds.lineEnd,
  'line-end': holds.lineStart,
  'text-start': holds.textEnd,
  'text-end': holds.textStart,
};

export function compile(syntax: Syntax, options: CompileOptions): Program {
  return new Compiler(options).compile(syntax);
}

/** Builds from the end: every part is compiled with the instruction that follows it at hand, and returns its own entry. */
class Compiler {
  readonly #reversed: boolean;
  readonly #maxStates: number;
  readonly #spansLines: boolean;
  readonly #ops: number[] = [];
  readonly #a: number[] = [];
  readonly #b: number[] = [];
  readonly #edges: ByteEdge[] = [];
  #assertions = 0;

  constructor(options: CompileOptions) {
    this.#reversed = options.reversed;
    this.#maxStates = options.maxStates;
    this.#spansLines = options.spansLines;
  }

  compile(syntax: Syntax): Program {
    const match = this.#emit(op.match);
    const start = this.#part(syntax, match);
    const search = this.#emit(op.split, start);
    this.#b[search] = this.#bytes(
      this.#setEdges(this.#spansLines ? ANY_CODE_POINT : ANY_BUT_LINE_FEED, search),
    );
    return {
      ops: Uint8Array.from(this.#ops),
      a: Int32Array.from(this.#a),
      b: Int32Array.from(this.#b),
      edgeLow: Uint8Array.from(this.#edges, (edge) => edge.low),
      edgeHigh: Uint8Array.from(this.#edges, (edge) => edge.high),
      edgeTo: Int32Array.from(this.#edges, (edge) => edge.to),
      start,
      search,
      assertions: this.#assertions,
      spansLines: this.#spansLines,
      ...byteClasses(this.#edges, this.#assertions),
    };
  }

  #part(syntax: Syntax, next: number): number {
    switch (syntax.kind) {
      case 'empty':
        return next;
      case 'set':
        return syntax.set.length > 0 ? this.#bytes(this.#setEdges(syntax.set, next)) : this.#emit(op.fail);
      case 'assertion': {
        const bit = (this.#reversed ? REVERSED : FORWARD)[syntax.assertion];
        this.#assertions |= bit;
        return this.#emit(op.assert, bit, next);
      }
      case 'sequence':
        return this.#sequence(syntax.items, next);
      case 'choice':
        return this.#choice(syntax.options, next);
      case 'repeat':
        return this.#repeat(syntax, next);
    }
  }

  #sequence(items: readonly Syntax[], next: number): number {
    let entry = next;
    if (this.#reversed) for (const item of items) entry = this.#part(item, entry);
    else for (let i = items.length - 1; i >= 0; i--) entry = this.#part(items[i]!, entry);
    return entry;
  }

  #repeat({ item, min, max, lazy }: Extract<Syntax, { kind: 'repeat' }>, next: number): number {
    let entry = next;
    let copies = min;
    if (max !== Number.POSITIVE_INFINITY) {
      // x{2,4} is xx(x(x)?)?: every option leads straight to what follows.
      for (let round = min; round < max; round++) entry = this.#split(this.#part(item, entry), next, lazy);
    } else if (min > 0) {
      entry = this.#oneOrMore(item, next, lazy).body;
      copies = min - 1;
    } else if (matchesEmpty(item)) {
      // (x+)?, since in a plain loop an empty round would lose to what follows, which RE2 does not want.
      entry = this.#split(this.#oneOrMore(item, next, lazy).body, next, lazy);
    } else {
      entry = this.#oneOrMore(item, next, lazy).loop;
    }
    for (let copy = 0; copy < copies; copy++) entry = this.#part(item, entry);
    return entry;
  }

  #oneOrMore(item: Syntax, next: number, lazy: boolean): { body: number; loop: number } {
    const loop = this.#emit(op.split);
    const body = this.#part(item, loop);
    this.#a[loop] = lazy ? next : body;
    this.#b[loop] = lazy ? body : next;
    return { body, loop };
  }

  #split(body: number, next: number, lazy: boolean): number {
    return lazy ? this.#emit(op.split, next, body) : this.#emit(op.split, body, next);
  }

  #choice(options: readonly Syntax[], next: number): number {
    const entries = wordRuns(options).map((run) =>
      Array.isArray(run) ? this.#words(run, next) : this.#part(run as Syntax, next),
    );
    return this.#inOrder(entries);
  }

  #words(words: readonly Word[], next: number): number {
    return this.#trie(wordTrie(this.#reversed ? words.map((word) => [...word].reverse()) : words), next);
  }

  #trie(trie: WordTrie, next: number): number {
    const entries = trie.parts.map((part) => {
      if (part === 'end') return next;
      const edges: ByteEdge[] = [];
      for (const { set, rest } of part.values()) edges.push(...this.#setEdges(set, this.#trie(rest, next)));
      return this.#bytes(edges);
    });
    return this.#inOrder(entries);
  }

  #inOrder(entries: readonly number[]): number {
    let entry = entries.at(-1)!;
    for (let i = entries.length - 2; i >= 0; i--) entry = this.#emit(op.split, entries[i]!, entry);
    return entry;
  }

  /** The edges that leave the entry of a set which goes on at `next`; what lies between is emitted. */
  #setEdges(set: CodePointSet, next: number): ByteEdge[] {
    const { nodes, root } = utf8Automaton(set);
    return this.#reversed ? this.#reversedEdges(nodes, root, next) : this.#forwardEdges(nodes, root, next);
  }

  #forwardEdges(nodes: readonly ByteEdge[][], root: number, next: number): ByteEdge[] {
    const entries: number[] = [];
    const relinked = (edges: readonly ByteEdge[]) =>
      edges.map(({ low, high, to }) => ({ low, high, to: to === DONE ? next : entries[to]! }));
    for (const [node, edges] of nodes.entries())
      if (node !== root) entries[node] = this.#bytes(relinked(edges));
    return relinked(nodes[root]!);
  }

  #reversedEdges(nodes: readonly ByteEdge[][], root: number, next: number): ByteEdge[] {
    const into: ByteEdge[][] = nodes.map(() => []);
    const intoDone: ByteEdge[] = [];
    for (const [from, edges] of nodes.entries()) {
      for (const { low, high, to } of edges)
        (to === DONE ? intoDone : into[to]!).push({ low, high, to: from });
    }
    const entries: number[] = [];
    entries[root] = next;
    const relinked = (edges: readonly ByteEdge[]) =>
      edges.map(({ low, high, to }) => ({ low, high, to: entries[to]! }));
    // Edges lead to lower nodes, so from the highest down every source is known.
    for (let node = nodes.length - 1; node >= 0; node--) {
      if (node !== root) entries[node] = this.#bytes(relinked(into[node]!));
    }
    return relinked(intoDone);
  }

  #bytes(edges: readonly ByteEdge[]): number {
    const from = this.#edges.length;
    for (const edge of edges) this.#edges.push(edge);
    return this.#emit(op.bytes, from, this.#edges.length);
  }

  #emit(kind: number, a = 0, b = 0): number {
    if (this.#ops.length + this.#edges.length / 2 > this.#maxStates) {
      throw tooLarge(`it needs more than ${this.#maxStates} states`);
    }
    this.#ops.push(kind);
    this.#a.push(a);
    this.#b.push(b);
    return this.#ops.length - 1;
  }
}

function byteClasses(edges: readonly ByteEdge[], assertions: number): Pick<Program, 'classOf' | 'byteOf'> {
  const begins = new Uint8Array(257);
  for (const { low, high } of edges) {
    begins[low] = 1;
    begins[high + 1] = 1;
  }
  for (const byte of [LINE_FEED, LINE_FEED + 1, LINE_FILLER, BAD_BYTE]) begins[byte] = 1;
  if (assertions & (holds.wordEdge | holds.noWordEdge)) for (const byte of WORD_BOUNDS) begins[byte] = 1;
  const classOf = new Uint8Array(256);
  const byteOf = [0];
  for (let byte = 1; byte < 256; byte++) {
    if (begins[byte]) byteOf.push(byte);
    classOf[byte] = byteOf.length - 1;
  }
  return { classOf, byteOf: Uint8Array.from(byteOf) };
}
