import { type CodePointSet, contains, REPLACEMENT } from './code-point-set.ts';

/**
 * Before bytes are matched, every byte that is no UTF-8 is replaced by this one, which UTF-8 never uses: offsets stay true,
 * and whatever matches U+FFFD matches it too.
 */
export const BAD_BYTE = 0xff;

/** What an edge of an automaton leads to when the code point is complete. */
export const DONE = -1;

/** A transition on the bytes from `low` to `high`, both included. */
export interface ByteEdge {
  low: number;
  high: number;
  to: number;
}

/** The UTF-8 encodings of a set as an acyclic automaton with shared suffixes: a node is its edges, every edge leads to a lower node or to DONE. */
export interface Utf8Automaton {
  nodes: ByteEdge[][];
  root: number;
}

const automata = new WeakMap<CodePointSet, Utf8Automaton>();

export function utf8Automaton(set: CodePointSet): Utf8Automaton {
  let automaton = automata.get(set);
  if (!automaton) {
    automaton = build(set);
    automata.set(set, automaton);
  }
  return automaton;
}

function build(set: CodePointSet): Utf8Automaton {
  const nodes: ByteEdge[][] = [];
  const known = new Map<string, number>();
  const intern = (edges: ByteEdge[]): number => {
    const key = edges.map(({ low, high, to }) => `${low},${high},${to}`).join(';');
    let node = known.get(key);
    if (node === undefined) {
      node = nodes.push(edges) - 1;
      known.set(key, node);
    }
    return node;
  };
  const edgesAfter = (sequences: ByteRangeSequence[], depth: number): ByteEdge[] => {
    const edges: ByteEdge[] = [];
    for (const group of groupedBy(sequences, depth)) {
      const [low, high] = group[0]![depth]!;
      const to = group[0]!.length === depth + 1 ? DONE : intern(edgesAfter(group, depth + 1));
      const last = edges.at(-1);
      if (last && last.high + 1 === low && last.to === to) last.high = high;
      else edges.push({ low, high, to });
    }
    return edges;
  };
  const rootEdges = edgesAfter(byteRanges(set), 0);
  if (contains(set, REPLACEMENT)) rootEdges.push({ low: BAD_BYTE, high: BAD_BYTE, to: DONE });
  return { root: intern(rootEdges), nodes };
}

/** For each byte of an encoding the range that it may lie in. */
type ByteRangeSequence = [low: number, high: number][];

function* groupedBy(sequences: ByteRangeSequence[], depth: number): Generator<ByteRangeSequence[]> {
  for (let from = 0; from < sequences.length; ) {
    const [low, high] = sequences[from]![depth]!;
    let to = from + 1;
    while (to < sequences.length && sequences[to]![depth]![0] === low && sequences[to]![depth]![1] === high)
      to++;
    yield sequences.slice(from, to);
    from = to;
  }
}

const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;
const LAST_OF_LENGTH = [0x7f, 0x7ff, 0xffff];

/** Cuts the set into pieces whose encodings are one range for each byte (the method of Russ Cox's RE2, "UTF-8 ranges"). */
function byteRanges(set: CodePointSet): ByteRangeSequence[] {
  const sequences: ByteRangeSequence[] = [];
  const add = (low: number, high: number): void => {
    if (low > high) return;
    if (low <= LAST_SURROGATE && high >= FIRST_SURROGATE) {
      add(low, FIRST_SURROGATE - 1);
      add(LAST_SURROGATE + 1, high);
      return;
    }
    const cut = cutPoint(low, high);
    if (cut !== undefined) {
      add(low, cut);
      add(cut + 1, high);
      return;
    }
    const last = encode(high);
    sequences.push(encode(low).map((byte, index) => [byte, last[index]!]));
  };
  for (let i = 0; i < set.length; i += 2) add(set[i]!, set[i + 1]!);
  return sequences;
}

/** Where a range must be cut in two, since its encodings differ in length or a later byte does not run over its full range. */
function cutPoint(low: number, high: number): number | undefined {
  const byLength = LAST_OF_LENGTH.find((last) => low <= last && high > last);
  if (byLength !== undefined) return byLength;
  for (let tail = 1; tail < encode(high).length; tail++) {
    const mask = (1 << (6 * tail)) - 1;
    if ((low & ~mask) === (high & ~mask)) continue;
    if ((low & mask) !== 0) return low | mask;
    if ((high & mask) !== mask) return (high & ~mask) - 1;
  }
  return undefined;
}

function encode(codePoint: number): number[] {
  const tail = (shift: number) => 0x80 | ((codePoint >> shift) & 0x3f);
  if (codePoint < 0x80) return [codePoint];
  if (codePoint < 0x800) return [0xc0 | (codePoint >> 6), tail(0)];
  if (codePoint < 0x10000) return [0xe0 | (codePoint >> 12), tail(6), tail(0)];
  return [0xf0 | (codePoint >> 18), tail(12), tail(6), tail(0)];
}
