import { PeriscopeError } from '../../base/errors.ts';
import type { Manifest } from '../manifests/manifest.ts';
import type { SegmentReader } from '../segments/segment-reader.ts';
import { type ContentMatcher, WHOLE_WORD } from './content-matcher.ts';
import { type DocumentTests, FAILS, FITS, reasonsOf, truthOf, UNKNOWN } from './document-truth.ts';
import { hasLanguage } from './manifest-languages.ts';
import { nearScore } from './near-score.ts';
import type { PathMatcher } from './path-matcher.ts';
import { PathRanks } from './path-ranks.ts';
import { pathScore } from './path-score.ts';
import { type RankedCandidates, RankMerge } from './rank-merge.ts';
import { RankQueue } from './rank-queue.ts';
import { type SearchDeadline, TimeOver } from './search-deadline.ts';
import {
  conjuncts,
  contains,
  decided,
  type PlanNode,
  positiveTests,
  type SearchPlan,
} from './search-plan.ts';
import type { DecidedPlan } from './searched-revisions.ts';
import { type SearchedSegment, SegmentLists } from './searched-segment.ts';
import { NO_RANK, RankCursor, segmentsBySlot, type View } from './view.ts';

/** Documents whose path has a term, looked at before all others. */
const PATHS_FIRST = 40;
/** So many files end a search when so many of them are as good as any that could follow. */
const FILES_ENOUGH = 50;
const STRONG_ENOUGH = 30;
const FILES_MOST = 150;
/** A document's later blocks are left when so many of its lines are known and one is a whole word. */
const LINES_ENOUGH = 5;
/** Answers are held in memory whole. */
const FILES_HELD_MAX = 200_000;
/** Copies beside a document that is found by its path. */
const COPIES_LOOKED_AT_MAX = 256;
const BLOCKS_BETWEEN_CHECKS = 16;
const CLASS_SCORE = 300;
const LINE_SCORE = 5;
const LINES_SCORED_MAX = 20;
/** From here on a document is as good as one with a whole word. */
const STRONG_PATH = 5500;

export interface DocumentSearchOptions {
  view: View;
  manifests: readonly Manifest[];
  segments: readonly SearchedSegment[];
  /** Where blobs lie, as in a view's places. */
  table: Uint32Array;
  plan: SearchPlan;
  decided: DecidedPlan;
  matchers: readonly ContentMatcher[];
  paths: readonly PathMatcher[];
  reader: SegmentReader;
  /** See roomForLines. */
  blockLines: Uint32Array;
  deadline: SearchDeadline;
  /** Look at all documents, and at all of each. */
  exact: boolean;
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
  score: number;
  lines: number;
  linesExact: boolean;
  /** The tests that make it fit. */
  contents: readonly number[];
  paths: readonly number[];
}

/** What is left of the query for documents of some revisions. */
interface Rest {
  node: PlanNode;
  /** Parts that must hold and ask for no text: looked at first. */
  filters: readonly PlanNode[];
  /** Those of them that cost so little that every candidate is asked. */
  cheapFilters: readonly PlanNode[];
  contents: readonly number[];
  /** Those that do not stand under a `not`: their lines are shown. */
  positive: readonly number[];
  /** Places of one text may fit differently, by what no stream of paths tells. */
  dependsOnPlace: boolean;
  /** The whole is one content test. */
  single: number;
}

/** Looks at documents in the order of their ranks, and finds those that fit. */
export class DocumentSearch implements DocumentTests {
  readonly content: Int8Array;
  readonly found: FoundDocument[] = [];
  readonly problems = new Set<string>();
  stopped: null | 'enough' | 'budget' | 'limit' = null;
  /** The rank to go on at. */
  nextRank = 1;
  candidates = 0;
  documentsOpened = 0;
  textBytesScanned = 0;
  readonly #options: DocumentSearchOptions;
  readonly #cursor: RankCursor;
  readonly #segmentOfSlot: Int32Array;
  readonly #rests: readonly Rest[];
  readonly #searched: Uint8Array;
  readonly #lists: (SegmentLists | undefined)[] = [];
  readonly #broken = new Set<number>();
  readonly #listed: PlanNode;
  readonly #eitherTests: readonly number[];
  readonly #streams: PathRanks[] = [];
  /** By path test: whether the stream of its documents stands at the one that is looked at. */
  readonly #atHead: Int8Array;
  #streamed = false;
  readonly #foundTexts = new Set<number>();
  readonly #skipped = new Set<number>();
  readonly #deferred = new RankQueue();
  readonly #froms: Uint32Array;
  readonly #tos: Uint32Array;
  readonly #lines: Float64Array;
  readonly #bests: Int32Array;
  readonly #offsets: number[][];
  #linesExact = true;
  #openedRank = 0;
  #untilCheck = BLOCKS_BETWEEN_CHECKS;
  #strong = 0;
  #from = 1;

