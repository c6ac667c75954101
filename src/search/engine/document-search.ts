import { CandidateRanks } from './candidate-ranks.ts';
import { isDeclarationFile } from './declaration-file.ts';
import { Definers } from './definers.ts';
import { DocumentReading, type DocumentReadingOptions } from './document-reading.ts';
import { documentScore } from './document-score.ts';
import { FAILS, FITS, reasonsOf } from './document-truth.ts';
import { hasLanguage } from './manifest-languages.ts';
import type { PathMatcher } from './path-matcher.ts';
import { PathRanks } from './path-ranks.ts';
import { type QueryRest, restOf } from './query-rest.ts';
import { RankQueue } from './rank-queue.ts';
import type { RevisionRankings } from './revision-rankings.ts';
import { TimeOver } from './search-deadline.ts';
import { decided, type PlanNode, positiveTests, type SearchPlan } from './search-plan.ts';
import { SearchedPlaces } from './searched-places.ts';
import type { DecidedPlan } from './searched-revisions.ts';
import type { SegmentLists } from './searched-segment.ts';
import { NO_RANK, RankCursor, segmentsBySlot, type View } from './view.ts';

/** Documents that define the name that is looked for, and such whose path has a term: looked at before all others. */
const DEFINERS_FIRST = 30;
const PATHS_FIRST = 30;
/** So many files end a search when so many of them are as good as any that could follow. */
const FILES_ENOUGH = 30;
const STRONG_ENOUGH = 24;
const FILES_MOST = 120;
/** What declares a name comes behind what defines it, however many lines name it there. */
const LESS_FOR_DECLARATION = 150;
/** Answers are held in memory whole. */
const FILES_HELD_MAX = 200_000;
/** Copies beside a document that is found by its path. */
const COPIES_LOOKED_AT_MAX = 256;

export interface DocumentSearchOptions extends DocumentReadingOptions {
  view: View;
  rankings: RevisionRankings;
  /** Where blobs lie, as in a view's places. */
  table: Uint32Array;
  plan: SearchPlan;
  decided: DecidedPlan;
  paths: readonly PathMatcher[];
  /** Files wanted at least, where there are so many. */
  filesWanted: number;
}

export interface FoundDocument {
  rank: number;
  manifest: number;
  row: number;
  /** Number of the segment, -1 for a document without a text. */
  segment: number;
  blob: number;
  /** Found by its text: all places of that text that fit are this one file. */
  byContent: boolean;
  /** It defines what is looked for. */
  bySymbol: boolean;
  score: number;
  /** As good as one with a whole word. */
  isStrong: boolean;
  lines: number;
  linesExact: boolean;
  /** The tests that make it fit. */
  contents: readonly number[];
  paths: readonly number[];
}

/** Looks at documents in the order of their ranks, and finds those that fit. */
export class DocumentSearch {
  readonly found: FoundDocument[] = [];
  stopped: null | 'enough' | 'budget' | 'limit' = null;
  /** The rank to go on at. */
  nextRank = 1;
  readonly #options: DocumentSearchOptions;
  readonly #reading: DocumentReading;
  readonly #definers: Definers;
  readonly #cursor: RankCursor;
  readonly #segmentOfSlot: Int32Array;
  readonly #rests: readonly QueryRest[];
  readonly #places: SearchedPlaces;
  #candidates: CandidateRanks | null = null;
  readonly #listed: PlanNode;
  readonly #eitherTests: readonly number[];
  readonly #streams: PathRanks[] = [];
  /** By path test: whether the stream of its documents stands at the one that is looked at. */
  readonly #atHead: Int8Array;
  #streamed = false;
  readonly #foundTexts = new Set<number>();
  readonly #skipped = new Set<number>();
  readonly #deferred = new RankQueue();
  #strong = 0;
  #from = 1;

