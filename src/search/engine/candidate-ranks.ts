import type { Manifest } from '../manifests/manifest.ts';
import type { DocumentReading } from './document-reading.ts';
import type { PathMatcher } from './path-matcher.ts';
import { PathRanks } from './path-ranks.ts';
import { type RankedCandidates, RankMerge } from './rank-merge.ts';
import type { RevisionRankings } from './revision-rankings.ts';
import { conjuncts, contains, decided, type PlanNode } from './search-plan.ts';
import type { SearchedPlaces } from './searched-places.ts';
import type { SearchedSegment } from './searched-segment.ts';
import { NO_RANK, type View } from './view.ts';

export interface CandidateRanksOptions {
  view: View;
  rankings: RevisionRankings;
  segments: readonly SearchedSegment[];
  manifests: readonly Manifest[];
  paths: readonly PathMatcher[];
  /** What a document must fulfil, but for paths whose documents come by themselves. */
  listed: PlanNode;
  places: SearchedPlaces;
  reading: DocumentReading;
  /** No rank before it is wanted. */
  from: number;
}

/** The documents that may fit, by rank: those whose texts may, and those that may whatever their texts are. */
export class CandidateRanks {
  /** Null where no text is needed, or each is. */
  readonly merge: RankMerge | null;
  /** All documents, or those that a path leads to; null where a document without a fitting text cannot fit. */
  readonly documents: PathRanks | AllRanks | null;
  /** Candidates of the segments that were opened so far. */
  count = 0;
  readonly #options: CandidateRanksOptions;

  constructor(options: CandidateRanksOptions) {
    this.#options = options;
    const { listed, view, manifests, paths, places, from } = options;
    // What fits a document in which no pattern is found.
    const rest = decided(listed, (test) => (test.kind === 'content' ? false : null));
    const path = conjuncts(rest).find(({ kind }) => kind === 'path');
    const readsEveryDocument = rest.kind !== 'never' && path === undefined;
    const needsTexts = contains(listed, ({ kind }) => kind === 'content');
    this.merge = needsTexts && !readsEveryDocument ? this.#openMerge() : null;
    if (rest.kind === 'never') this.documents = null;
    else if (path?.kind === 'path')
      this.documents = new PathRanks(view, manifests, places.searched, paths[path.test]!);
    else this.documents = new AllRanks(from, view);
  }

  #openMerge(): RankMerge {
    const { view, segments, manifests, places } = this.#options;
    const merge = new RankMerge((number) => this.#ranked(number));
    const isSearched = (segment: number) => {
      const row = segment * manifests.length;
      return places.searched.some((searched, manifest) => searched !== 0 && view.holds[row + manifest] !== 0);
    };
    segments.forEach((_, segment) => {
      const lowest = view.lowestRank[segment]!;
      if (lowest === NO_RANK || !isSearched(segment)) return;
      merge.add(segment, lowest);
      const lowestCut = view.lowestCut[segment]!;
      if (lowestCut !== NO_RANK) merge.add(segment + segments.length, lowestCut);
    });
    return merge;
  }

  /** The candidates of a segment by rank; numbers from the count of segments on stand for the cut texts of each. */
  #ranked(number: number): RankedCandidates {
    const { segments, view, rankings, listed, reading, places, from } = this.#options;
    const isWhole = number >= segments.length;
    const segment = isWhole ? number - segments.length : number;
    const { cut, file } = segments[segment]!;
    const ranks = (places.only < 0 ? view.rankOfBlob : rankings.of(places.only))[segment]!;
    try {
      const blobs = reading.listsOf(segment)?.candidates(listed, isWhole) ?? null;
      if (reading.isBroken(segment)) return { ranks: NONE, count: 0 };
      const candidates = blobs ? blobs.length : file.blobs;
      const ranked = new Uint32Array(candidates);
      let count = 0;
      for (let i = 0; i < candidates; i++) {
        const blob = blobs ? blobs[i]! : i;
        let rank = ranks[blob]!;
        if (rank === 0 || (cut !== null && (cut[blob] === 1) !== isWhole)) continue;
        rank = places.firstOf(rank, from);
        if (rank !== 0) ranked[count++] = rank;
      }
      this.count += count;
      return { ranks: ranked, count };
    } catch (error) {
      reading.leaveOut(segment, error);
      return { ranks: NONE, count: 0 };
    }
  }
}

const NONE = new Uint32Array(0);

/** Every rank from one on. */
class AllRanks {
  #head: number;
  readonly #end: number;

  constructor(from: number, { documents }: View) {
    this.#head = from;
    this.#end = documents + 1;
  }

  peek(limit: number): number {
    return this.#head < Math.min(limit, this.#end) ? this.#head : NO_RANK;
  }

  advance(): void {
    this.#head++;
  }
}