  constructor(options: DocumentSearchOptions) {
    this.#options = options;
    const { plan, decided: decidedPlan, view } = options;
    this.#cursor = new RankCursor(view);
    this.#segmentOfSlot = segmentsBySlot(options.segments);
    const contents = plan.contents.length;
    this.content = new Int8Array(contents);
    this.#froms = new Uint32Array(contents);
    this.#tos = new Uint32Array(contents);
    this.#lines = new Float64Array(contents);
    this.#bests = new Int32Array(contents);
    this.#offsets = plan.contents.map(() => []);
    this.#atHead = new Int8Array(plan.paths.length);
    const either = new Set<number>();
    for (const rest of decidedPlan.rests) {
      for (const test of positiveTests(rest, 'path')) if (plan.paths[test]!.ofEither) either.add(test);
    }
    this.#eitherTests = [...either];
    this.#rests = decidedPlan.rests.map((node) => restOf(node, either, options.paths));
    this.#searched = Uint8Array.from(decidedPlan.restOf, (rest, manifest) =>
      rest >= 0 && this.#mayPass(this.#rests[rest]!.filters, manifest) ? 1 : 0,
    );
    for (const test of either) this.#streams[test] = this.#pathRanks(test);
    const all: PlanNode = { kind: 'any', of: decidedPlan.rests };
    this.#listed = decided(all, (test) => (test.kind === 'path' && either.has(test.test) ? false : null));
  }

  /** Looks at documents from rank `from` on, below `to` where that is not 0. */
  run(from: number, to: number): void {
    this.#from = Math.max(1, from);
    this.nextRank = this.#from;
    this.#whileThereIsTime(() => this.#lookAtPathsFirst());
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

  /** The lists of a segment, or null when it cannot be read. */
  listsOf(segment: number): SegmentLists | null {
    if (segment < 0 || this.#broken.has(segment)) return null;
    let lists = this.#lists[segment];
    if (!lists) {
      const { segments, matchers, reader } = this.#options;
      lists = new SegmentLists(segments[segment]!, matchers, reader);
      this.#lists[segment] = lists;
    }
    return lists;
  }

  path(test: number): number {
    if (this.#streamed && this.#streams[test]) return this.#atHead[test]!;
    const { manifests, paths } = this.#options;
    const { manifest, row } = this.#cursor;
    return paths[test]!.test(manifests[manifest]!, row) ? FITS : FAILS;
  }

  language(language: number): number {
    const { manifest, row } = this.#cursor;
    return this.#options.manifests[manifest]!.languages[row] === language ? FITS : FAILS;
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
    return this.#fits(rest, found.segment, found.blob, rank);
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
      this.#lookAt(rank, false);
      this.#skipped.add(rank);
    }
  }

  #sweep(end: number): void {
    const merge = this.#openMerge();
    const documents = this.#documentRanks();
    this.#streamed = true;
    for (const test of this.#eitherTests) this.#streams[test]!.rewind();
    for (;;) {
      if (this.#isEnough()) return;
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
      if (rank < this.#from || this.#skipped.has(rank)) continue;
      this.#lookAt(rank, fromContent);
      if (this.stopped !== null) return;
      this.nextRank = rank + 1;
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

  /** Documents whose text may fit, where the query cannot be fulfilled without a text. */
  #openMerge(): RankMerge | null {
    const { view, segments, manifests } = this.#options;
    const needed = contains(this.#listed, ({ kind }) => kind === 'content');
    if (!needed || this.#readsEveryDocument) return null;
    const merge = new RankMerge((number) => this.#rankedCandidates(number));
    const isSearched = (segment: number) => {
      const row = segment * manifests.length;
      return this.#searched.some((searched, manifest) => searched !== 0 && view.holds[row + manifest] !== 0);
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
  #rankedCandidates(number: number): RankedCandidates {
    const { segments, view } = this.#options;
    const isWhole = number >= segments.length;
    const segment = isWhole ? number - segments.length : number;
    const { cut, file } = segments[segment]!;
    const ranks = view.rankOfBlob[segment]!;
    try {
      const blobs = this.listsOf(segment)?.candidates(this.#listed, isWhole) ?? null;
      if (this.#broken.has(segment)) return { ranks: NONE, count: 0 };
      const candidates = blobs ? blobs.length : file.blobs;
      const ranked = new Uint32Array(candidates);
      let count = 0;
      for (let i = 0; i < candidates; i++) {
        const blob = blobs ? blobs[i]! : i;
        let rank = ranks[blob]!;
        if (rank === 0 || (cut !== null && (cut[blob] === 1) !== isWhole)) continue;
        rank = this.#searchedPlace(rank);
        if (rank !== 0) ranked[count++] = rank;
      }
      this.candidates += count;
      return { ranks: ranked, count };
    } catch (error) {
      this.#leaveOut(segment, error);
      return { ranks: NONE, count: 0 };
    }
  }

  /** The first of a text's places, from `rank` on, whose revision is searched and that this wave may hold; 0 for none. */
  #searchedPlace(rank: number): number {
    const cursor = this.#cursor;
    const { nextPlace } = this.#options.view;
    const { restOf } = this.#options.decided;
    for (let place = rank; place !== 0; place = nextPlace[place]!) {
      cursor.seek(place);
      const rest = restOf[cursor.manifest]!;
      if (this.#searched[cursor.manifest] === 0 || !this.#passes(this.#rests[rest]!.cheapFilters)) continue;
      if (place >= this.#from) return place;
      // Every place of the text fits or fails alike: this one was looked at in an earlier wave.
      if (!this.#rests[rest]!.dependsOnPlace) return 0;
    }
    return 0;
  }

  /** Documents may fit whatever their text: all of them are looked at, or those that a path leads to. */
  #documentRanks(): PathRanks | AllRanks | null {
    const rest = this.#withoutText;
    if (rest.kind === 'never') return null;
    const test = this.#readsEveryDocument ? undefined : conjuncts(rest).find(({ kind }) => kind === 'path');
    return test?.kind === 'path' ? this.#pathRanks(test.test) : new AllRanks(this.#from, this.#options.view);
  }

  /** What fits a document in which no pattern is found. */
  get #withoutText(): PlanNode {
    return decided(this.#listed, (test) => (test.kind === 'content' ? false : null));
  }

  get #readsEveryDocument(): boolean {
    const rest = this.#withoutText;
    return rest.kind !== 'never' && !conjuncts(rest).some(({ kind }) => kind === 'path');
  }

  #pathRanks(test: number): PathRanks {
    const { view, manifests, paths } = this.#options;
    return new PathRanks(view, manifests, this.#searched, paths[test]!);
  }

  #lookAt(rank: number, fromContent: boolean): void {
    if (--this.#untilCheck <= 0 && this.#isTimeOver()) return;
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
    const fits = this.#fits(rest, segment, blob, rank);
    if (this.stopped !== null) return;
    if (!fits) {
      if (hasCopies && fromContent && rest.dependsOnPlace) this.#defer(view.nextPlace[rank]!);
      return;
    }
    const found = this.#asFound(rest, rank, segment, blob);
    if (found.byContent) this.#foundTexts.add(bestRank);
    else if (hasCopies) this.#skipCopies(found);
    this.found.push(found);
    if (this.#isStrong(found)) this.#strong++;
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
      if (!this.#fits(rest, segment, table[at + 1]!, place)) continue;
      was = this.#asFound(rest, place, segment, table[at + 1]!).byContent || this.#samePath(place, rank);
    }
    this.#streamed = streamed;
    return was;
  }

  /** Whether the document at the cursor fits; reads as much of its text as that takes, and then what its lines are. */
  #fits(rest: Rest, segment: number, blob: number, rank: number): boolean {
    if (!this.#passes(rest.filters)) return false;
    const lists = this.listsOf(segment);
    const { content } = this;
    try {
      for (const test of rest.contents) {
        this.#lines[test] = 0;
        this.#bests[test] = 0;
        content[test] = lists === null ? UNKNOWN : this.#outlook(lists, test, blob);
      }
      this.#linesExact = true;
      let truth = truthOf(rest.node, this);
      while (truth === UNKNOWN && lists !== null) {
        const test = this.#cheapest(rest.contents);
        if (test < 0) return false;
        this.#read(lists, test, blob, rank);
        if (this.stopped !== null) return false;
        truth = truthOf(rest.node, this);
      }
      if (truth !== FITS) return false;
      if (rest.single >= 0 || lists === null) return true;
      // Other parts of the tree may be reasons as well: their lines are shown, too.
      for (const test of rest.contents) {
        if (content[test] === UNKNOWN) this.#read(lists, test, blob, rank);
        if (this.stopped !== null) return false;
      }
      return true;
    } catch (error) {
      this.#leaveOut(segment, error);
      return false;
    }
  }

  /** Whether the document at the cursor does. */
  #passes(filters: readonly PlanNode[]): boolean {
    for (let i = 0; i < filters.length; i++) if (truthOf(filters[i]!, this) !== FITS) return false;
    return true;
  }

  /** False: surely no document of a manifest does. */
  #mayPass(filters: readonly PlanNode[], manifest: number): boolean {
    const { manifests, paths } = this.#options;
    return filters.every((filter) => {
      if (filter.kind === 'path') return paths[filter.test]!.mayMatch(manifests[manifest]!);
      return filter.kind !== 'language' || hasLanguage(manifests[manifest]!, filter.language);
    });
  }

  /** UNKNOWN where the text has to be read, and where. */
  #outlook(lists: SegmentLists, test: number, blob: number): number {
    if (this.#needsWhole(lists, test, blob)) {
      this.#froms[test] = 0;
      this.#tos[test] = Number.MAX_SAFE_INTEGER;
      return lists.holdsWhole(test, blob) ? UNKNOWN : FAILS;
    }
    lists.seek(test, blob);
    this.#froms[test] = lists.from;
    this.#tos[test] = lists.to;
    return lists.from < lists.to ? UNKNOWN : FAILS;
  }

  #needsWhole(lists: SegmentLists, test: number, blob: number): boolean {
    return this.#options.matchers[test]!.needsWholeText || lists.segment.cut?.[blob] === 1;
  }

  /** Of the contents that are not known the one with the fewest blocks to read. */
  #cheapest(contents: readonly number[]): number {
    let cheapest = -1;
    let blocks = Number.POSITIVE_INFINITY;
    for (const test of contents) {
      const count = this.#tos[test]! - this.#froms[test]!;
      if (this.content[test] !== UNKNOWN || count >= blocks) continue;
      cheapest = test;
      blocks = count;
    }
    return cheapest;
  }

  /** Reads what decides a content test. */
  #read(lists: SegmentLists, test: number, blob: number, rank: number): void {
    if (this.#openedRank !== rank) {
      this.#openedRank = rank;
      this.documentsOpened++;
    }
    const matcher = this.#options.matchers[test]!;
    matcher.judgeAnew();
    const offsets = this.#offsets[test]!;
    offsets.length = 0;
    if (this.#needsWhole(lists, test, blob)) this.#readWhole(lists, matcher, test, blob);
    else this.#readBlocks(lists, matcher, test, blob);
    this.content[test] = this.#lines[test]! > 0 ? FITS : FAILS;
    this.#bests[test] = matcher.best;
  }

  #readWhole({ segment: { file } }: SegmentLists, matcher: ContentMatcher, test: number, blob: number): void {
    const { reader, deadline } = this.#options;
    const text = reader.blobText(file, blob);
    this.textBytesScanned += text.length;
    const lines = matcher.linesOfText(text, Number.POSITIVE_INFINITY, deadline);
    if (lines === null) {
      this.stopped = 'budget';
      return;
    }
    this.#lines[test] = lines.length;
    if (this.#offsets.length > 1) for (const { start } of lines) this.#offsets[test]!.push(start);
  }

  #readBlocks(lists: SegmentLists, matcher: ContentMatcher, test: number, blob: number): void {
    const { reader, exact, plan } = this.#options;
    const { file } = lists.segment;
    const { blobFirstBlocks, blockLengths, blockStarts } = file.tables;
    const firstBlock = blobFirstBlocks[blob]!;
    const lastBlock = blobFirstBlocks[blob + 1]! - 1;
    const blocks = lists.blocks(test);
    const to = this.#tos[test]!;
    const into = this.#options.blockLines;
    const keepsOffsets = plan.contents.length > 1;
    let lines = 0;
    for (let i = this.#froms[test]!; i < to; i++) {
      this.#untilCheck -= matcher.isSlow ? BLOCKS_BETWEEN_CHECKS : 1;
      if (this.#untilCheck <= 0 && this.#isTimeOver()) return;
      const block = blocks === null ? i : blocks[i]!;
      const length = blockLengths[block]!;
      const at = blocks === null ? reader.text(file, block) : reader.text(file, block, blocks, i + 1);
      const ends = ENDS[(block === firstBlock ? 1 : 0) + (block === lastBlock ? 2 : 0)]!;
      const count = matcher.linesOf(at, length, ends, Number.POSITIVE_INFINITY, into);
      this.textBytesScanned += length;
      if (count === 0) continue;
      lines += count;
      this.#lines[test] = lines;
      if (keepsOffsets) {
        const start = blockStarts[block]!;
        for (let line = 0; line < count; line++) this.#offsets[test]!.push(start + into[line]!);
      }
      if (exact || i + 1 === to || lines < LINES_ENOUGH || matcher.best < WHOLE_WORD) continue;
      this.#linesExact = false;
      return;
    }
  }

  #isTimeOver(): boolean {
    this.#untilCheck = BLOCKS_BETWEEN_CHECKS;
    if (!this.#options.deadline.expired()) return false;
    this.stopped = 'budget';
    return true;
  }

  #asFound(rest: Rest, rank: number, segment: number, blob: number): FoundDocument {
    const { manifest, row } = this.#cursor;
    let contents: readonly number[] = rest.positive;
    let paths: readonly number[] = NO_TESTS;
    if (rest.single < 0) {
      const reasons = { contents: new Set<number>(), paths: new Set<number>() };
      reasonsOf(rest.node, this, reasons);
      contents = [...reasons.contents];
      paths = [...reasons.paths].filter((test) => this.#options.plan.paths[test]!.ofEither);
    }
    const lines = contents.length === 1 ? this.#lines[contents[0]!]! : this.#linesOfAll(contents);
    return {
      rank,
      manifest,
      row,
      segment,
      blob,
      byContent: contents.length > 0,
      score: this.#scoreOf(contents, paths, lines),
      lines,
      linesExact: this.#linesExact,
      contents,
      paths,
    };
  }

  /** Lines that any of the contents matches. */
  #linesOfAll(contents: readonly number[]): number {
    if (contents.length === 0) return 0;
    const lines = new Set<number>();
    for (const test of contents) for (const offset of this.#offsets[test]!) lines.add(offset);
    return lines.size;
  }

  #scoreOf(contents: readonly number[], paths: readonly number[], lines: number): number {
    const { manifests, paths: matchers } = this.#options;
    const { manifest, row } = this.#cursor;
    let score = LINE_SCORE * Math.min(lines, LINES_SCORED_MAX);
    let best = 0;
    for (const test of contents) best = Math.max(best, this.#bests[test]!);
    score += best;
    if (contents.length > 1) score += nearScore(contents.map((test) => this.#offsets[test]!));
    let path = 0;
    for (const test of paths)
      path = Math.max(path, pathScore(manifests[manifest]!.path(row), matchers[test]!));
    return score + path - CLASS_SCORE * manifests[manifest]!.classOf(row);
  }

  #isStrong({ contents, paths, manifest, row }: FoundDocument): boolean {
    if (contents.some((test) => this.#bests[test]! >= WHOLE_WORD)) return true;
    if (contents.length === 0 && paths.length === 0) return true;
    const { manifests, paths: matchers } = this.#options;
    const path = paths.length === 0 ? '' : manifests[manifest]!.path(row);
    return paths.some((test) => pathScore(path, matchers[test]!) >= STRONG_PATH);
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

  /** A damaged segment is left out, the rest still answers. */
  #leaveOut(segment: number, error: unknown): void {
    if (!(error instanceof PeriscopeError) || error.kind !== 'unavailable') throw error;
    this.#broken.add(segment);
    this.problems.add(`${error.message} ${error.next}`);
  }
}

const NONE = new Uint32Array(0);
const NO_TESTS: readonly number[] = [];
const ENDS = [
  { isFirst: false, isLast: false },
  { isFirst: true, isLast: false },
  { isFirst: false, isLast: true },
  { isFirst: true, isLast: true },
] as const;

function restOf(node: PlanNode, streamed: ReadonlySet<number>, paths: readonly PathMatcher[]): Rest {
  const contents = new Set<number>();
  let dependsOnPlace = false;
  contains(node, (test) => {
    if (test.kind === 'content') contents.add(test.test);
    dependsOnPlace ||= test.kind === 'language' || (test.kind === 'path' && !streamed.has(test.test));
    return false;
  });
  const filters = conjuncts(node).filter((part) => !contains(part, ({ kind }) => kind === 'content'));
  return {
    node,
    filters,
    cheapFilters: filters.filter(
      (part) => part.kind === 'language' || (part.kind === 'path' && paths[part.test]!.isCheap),
    ),
    contents: [...contents],
    positive: [...positiveTests(node, 'content')],
    dependsOnPlace,
    single: node.kind === 'content' ? node.test : -1,
  };
}

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