  constructor(options: DocumentSearchOptions) {
    this.#options = options;
    const { plan, decided: decidedPlan, view } = options;
    this.#cursor = new RankCursor(view);
    this.#reading = new DocumentReading(options, this.#cursor, (test) => this.#path(test));
    this.#definers = new Definers(view.rankOfBlob, options.facts, plan.contents, (test, segment) =>
      this.#reading.mayHold(test, segment),
    );
    this.#segmentOfSlot = segmentsBySlot(options.segments);
    this.#atHead = new Int8Array(plan.paths.length);
    const either = new Set<number>();
    for (const rest of decidedPlan.rests) {
      for (const test of positiveTests(rest, 'path')) if (plan.paths[test]!.ofEither) either.add(test);
    }
    this.#eitherTests = [...either];
    // Places in other revisions are asked something else.
    const isOnly = decidedPlan.rests.length === 1;
    this.#rests = decidedPlan.rests.map((node) =>
      restOf(node, { streamed: either, paths: options.paths, isOnly }),
    );
    const searched = Uint8Array.from(decidedPlan.restOf, (rest, manifest) =>
      rest >= 0 && this.#mayPass(this.#rests[rest]!.filters, manifest) ? 1 : 0,
    );
    const { restOf: restOfManifest } = decidedPlan;
    const passes = ({ cheapFilters }: QueryRest) => this.#reading.passes(cheapFilters);
    this.#places = new SearchedPlaces({
      view,
      cursor: this.#cursor,
      searched,
      restOf: restOfManifest,
      rests: this.#rests,
      passes,
    });
    for (const test of either)
      this.#streams[test] = new PathRanks(view, options.manifests, searched, options.paths[test]!);
    const all: PlanNode = { kind: 'any', of: decidedPlan.rests };
    this.#listed = decided(all, (test) => (test.kind === 'path' && either.has(test.test) ? false : null));
  }

  /** Looks at documents from rank `from` on, below `to` where that is not 0. */
  run(from: number, to: number): void {
    this.#from = Math.max(1, from);
    this.nextRank = this.#from;
    this.#whileThereIsTime(() => {
      this.#lookAtDefinersFirst();
      this.#lookAtPathsFirst();
    });
    if (from > 1) {
      // They were handed out with the first wave.
      this.found.length = 0;
      this.#strong = 0;
    }
    if (this.stopped === null) this.#whileThereIsTime(() => this.#sweep(to === 0 ? NO_RANK : to));
  }

  #whileThereIsTime(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof TimeOver)) throw error;
      this.stopped = 'budget';
    }
  }

  /** Broken segments, in words. */
  get problems(): readonly string[] {
    return [...this.#reading.problems, ...this.#options.facts.problems];
  }

  get candidates(): number {
    return this.#candidates?.count ?? 0;
  }

  get documentsOpened(): number {
    return this.#reading.documentsOpened;
  }

  get textBytesScanned(): number {
    return this.#reading.textBytesScanned;
  }

  /** The lists of a segment, or null when it cannot be read. */
  listsOf(segment: number): SegmentLists | null {
    return this.#reading.listsOf(segment);
  }

  #path(test: number): number {
    if (this.#streamed && this.#streams[test]) return this.#atHead[test]!;
    const { manifests, paths } = this.#options;
    const { manifest, row } = this.#cursor;
    return paths[test]!.test(manifests[manifest]!, row) ? FITS : FAILS;
  }

  manifestAt(rank: number): number {
    this.#cursor.seek(rank);
    return this.#cursor.manifest;
  }

  pathAt(rank: number): string {
    const cursor = this.#cursor;
    cursor.seek(rank);
    return this.#options.manifests[cursor.manifest]!.path(cursor.row);
  }

  /** The places of a found file that fit, by rank: of its text, or, where the path alone was found, of its text under that path. */
  placesOf(found: FoundDocument): number[] {
    const { view } = this.#options;
    const best = found.segment < 0 ? 0 : view.rankOfBlob[found.segment]![found.blob]!;
    if (best === 0) return [found.rank];
    const places: number[] = [];
    for (let place = best; place !== 0; place = view.nextPlace[place]!) {
      const isCopy = place === found.rank || found.byContent || this.#samePath(found.rank, place);
      if (isCopy && this.#fitsAt(found, place)) places.push(place);
    }
    return places;
  }

  #fitsAt(found: FoundDocument, rank: number): boolean {
    if (rank === found.rank) return true;
    this.#cursor.seek(rank);
    const rest = this.#rests[this.#options.decided.restOf[this.#cursor.manifest]!];
    if (!rest) return false;
    this.#streamed = false;
    if (rest.single >= 0 && found.contents[0] === rest.single) return true;
    return this.#reading.fits(rest, found.segment, found.blob, rank);
  }

  #lookAtDefinersFirst(): void {
    const isWanted = (rank: number) => this.#places.has(rank);
    for (const best of this.#definers.ranks(DEFINERS_FIRST, isWanted)) this.#lookAtPlaces(best);
  }

  /** Looks at the places of a text until one of them fits. */
  #lookAtPlaces(best: number): void {
    const { nextPlace } = this.#options.view;
    const found = this.found.length;
    let looked = 0;
    for (let place = best; place !== 0; place = nextPlace[place]!) {
      if (looked++ === COPIES_LOOKED_AT_MAX) {
        this.#deferred.add(place);
        return;
      }
      this.#lookAt(place, false);
      if (this.stopped !== null) return;
      this.#skipped.add(place);
      if (this.found.length > found) return;
    }
  }

  #lookAtPathsFirst(): void {
    const { paths } = this.#options;
    if (this.#eitherTests.length === 0 || this.#eitherTests.some((test) => paths[test]!.literals === null))
      return;
    const streams = this.#eitherTests.map((test) => this.#streams[test]!);
    for (let looked = 0; looked < PATHS_FIRST && this.stopped === null; looked++) {
      let rank = NO_RANK;
      for (const stream of streams) rank = Math.min(rank, stream.peek(rank));
      if (rank === NO_RANK) return;
      for (const stream of streams) if (stream.peek(NO_RANK) === rank) stream.advance();
      if (this.#skipped.has(rank)) continue;
      this.#lookAt(rank, false);
      this.#skipped.add(rank);
    }
  }

  #sweep(end: number): void {
    const candidates = new CandidateRanks({
      ...this.#options,
      listed: this.#listed,
      places: this.#places,
      reading: this.#reading,
      from: this.#from,
    });
    this.#candidates = candidates;
    const { merge, documents } = candidates;
    this.#streamed = true;
    for (const test of this.#eitherTests) this.#streams[test]!.rewind();
    // Those that were looked at first may be enough: but a wave that gets nowhere would come again and again.
    for (let hasAdvanced = false; ; ) {
      if (hasAdvanced && this.#isEnough()) return;
      let rank = Math.min(end, this.#deferred.peek());
      if (merge) rank = Math.min(rank, merge.peek(rank));
      for (const test of this.#eitherTests) rank = Math.min(rank, this.#streams[test]!.peek(rank));
      if (documents) rank = Math.min(rank, documents.peek(rank));
      if (rank >= end) break;
      let fromContent = false;
      if (merge && merge.peek(rank + 1) === rank) {
        merge.advance();
        fromContent = true;
      }
      while (this.#deferred.peek() === rank) {
        this.#deferred.take();
        fromContent = true;
      }
      for (const test of this.#eitherTests) {
        const stream = this.#streams[test]!;
        const isHead = stream.peek(rank + 1) === rank;
        this.#atHead[test] = isHead ? FITS : FAILS;
        if (isHead) stream.advance();
      }
      if (documents?.peek(rank + 1) === rank) documents.advance();
      if (rank < this.#from) continue;
      if (this.#skipped.has(rank)) {
        // It may be here by its path alone: then another place of its text is a file of its own.
        if (fromContent) this.#defer(this.#options.view.nextPlace[rank]!);
        continue;
      }
      this.#lookAt(rank, fromContent);
      if (this.stopped !== null) return;
      this.nextRank = rank + 1;
      hasAdvanced = true;
    }
  }

  #isEnough(): boolean {
    const { exact, filesWanted } = this.#options;
    const files = this.found.length;
    if (files >= FILES_HELD_MAX) this.stopped = 'limit';
    else if (!exact) {
      const isStrong = files >= Math.max(FILES_ENOUGH, filesWanted) && this.#strong >= STRONG_ENOUGH;
      if (isStrong || files >= Math.max(FILES_MOST, filesWanted)) this.stopped = 'enough';
    }
    return this.stopped !== null;
  }

  #lookAt(rank: number, fromContent: boolean): void {
    if (this.#reading.runsOutOfTime(1)) {
      this.stopped = 'budget';
      return;
    }
    const { view, table, manifests, decided: decidedPlan } = this.#options;
    const cursor = this.#cursor;
    cursor.seek(rank);
    const { manifest, row } = cursor;
    const rest = this.#rests[decidedPlan.restOf[manifest]!];
    if (!rest) return;
    const at = 2 * manifests[manifest]!.blobIds[row]!;
    const segment = this.#segmentOfSlot[table[at]!] ?? -1;
    const blob = table[at + 1]!;
    const bestRank = segment < 0 ? 0 : view.rankOfBlob[segment]![blob]!;
    const hasCopies = bestRank !== 0 && view.nextPlace[bestRank] !== 0;
    if (hasCopies) {
      if (this.#foundTexts.has(bestRank)) return;
      if (bestRank < this.#from && this.#wasFoundBefore(bestRank, rank)) return;
      cursor.seek(rank);
    }
    const fits = this.#reading.fits(rest, segment, blob, rank);
    if (this.#reading.isTimeOver) {
      this.stopped = 'budget';
      return;
    }
    if (!fits) {
      if (hasCopies && fromContent && rest.dependsOnPlace) this.#defer(view.nextPlace[rank]!);
      return;
    }
    const found = this.#asFound(rest, rank, segment, blob);
    if (found.byContent) this.#foundTexts.add(bestRank);
    else if (hasCopies) this.#skipCopies(found);
    this.found.push(found);
    if (found.isStrong) this.#strong++;
  }

  #defer(rank: number): void {
    if (rank !== 0) this.#deferred.add(rank);
  }

  /** Whether an earlier wave has handed the document out, at a better place of its text. */
  #wasFoundBefore(bestRank: number, rank: number): boolean {
    const { view, table, manifests, decided: decidedPlan } = this.#options;
    const cursor = this.#cursor;
    const streamed = this.#streamed;
    this.#streamed = false;
    let was = false;
    for (let place = bestRank; place !== 0 && place < this.#from && !was; place = view.nextPlace[place]!) {
      cursor.seek(place);
      const rest = this.#rests[decidedPlan.restOf[cursor.manifest]!];
      if (!rest) continue;
      const at = 2 * manifests[cursor.manifest]!.blobIds[cursor.row]!;
      const segment = this.#segmentOfSlot[table[at]!] ?? -1;
      if (!this.#reading.fits(rest, segment, table[at + 1]!, place)) continue;
      was = this.#asFound(rest, place, segment, table[at + 1]!).byContent || this.#samePath(place, rank);
    }
    this.#streamed = streamed;
    return was;
  }

  /** False: surely no document of a manifest does. */
  #mayPass(filters: readonly PlanNode[], manifest: number): boolean {
    const { manifests, paths } = this.#options;
    return filters.every((filter) => {
      if (filter.kind === 'path') return paths[filter.test]!.mayMatch(manifests[manifest]!);
      return filter.kind !== 'language' || hasLanguage(manifests[manifest]!, filter.language);
    });
  }

  #asFound(rest: QueryRest, rank: number, segment: number, blob: number): FoundDocument {
    const { manifest, row } = this.#cursor;
    let contents: readonly number[] = rest.positive;
    let paths: readonly number[] = NO_TESTS;
    if (rest.single < 0) {
      const reasons = { contents: new Set<number>(), paths: new Set<number>() };
      reasonsOf(rest.node, this.#reading, reasons);
      contents = [...reasons.contents];
      paths = [...reasons.paths].filter((test) => this.#options.plan.paths[test]!.ofEither);
    }
    const { manifests, paths: matchers, plan } = this.#options;
    const lines = this.#reading.linesOfAll(contents);
    let symbol = 0;
    let bySymbol = false;
    for (const test of contents) {
      symbol = Math.max(symbol, this.#definers.score(test, segment, blob));
      bySymbol ||= plan.contents[test]!.of === 'symbol';
    }
    if (symbol > 0 && isDeclarationFile(manifests[manifest]!, row)) symbol -= LESS_FOR_DECLARATION;
    const place = { manifest: manifests[manifest]!, row, matchers };
    const { score, isStrong } = documentScore({ contents, paths, lines, symbol }, this.#reading, place);
    return {
      rank,
      manifest,
      row,
      segment,
      blob,
      byContent: contents.length > 0,
      bySymbol: bySymbol || symbol > 0,
      score,
      isStrong,
      lines,
      linesExact: this.#reading.linesExact,
      contents,
      paths,
    };
  }

  /** Copies under the same path, in other revisions, are the same file. */
  #skipCopies({ rank }: FoundDocument): void {
    const { nextPlace } = this.#options.view;
    let looked = 0;
    for (
      let place = nextPlace[rank]!;
      place !== 0 && looked < COPIES_LOOKED_AT_MAX;
      place = nextPlace[place]!
    ) {
      looked++;
      if (this.#samePath(rank, place)) this.#skipped.add(place);
    }
  }

  #samePath(rank: number, other: number): boolean {
    return this.pathAt(rank) === this.pathAt(other);
  }
}

const NO_TESTS: readonly number[] = [];
