import type { ByteRange } from '../regex/line-matcher.ts';
import type { SegmentReader } from '../segments/segment-reader.ts';
import type { ContentMatcher } from './content-matcher.ts';
import { lineStartIn, lineStartOf } from './line-start.ts';
import type { SearchDeadline } from './search-deadline.ts';
import type { SearchedFacts } from './searched-facts.ts';
import type { SegmentLists } from './searched-segment.ts';
import { shownLine } from './shown-line.ts';
import { SymbolMatcher } from './symbol-matcher.ts';
import type { FoundLine } from './types.ts';

export interface LineLimits {
  linesPerFileMax: number;
  contextLines: number;
  lineBytesMax: number;
}

export interface DocumentLines {
  /** The best first. */
  blocks: FoundLine[][];
  /** Matching lines as far as they were looked at. */
  lines: number;
  /** These are all. */
  isAll: boolean;
}

/** Of several terms so many more lines than are shown are looked at, to choose those with most of them from. */
const CHOICE = 3;
/** Lines that are shown of what a match goes on to cover behind the line where it begins. */
const GOES_ON_MAX = 10;

interface MatchedPlace {
  /** Of the line's start in the text. */
  offset: number;
  number: number;
  /** Its block, of the segment; -1 where the whole text was read. */
  block: number;
  contents: number[];
  /** The last line that a match covers. */
  lastLine: number;
  /** Offsets of the text: those of whole texts and of definitions. */
  ranges: ByteRange[];
  /** Tests whose ranges are not among them: the line tells. */
  unranged: number[];
}

interface MatchedDocument {
  lists: SegmentLists;
  blob: number;
  /** Where it was read whole. */
  text: Buffer | null;
  byNumber: ReadonlyMap<number, MatchedPlace>;
}

export interface FoundLinesOptions {
  reader: SegmentReader;
  matchers: readonly (ContentMatcher | SymbolMatcher)[];
  facts: SearchedFacts;
  deadline: SearchDeadline;
  /** See roomForLines. */
  blockLines: Uint32Array;
}

/** The matched lines of a document that was found, in blocks with their context. */
export class FoundLines {
  readonly #reader: SegmentReader;
  readonly #matchers: readonly (ContentMatcher | SymbolMatcher)[];
  readonly #facts: SearchedFacts;
  readonly #deadline: SearchDeadline;
  readonly #into: Uint32Array;

  constructor({ reader, matchers, facts, deadline, blockLines }: FoundLinesOptions) {
    this.#reader = reader;
    this.#facts = facts;
    this.#matchers = matchers;
    this.#deadline = deadline;
    this.#into = blockLines;
  }

