import { PeriscopeError } from '../../base/errors.ts';
import type { Manifest } from '../manifests/manifest.ts';
import type { SegmentReader } from '../segments/segment-reader.ts';
import { type ContentMatcher, WHOLE_WORD } from './content-matcher.ts';
import { type DocumentTests, FAILS, FITS, truthOf, UNKNOWN } from './document-truth.ts';
import { lineStartOf } from './line-start.ts';
import type { QueryRest } from './query-rest.ts';
import type { SearchDeadline } from './search-deadline.ts';
import type { PlanNode } from './search-plan.ts';
import type { SearchedFacts } from './searched-facts.ts';
import { type SearchedSegment, SegmentLists } from './searched-segment.ts';
import { SymbolMatcher } from './symbol-matcher.ts';
import type { RankCursor, View } from './view.ts';

/** A document's later blocks are left when so many of its lines are known and one is a whole word. */
const LINES_ENOUGH = 5;
const BLOCKS_BETWEEN_CHECKS = 16;

export interface DocumentReadingOptions {
  view: View;
  manifests: readonly Manifest[];
  segments: readonly SearchedSegment[];
  matchers: readonly (ContentMatcher | SymbolMatcher)[];
  facts: SearchedFacts;
  reader: SegmentReader;
  /** See roomForLines. */
  blockLines: Uint32Array;
  deadline: SearchDeadline;
  /** Look at all of each document. */
  exact: boolean;
}

/** Reads one document after another, as far as it takes to know whether it fits. */
export class DocumentReading implements DocumentTests {
  /** Of the document read last, by content test: its truth, matching lines, best hit, where its lines start. */
  readonly content: Int8Array;
  readonly lines: Float64Array;
  readonly bests: Int32Array;
  readonly offsets: readonly number[][];
  linesExact = true;
  /** Broken segments, in words. */
  readonly problems = new Set<string>();
  isTimeOver = false;
  documentsOpened = 0;
  textBytesScanned = 0;
  readonly path: (test: number) => number;
  readonly #options: DocumentReadingOptions;
  readonly #cursor: RankCursor;
  readonly #lists: (SegmentLists | undefined)[] = [];
  readonly #broken = new Set<number>();
  readonly #froms: Uint32Array;
  readonly #tos: Uint32Array;
  #openedRank = 0;
  #untilCheck = BLOCKS_BETWEEN_CHECKS;

  /** `cursor` stands at the document that is asked about, and `path` answers for it. */
  constructor(options: DocumentReadingOptions, cursor: RankCursor, path: (test: number) => number) {
    this.#options = options;
    this.#cursor = cursor;
    this.path = path;
    const contents = options.matchers.length;
    this.content = new Int8Array(contents);
    this.lines = new Float64Array(contents);
    this.bests = new Int32Array(contents);
    this.offsets = options.matchers.map(() => []);
    this.#froms = new Uint32Array(contents);
    this.#tos = new Uint32Array(contents);
  }

