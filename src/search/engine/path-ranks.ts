import type { Manifest } from '../manifests/manifest.ts';
import type { PathMatcher } from './path-matcher.ts';
import { NO_RANK, type View } from './view.ts';

/** Rows asked of a manifest, each time more: few askers want them all. */
const ROWS_ASKED_FOR = [16, 256, Number.POSITIVE_INFINITY];

/** The ranks of documents whose path has a pattern, in order, found as far as they are asked for. */
export class PathRanks {
  readonly #view: View;
  readonly #manifests: readonly Manifest[];
  readonly #searched: Uint8Array;
  readonly #matcher: PathMatcher;
  #run = -1;
  /** Rows of the run that are known to match; from `#nextRow` on they were not asked for yet. */
  #rows: readonly number[] = [];
  #nextRow = 0;
  /** Where to go on within the run, as a row, and its end. */
  #row = 0;
  #rowEnd = 0;
  /** Rows of a manifest that may match: all of them from some row on that was reached. */
  readonly #narrowed = new Map<Manifest, readonly number[]>();
  /** How often rows of this run were asked for. */
  #looks = 0;
  #head = NO_RANK;
  /** All that were found so far, and how many of them were told. */
  readonly #found: number[] = [];
  #told = 0;

  /** `searched`: by manifest, not 0 for those that count. */
  constructor(view: View, manifests: readonly Manifest[], searched: Uint8Array, matcher: PathMatcher) {
    this.#view = view;
    this.#manifests = manifests;
    this.#searched = searched;
    this.#matcher = matcher;
  }

  /** The next rank if it is better than `limit`, else NO_RANK. It stays the next until `advance`. */
  peek(limit: number): number {
    if (this.#head === NO_RANK) this.#head = this.#next(limit);
    return this.#head < limit ? this.#head : NO_RANK;
  }

  advance(): void {
    this.#head = NO_RANK;
    this.#told++;
  }

  /** Begins anew, without looking again for what was found. */
  rewind(): void {
    this.#head = NO_RANK;
    this.#told = 0;
  }

  #next(limit: number): number {
    if (this.#told < this.#found.length) return this.#found[this.#told]!;
    const rank = this.#find(limit);
    if (rank !== NO_RANK) this.#found.push(rank);
    return rank;
  }

  /** The next rank that matches; NO_RANK when there is none below `limit`. */
  #find(limit: number): number {
    for (;;) {
      if (this.#run >= 0) {
        const rank = this.#findInRun(limit);
        if (rank !== NO_RANK) return rank;
        if (this.#row < this.#rowEnd) return NO_RANK;
      }
      if (!this.#startRun(limit)) return NO_RANK;
    }
  }

  /** Goes to the next run that counts and starts before `limit`. */
  #startRun(limit: number): boolean {
    const { runStarts, runManifests, runRows } = this.#view;
    const run = this.#run + 1;
    if (run >= runManifests.length || runStarts[run]! >= limit) return false;
    this.#run = run;
    this.#rows = [];
    this.#nextRow = 0;
    this.#looks = 0;
    this.#row = runRows[run]!;
    this.#rowEnd = this.#row + runStarts[run + 1]! - runStarts[run]!;
    const manifest = runManifests[run]!;
    const isSearched = this.#searched[manifest] !== 0;
    if (!isSearched || !this.#matcher.mayMatch(this.#manifests[manifest]!)) this.#row = this.#rowEnd;
    return true;
  }

  #findInRun(limit: number): number {
    const { runStarts, runManifests, runRows } = this.#view;
    const manifest = this.#manifests[runManifests[this.#run]!]!;
    const toRank = runStarts[this.#run]! - runRows[this.#run]!;
    const isNarrowed = this.#matcher.literals !== null;
    for (;;) {
      while (this.#nextRow < this.#rows.length) {
        const row = this.#rows[this.#nextRow++]!;
        if (row >= this.#rowEnd) {
          this.#row = this.#rowEnd;
          break;
        }
        if (!isNarrowed) return row + toRank;
        this.#row = row + 1;
        if (this.#matcher.test(manifest, row)) return row + toRank;
      }
      if (this.#row >= this.#rowEnd || (!isNarrowed && this.#row + toRank >= limit)) return NO_RANK;
      if (isNarrowed) this.#findCandidates(manifest);
      else this.#findMatching(manifest);
    }
  }

  /** Of the rows that may match those that lie next: a few at first, since few askers want them all, then all of the manifest. */
  #findCandidates(manifest: Manifest): void {
    const known = this.#narrowed.get(manifest);
    const limit = ROWS_ASKED_FOR[Math.min(this.#looks++, ROWS_ASKED_FOR.length - 1)]!;
    const rows = known ?? this.#matcher.candidates(manifest, limit, this.#row);
    if (known === undefined && rows.length < limit) this.#narrowed.set(manifest, rows);
    this.#rows = rows;
    this.#nextRow = firstNotBelow(rows, this.#row);
    if (this.#nextRow === rows.length) this.#row = this.#rowEnd;
  }

  /** Of a stretch of rows those that match. */
  #findMatching(manifest: Manifest): void {
    const { rows, next } = this.#matcher.matchingRows(manifest, this.#row, this.#rowEnd);
    this.#rows = rows;
    this.#nextRow = 0;
    this.#row = next;
  }
}

function firstNotBelow(numbers: readonly number[], number: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
