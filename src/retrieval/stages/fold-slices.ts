import type { Chunk } from '../../search/index.ts';

/** What a place of an answer is told apart by: a text and the symbol within it. */
export interface Slice {
  blobId: number;
  /** Its number within the text. */
  part: number;
  /** All chunks of the text, in its order. */
  chunks: readonly Pick<Chunk, 'symbol' | 'name'>[];
}

/**
 * Which symbol a chunk is a slice of; one large function would else take most places of an answer. Pieces without a name that follow
 * each other are one region.
 */
export function symbolKey({ blobId, part, chunks }: Slice): string {
  const { symbol } = chunks[part]!;
  if (symbol >= 0) return `${blobId} ${symbol}`;
  let first = part;
  while (first > 0 && isNameless(chunks[first - 1]!)) first--;
  return `${blobId} from ${first}`;
}

function isNameless({ symbol }: Pick<Chunk, 'symbol'>): boolean {
  return symbol < 0;
}

/** One place: the best slice of a symbol, its further slices, and what says nearly the same elsewhere. */
export interface FoldedPlace<T> {
  best: T;
  slices: readonly T[];
  similar: readonly T[];
}

/** Takes groups of near-duplicates of one symbol together; each stands where the first of them stood. */
export function foldSlices<T>(
  groups: readonly (readonly T[])[],
  keyOf: (member: T) => string,
): FoldedPlace<T>[] {
  const folded = new Map<string, T[]>();
  for (const group of groups) {
    const key = keyOf(group[0]!);
    const known = folded.get(key);
    if (known) known.push(...group);
    else folded.set(key, [...group]);
  }
  return [...folded].map(([key, [best, ...others]]) => {
    const seen = new Set([key]);
    const slices: T[] = [];
    // A copy of a large symbol is one place, too, whichever of its slices were found.
    const similar: T[] = [];
    for (const other of others) {
      const its = keyOf(other);
      if (its === key) slices.push(other);
      else if (!seen.has(its)) similar.push(other);
      seen.add(its);
    }
    return { best: best!, slices, similar };
  });
}