  /** The lists of a segment, or null when it cannot be read. */
  listsOf(segment: number): SegmentLists | null {
    if (segment < 0 || this.#broken.has(segment)) return null;
    let lists = this.#lists[segment];
    if (!lists) {
      lists = new SegmentLists(segment, this.#options);
      this.#lists[segment] = lists;
    }
    return lists;
  }

  /** False: no text of the segment has what a content test looks for. */
  mayHold(test: number, segment: number): boolean {
    const lists = this.listsOf(segment);
    if (lists === null || lists.segment.cut !== null || this.#options.matchers[test]!.needsWholeText)
      return true;
    try {
      return lists.blocks(test)?.length !== 0;
    } catch (error) {
      this.leaveOut(segment, error);
      return false;
    }
  }

  isBroken(segment: number): boolean {
    return this.#broken.has(segment);
  }

  /** A damaged segment is left out, the rest still answers. */
  leaveOut(segment: number, error: unknown): void {
    if (!(error instanceof PeriscopeError) || error.kind !== 'unavailable') throw error;
    this.#broken.add(segment);
    this.problems.add(`${error.message} ${error.next}`);
  }

  language(language: number): number {
    const { manifest, row } = this.#cursor;
    return this.#options.manifests[manifest]!.languages[row] === language ? FITS : FAILS;
  }

  passes(filters: readonly PlanNode[]): boolean {
    for (let i = 0; i < filters.length; i++) if (truthOf(filters[i]!, this) !== FITS) return false;
    return true;
  }

  /** Whether the document at the cursor fits; reads as much of its text as that takes, and then what its lines are. */
  fits(rest: QueryRest, segment: number, blob: number, rank: number): boolean {
    if (!this.passes(rest.filters)) return false;
    const lists = this.listsOf(segment);
    const { content } = this;
    try {
      for (const test of rest.contents) {
        this.lines[test] = 0;
        this.bests[test] = 0;
        content[test] = lists === null ? UNKNOWN : this.#outlook(lists, test, blob);
      }
      this.linesExact = true;
      let truth = truthOf(rest.node, this);
      while (truth === UNKNOWN && lists !== null) {
        const test = this.#cheapest(rest.contents);
        if (test < 0) return false;
        this.#read(lists, test, blob, rank);
        if (this.isTimeOver) return false;
        truth = truthOf(rest.node, this);
      }
      if (truth !== FITS) return false;
      if (rest.single >= 0 || lists === null) return true;
      // Other parts of the tree may be reasons as well: their lines are shown, too.
      for (const test of rest.contents) {
        if (content[test] === UNKNOWN) this.#read(lists, test, blob, rank);
        if (this.isTimeOver) return false;
      }
      return true;
    } catch (error) {
      this.leaveOut(segment, error);
      return false;
    }
  }

  /** Lines that any of the contents matches. */
  linesOfAll(contents: readonly number[]): number {
    if (contents.length === 0) return 0;
    if (contents.length === 1) return this.lines[contents[0]!]!;
    const lines = new Set<number>();
    for (const test of contents) for (const offset of this.offsets[test]!) lines.add(offset);
    return lines.size;
  }

  /** Looks at the clock now and then: `work` is in blocks. */
  runsOutOfTime(work: number): boolean {
    this.#untilCheck -= work;
    if (this.#untilCheck > 0) return false;
    this.#untilCheck = BLOCKS_BETWEEN_CHECKS;
    this.isTimeOver = this.#options.deadline.expired();
    return this.isTimeOver;
  }

  /** UNKNOWN where the text has to be read, and where. */
  #outlook(lists: SegmentLists, test: number, blob: number): number {
    if (this.#options.matchers[test] instanceof SymbolMatcher) {
      this.#froms[test] = 0;
      this.#tos[test] = 0;
      return lists.hasSymbol(test, blob) ? UNKNOWN : FAILS;
    }
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
    const offsets = this.offsets[test]!;
    offsets.length = 0;
    if (matcher instanceof SymbolMatcher) {
      this.#readSymbols(lists, matcher, test, blob);
      return;
    }
    matcher.judgeAnew({ guesses: !this.#options.facts.knows(lists.number, blob) });
    if (this.#needsWhole(lists, test, blob)) this.#readWhole(lists, matcher, test, blob);
    else this.#readBlocks(lists, matcher, test, blob);
    this.content[test] = this.lines[test]! > 0 ? FITS : FAILS;
    this.bests[test] = matcher.best;
  }

  #readSymbols(lists: SegmentLists, matcher: SymbolMatcher, test: number, blob: number): void {
    const { reader, facts } = this.#options;
    const lines = new Set<number>();
    let best = 0;
    for (const symbol of matcher.definitions(facts, lists.number, blob)) {
      best = Math.max(best, matcher.scoreOf(symbol));
      if (lines.has(symbol.nameLine)) continue;
      lines.add(symbol.nameLine);
      if (this.offsets.length > 1) {
        this.offsets[test]!.push(lineStartOf(reader, lists.segment, blob, symbol.nameStart));
      }
    }
    this.lines[test] = lines.size;
    this.content[test] = lines.size > 0 ? FITS : FAILS;
    this.bests[test] = best;
  }

  #readWhole({ segment: { file } }: SegmentLists, matcher: ContentMatcher, test: number, blob: number): void {
    const { reader, deadline } = this.#options;
    const text = reader.blobText(file, blob);
    this.textBytesScanned += text.length;
    const lines = matcher.linesOfText(text, Number.POSITIVE_INFINITY, deadline);
    if (lines === null) {
      this.isTimeOver = true;
      return;
    }
    this.lines[test] = lines.length;
    if (this.offsets.length > 1) for (const { start } of lines) this.offsets[test]!.push(start);
  }

  #readBlocks(lists: SegmentLists, matcher: ContentMatcher, test: number, blob: number): void {
    const { reader, exact, blockLines: into } = this.#options;
    const { file } = lists.segment;
    const { blobFirstBlocks, blockLengths, blockStarts } = file.tables;
    const firstBlock = blobFirstBlocks[blob]!;
    const lastBlock = blobFirstBlocks[blob + 1]! - 1;
    const blocks = lists.blocks(test);
    const to = this.#tos[test]!;
    const keepsOffsets = this.offsets.length > 1;
    let lines = 0;
    for (let i = this.#froms[test]!; i < to; i++) {
      if (this.runsOutOfTime(matcher.isSlow ? BLOCKS_BETWEEN_CHECKS : 1)) return;
      const block = blocks === null ? i : blocks[i]!;
      const length = blockLengths[block]!;
      const at = blocks === null ? reader.text(file, block) : reader.text(file, block, blocks, i + 1);
      const ends = ENDS[(block === firstBlock ? 1 : 0) + (block === lastBlock ? 2 : 0)]!;
      const count = matcher.linesOf(at, length, ends, Number.POSITIVE_INFINITY, into);
      this.textBytesScanned += length;
      if (count === 0) continue;
      lines += count;
      this.lines[test] = lines;
      if (keepsOffsets) {
        const start = blockStarts[block]!;
        for (let line = 0; line < count; line++) this.offsets[test]!.push(start + into[line]!);
      }
      if (exact || i + 1 === to || lines < LINES_ENOUGH || matcher.best < WHOLE_WORD) continue;
      this.linesExact = false;
      return;
    }
  }
}

const ENDS = [
  { isFirst: false, isLast: false },
  { isFirst: true, isLast: false },
  { isFirst: false, isLast: true },
  { isFirst: true, isLast: true },
] as const;
