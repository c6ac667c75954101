import type { DefinitionList } from '../facts/postings.ts';
import type { TextPattern } from '../queries/types.ts';
import { indexIn } from '../segments/ascending.ts';
import { isName } from './definition-look.ts';
import type { ContentTest } from './search-plan.ts';
import type { SearchedFacts } from './searched-facts.ts';
import { lessOfKind, WHOLE_SYMBOL } from './symbol-weight.ts';

/** What is less than this is data or prose: looked at first only where no code defines the name. */
const CODE = WHOLE_SYMBOL - 1000;

interface SegmentDefiners {
  /** Ascending. */
  blobs: Uint32Array;
  /** The best score of each. */
  scores: Uint16Array;
}

/** The texts that define the very names that are searched: nothing else that a search for a name finds is better. */
export class Definers {
  readonly #ranks: readonly (Uint32Array | null)[];
  readonly #facts: SearchedFacts;
  /** By content test: null where it is no name. */
  readonly #names: readonly (TextPattern | null)[];
  readonly #mayHold: (test: number, segment: number) => boolean;
  readonly #known: (SegmentDefiners | null)[][];

  /** `mayHold`: false where no text of a segment has what a test looks for. */
  constructor(
    ranks: readonly (Uint32Array | null)[],
    facts: SearchedFacts,
    contents: readonly ContentTest[],
    mayHold: (test: number, segment: number) => boolean,
  ) {
    this.#ranks = ranks;
    this.#facts = facts;
    this.#mayHold = mayHold;
    this.#names = contents.map(({ of, pattern }) => {
      return of === 'text' && pattern.literal && isName(Buffer.from(pattern.source)) ? pattern : null;
    });
    this.#known = contents.map(() => []);
  }

  /** How good a text is by what it defines, on the scale of documents' scores; 0 where it does not define what the test looks for. */
  score(test: number, segment: number, blob: number): number {
    if (segment < 0 || this.#names[test] === null) return 0;
    const definers = this.#of(test, segment);
    if (definers === null) return 0;
    const place = indexIn(definers.blobs, blob);
    return place < 0 ? 0 : definers.scores[place]!;
  }

  /** The best ranks of those that are wanted: of code first, then the others, each ascending. */
  ranks(limit: number, isWanted: (rank: number) => boolean): number[] {
    const code: number[] = [];
    const rest: number[] = [];
    for (const [test, name] of this.#names.entries()) {
      if (name === null) continue;
      for (const [segment, ranks] of this.#ranks.entries()) {
        const definers = ranks === null ? null : this.#of(test, segment);
        definers?.blobs.forEach((blob, i) => {
          (definers.scores[i]! >= CODE ? code : rest).push(ranks![blob]!);
        });
      }
    }
    const best = firstOf(code, limit, isWanted);
    if (best.length === limit) return best;
    return [...new Set([...best, ...firstOf(rest, limit, isWanted)])].slice(0, limit);
  }

  #of(test: number, segment: number): SegmentDefiners | null {
    const known = this.#known[test]!;
    if (known[segment] === undefined) {
      known[segment] = this.#mayHold(test, segment) ? this.#find(this.#names[test]!, segment) : null;
    }
    return known[segment];
  }

  #find({ source, ignoreCase }: TextPattern, segment: number): SegmentDefiners | null {
    const ranks = this.#ranks[segment] ?? null;
    if (ranks === null) return null;
    const { reader } = this.#facts;
    return this.#facts.read(segment, null, (open) => {
      if (!ignoreCase) return definersOf([reader.definitionsOf(open, source)], ranks);
      return definersOf(reader.definitionsInAnyCase(open, source), ranks);
    });
  }
}

function definersOf(lists: readonly DefinitionList[], ranks: Uint32Array): SegmentDefiners | null {
  const scores = new Map<number, number>();
  for (const { blobs, kinds } of lists) {
    blobs.forEach((blob, i) => {
      if (ranks[blob] === 0) return;
      const score = WHOLE_SYMBOL - lessOfKind[kinds[i]!]!;
      if (score > (scores.get(blob) ?? 0)) scores.set(blob, score);
    });
  }
  if (scores.size === 0) return null;
  const blobs = Uint32Array.from(scores.keys()).sort();
  return { blobs, scores: Uint16Array.from(blobs, (blob) => scores.get(blob)!) };
}

function firstOf(ranks: number[], limit: number, isWanted: (rank: number) => boolean): number[] {
  const first: number[] = [];
  for (const rank of Uint32Array.from(ranks).sort()) {
    if (first.length === limit) break;
    if (rank !== first.at(-1) && isWanted(rank)) first.push(rank);
  }
  return first;
}