  of(lists: SegmentLists, blob: number, contents: readonly number[], limits: LineLimits): DocumentLines {
    const wanted = limits.linesPerFileMax * (contents.length > 1 ? CHOICE : 1);
    const isWhole =
      lists.segment.cut?.[blob] === 1 || contents.some((test) => this.#matchers[test]!.needsWholeText);
    const text = isWhole ? this.#reader.blobText(lists.segment.file, blob) : null;
    const places = new Map<number, MatchedPlace>();
    let isAll = true;
    for (const test of contents) {
      const matcher = this.#matchers[test]!;
      let isComplete = true;
      if (matcher instanceof SymbolMatcher) this.#placesOfSymbols(lists, blob, text, test, matcher, places);
      else if (text) isComplete = this.#placesInText(text, test, matcher, wanted, places);
      else isComplete = this.#placesInBlocks(lists, blob, test, matcher, wanted, places);
      isAll &&= isComplete;
    }
    const matched = [...places.values()].sort((a, b) => a.offset - b.offset);
    const kept = keptGroups(matched, limits);
    const byNumber = new Map(matched.map((place) => [place.number, place]));
    const document = { lists, blob, text, byNumber };
    return {
      blocks: kept.map((group) => this.#shown(document, group, limits)),
      lines: matched.length,
      isAll,
    };
  }

  #placesOfSymbols(
    lists: SegmentLists,
    blob: number,
    text: Buffer | null,
    test: number,
    matcher: SymbolMatcher,
    places: Map<number, MatchedPlace>,
  ): void {
    const { segment } = lists;
    for (const { nameStart, nameEnd, nameLine } of matcher.definitions(this.#facts, lists.number, blob)) {
      const offset = text
        ? lineStartIn(text, nameStart)
        : lineStartOf(this.#reader, segment, blob, nameStart);
      const block = text ? -1 : segment.file.blockAt(blob, nameStart);
      const place = placeAt(places, { offset, number: nameLine, block });
      if (place.contents.at(-1) !== test) place.contents.push(test);
      place.ranges.push({ start: nameStart, end: nameEnd });
    }
  }

  #placesInText(
    text: Buffer,
    test: number,
    matcher: ContentMatcher,
    wanted: number,
    places: Map<number, MatchedPlace>,
  ): boolean {
    const lines = matcher.rangesOfText(text, wanted + 1, this.#deadline);
    for (const { start, number, lastLine, ranges } of lines.slice(0, wanted)) {
      const place = placeAt(places, { offset: start, number, block: -1 });
      place.contents.push(test);
      for (const range of ranges) place.ranges.push(range);
      place.lastLine = Math.max(place.lastLine, lastLine);
    }
    return lines.length <= wanted;
  }

  #placesInBlocks(
    lists: SegmentLists,
    blob: number,
    test: number,
    matcher: ContentMatcher,
    wanted: number,
    places: Map<number, MatchedPlace>,
  ): boolean {
    const reader = this.#reader;
    const { file } = lists.segment;
    const { blobFirstBlocks, blockLengths, blockLines, blockStarts } = file.tables;
    const blocks = lists.blocks(test);
    lists.seek(test, blob);
    const { from, to } = lists;
    let found = 0;
    for (let i = from; i < to; i++) {
      if (found >= wanted || this.#deadline.isStopped()) return false;
      const block = blocks === null ? i : blocks[i]!;
      const at = blocks === null ? reader.text(file, block) : reader.text(file, block, blocks, i + 1);
      const ends = {
        isFirst: block === blobFirstBlocks[blob],
        isLast: block + 1 === blobFirstBlocks[blob + 1],
      };
      const count = matcher.linesOf(at, blockLengths[block]!, ends, wanted, this.#into);
      found += count;
      let number = blockLines[block]!;
      let counted = 0;
      for (let line = 0; line < count; line++) {
        const start = this.#into[line]!;
        number += reader.countLineFeeds(at + counted, at + start);
        counted = start;
        const offset = blockStarts[block]! + start;
        const place = placeAt(places, { offset, number, block });
        place.contents.push(test);
        place.unranged.push(test);
      }
      if (count === wanted) return false;
    }
    return true;
  }

  #shown(
    { lists, blob, text, byNumber }: MatchedDocument,
    group: readonly MatchedPlace[],
    { contextLines, lineBytesMax }: LineLimits,
  ): FoundLine[] {
    const { file } = lists.segment;
    const textBytes = file.blobBytes(blob);
    const first = group[0]!;
    const window = text ? { bytes: text, start: 0 } : this.#window(lists, blob, group, contextLines);
    const { bytes } = window;
    let at = first.offset - window.start;
    let { number } = first;
    for (let back = 0; back < contextLines && at > 0; back++) {
      at = at < 2 ? 0 : bytes.lastIndexOf(LINE_FEED, at - 2) + 1;
      number--;
    }
    const last = Math.max(...group.map((place) => Math.min(place.lastLine, place.number + GOES_ON_MAX)));
    const lines: FoundLine[] = [];
    while (number <= last + contextLines && at < bytes.length) {
      const feed = bytes.indexOf(LINE_FEED, at);
      const behind = feed < 0 ? bytes.length : feed + 1;
      const end =
        feed > at && bytes[feed - 1] === CARRIAGE_RETURN ? feed - 1 : feed < 0 ? bytes.length : feed;
      const place = byNumber.get(number);
      if (place) {
        const isLast = window.start + behind === textBytes;
        const line = bytes.subarray(at, end);
        const ranges = this.#rangesOf(place, line, window.start + at, { isFirst: number === 1, isLast });
        lines.push(shownLine({ number, line, ranges, matched: true, bytesMax: lineBytesMax }));
      } else if (end - at <= lineBytesMax) {
        lines.push({ number, text: bytes.toString('utf8', at, end), ranges: [], matched: false, cut: false });
      } else {
        const line = bytes.subarray(at, end);
        lines.push(shownLine({ number, line, ranges: [], matched: false, bytesMax: lineBytesMax }));
      }
      at = behind;
      number++;
    }
    return lines;
  }

  /** Where a line matches that starts at `lineAt` of the text. */
  #rangesOf(
    { ranges: known, unranged }: MatchedPlace,
    line: Uint8Array,
    lineAt: number,
    ends: { isFirst: boolean; isLast: boolean },
  ): readonly ByteRange[] {
    const ranges = known.map(({ start, end }) => ({ start: start - lineAt, end: end - lineAt }));
    for (const test of unranged) {
      const matcher = this.#matchers[test]!;
      if (!(matcher instanceof SymbolMatcher)) ranges.push(...matcher.ranges(line, ends));
    }
    return ranges;
  }

  /** The text of the blocks that hold a group and its context. */
  #window(
    { segment: { file } }: SegmentLists,
    blob: number,
    group: readonly MatchedPlace[],
    contextLines: number,
  ): { bytes: Buffer; start: number } {
    const reader = this.#reader;
    const { blobFirstBlocks, blockLengths, blockLines, blockStarts } = file.tables;
    const first = group[0]!;
    const last = group.at(-1)!;
    let from = first.block;
    while (from > blobFirstBlocks[blob]! && blockLines[from]! > first.number - contextLines) from--;
    let to = last.block + 1;
    while (to < blobFirstBlocks[blob + 1]! && blockLines[to]! <= last.number + contextLines) to++;
    const start = blockStarts[from]!;
    if (to === from + 1) {
      // Nothing else is decoded before its lines are made.
      const at = reader.text(file, from);
      return { bytes: reader.buffer.subarray(at, at + blockLengths[from]!), start };
    }
    const bytes = Buffer.allocUnsafe(blockStarts[to - 1]! + blockLengths[to - 1]! - start);
    for (let block = from; block < to; block++) {
      const at = reader.text(file, block);
      reader.buffer.copy(bytes, blockStarts[block]! - start, at, at + blockLengths[block]!);
    }
    return { bytes, start };
  }
}

/** The place of a line, made where it is not there yet. */
function placeAt(
  places: Map<number, MatchedPlace>,
  { offset, number, block }: Pick<MatchedPlace, 'offset' | 'number' | 'block'>,
): MatchedPlace {
  let place = places.get(offset);
  if (!place) {
    place = { offset, number, block, contents: [], lastLine: number, ranges: [], unranged: [] };
    places.set(offset, place);
  }
  return place;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Groups of lines whose contexts touch, the best first, within the cap. */
function keptGroups(
  matched: readonly MatchedPlace[],
  { linesPerFileMax, contextLines }: LineLimits,
): MatchedPlace[][] {
  const groups: MatchedPlace[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const place of matched) {
    if (place.number - last <= 2 * contextLines + 1) groups.at(-1)!.push(place);
    else groups.push([place]);
    last = Math.max(last, place.lastLine);
  }
  // One term is in each of them.
  if (matched.every(({ contents }) => contents.length === 1 && contents[0] === matched[0]!.contents[0])) {
    return withinCap(groups, linesPerFileMax);
  }
  const worth = groups.map((group) => ({ group, terms: termsOf(group) }));
  // The sort is stable: of groups with as many terms the first comes first.
  worth.sort((a, b) => b.terms - a.terms);
  return withinCap(
    worth.map(({ group }) => group),
    linesPerFileMax,
  );
}

function withinCap(groups: readonly MatchedPlace[][], linesMax: number): MatchedPlace[][] {
  const kept: MatchedPlace[][] = [];
  let left = linesMax;
  for (const group of groups) {
    if (left <= 0) break;
    kept.push(group.length > left ? group.slice(0, left) : group);
    left -= group.length;
  }
  return kept;
}

function termsOf(group: readonly MatchedPlace[]): number {
  return new Set(group.flatMap(({ contents }) => contents)).size;
}
