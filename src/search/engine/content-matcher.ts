import type { TextPattern } from '../queries/types.ts';
import type { ByteRange } from '../regex/line-matcher.ts';
import { EVERYTHING, literal as literalQuery } from '../regex/literal-query.ts';
import { exactLiterals, type ScanLiteral } from '../regex/literal-sets.ts';
import type { Regex } from '../regex/regex.ts';
import { requiredLiterals, requiredShapes } from '../regex/required-literals.ts';
import type { MatchedLine } from '../regex/text-scan.ts';
import { type Deadline, WorkMeter } from '../regex/work-meter.ts';
import { type PreparedNeedle, prepareNeedle } from '../segments/needle.ts';
import { HITS_MAX } from '../segments/reader-memory.ts';
import type { SegmentReader } from '../segments/segment-reader.ts';
import type { GramNeed } from '../segments/types.ts';
import { bestLiterals, shortestOf } from './best-literals.ts';
import { isName, looksDefined } from './definition-look.ts';
import { foldedLatin1, plainLiteral, rangesOfLiteral } from './plain-literal.ts';
import { isWordByte } from './word-bytes.ts';

/** How good the best hit of a document is, on zoekt's scale. */
export const WHOLE_WORD = 500;
/** A whole word that looks defined there, in a text whose definitions are not known: above a part of a symbol's name. */
export const DEFINED = 4500;
export const PART_OF_WORD = 50;

/** Lines of one block, for each of the texts that are looked for. */
const BLOCK_LINES_MAX = 1 << 18;
/** Hits of a document whose edges are looked at. */
const JUDGED_MAX = 20;
/** Matched lines of a document whose ranges are worked out only to judge them. */
const JUDGED_LINES_MAX = 3;
/** Of one line: what is shown of it, not what is counted. */
export const RANGES_MAX = 64;

/** Room for the lines of one block: searches of one thread share it, one after the other. */
export function roomForLines(): Uint32Array {
  return new Uint32Array(BLOCK_LINES_MAX);
}

/** Finds the lines of texts that have a pattern, block by block where it can. */
export class ContentMatcher {
  readonly need: GramNeed;
  /** Matches may go on in further lines: only the whole text of a document tells. */
  readonly needsWholeText: boolean;
  /** What an asker may wonder about. */
  readonly notes: readonly string[];
  /** The best hit since `judgeAnew`: DEFINED, WHOLE_WORD, PART_OF_WORD or 0. */
  best = 0;
  readonly #pattern: TextPattern;
  readonly #regexOf: (pattern: TextPattern) => Regex;
  readonly #reader: SegmentReader;
  /** Every matched line has one of these texts; null when nothing is known. */
  readonly #needles: readonly PreparedNeedle[] | null;
  /** A line that has one of them is matched: no automaton need run. */
  readonly #isExact: boolean;
  readonly #plain: Buffer | null;
  /** Null for plain text. */
  readonly #regex: Regex | null;
  readonly #meter: WorkMeter;
  readonly #isName: boolean;
  #bestPossible = WHOLE_WORD;
  #judged = 0;

  constructor(
    pattern: TextPattern,
    regexOf: (pattern: TextPattern) => Regex,
    reader: SegmentReader,
    deadline: Deadline,
  ) {
    this.#meter = new WorkMeter(deadline);
    this.#pattern = pattern;
    this.#regexOf = regexOf;
    this.#reader = reader;
    const plain = plainLiteral(pattern);
    this.#plain = plain;
    this.#isName = pattern.literal && isName(Buffer.from(pattern.source));
    if (plain) {
      this.#needles = [prepareNeedle(plain, false)];
      this.#isExact = true;
      this.#regex = null;
      this.needsWholeText = false;
      this.notes = [];
      this.need = { text: literalQuery(foldedLatin1(plain)), shapes: EVERYTHING };
      return;
    }
    const regex = regexOf(pattern);
    this.#regex = regex;
    this.needsWholeText = regex.spansLines;
    this.notes = regex.trailingSpaceNote ? [trailingSpace(pattern)] : [];
    this.need = needOf(regex);
    const exact = exactLiterals(regex);
    this.#isExact = exact !== null;
    this.#needles = exact ? exactNeedles(exact) : needlesOf(this.need);
  }

  /** An automaton reads the text: with a hostile pattern a block takes milliseconds. */
  get isSlow(): boolean {
    return !this.#isExact;
  }

  /** Before the next document. `guesses`: nothing else tells whether it defines what is looked for. */
  judgeAnew({ guesses }: { guesses: boolean }): void {
    this.best = 0;
    this.#bestPossible = guesses && this.#isName ? DEFINED : WHOLE_WORD;
    this.#judged = 0;
  }

  /**
   * Matched lines of a block's text at [at, at + length), whole lines: where they start, as offsets from `at`, ascending, at most
   * `limit`.
   */
  linesOf(at: number, length: number, ends: BlockEnds, limit: number, into: Uint32Array): number {
    const needles = this.#needles;
    if (needles === null) return this.#scannedLines(at, length, ends, limit, into);
    if (this.#isExact) return this.#linesWithAny(needles, at, length, limit, into);
    const count = this.#linesWithAny(needles, at, length, Number.POSITIVE_INFINITY, into);
    return count === 0 ? 0 : this.#testedLines(at, length, ends, limit, into, count);
  }

  /** As linesOf, for the whole text of a document, with the numbers of the lines. Null when time ran out. */
  linesOfText(text: Uint8Array, limit: number, deadline: Deadline): readonly MatchedLine[] | null {
    const regex = this.#regex ?? this.#regexOf(this.#pattern);
    const { lines, ended } = regex.scan(text, { limit, rangesPerLine: 1, deadline });
    if (ended === 'deadline') return null;
    for (const { ranges } of lines) {
      if (this.best >= WHOLE_WORD) break;
      const range = ranges[0];
      if (range) this.#judge(text, 0, text.length, range.start, range.end);
    }
    return lines;
  }

  /** Lines of a whole text with where they match. */
  rangesOfText(text: Uint8Array, limit: number, deadline: Deadline): readonly MatchedLine[] {
    const regex = this.#regex ?? this.#regexOf(this.#pattern);
    return regex.scan(text, { limit, rangesPerLine: RANGES_MAX, deadline }).lines;
  }

  /** Where a line matches. `ends`: it is the first and the last of its document. */
  ranges(line: Uint8Array, ends: BlockEnds): readonly ByteRange[] {
    if (this.#plain) {
      return rangesOfLiteral(Buffer.from(line.buffer, line.byteOffset, line.length), this.#plain, RANGES_MAX);
    }
    return this.#regex!.findRanges(line, 0, line.length, RANGES_MAX, this.#meter, ends).ranges;
  }

  #scannedLines(at: number, length: number, ends: BlockEnds, limit: number, into: Uint32Array): number {
    const { bytes } = this.#reader;
    const { lines } = this.#regex!.scan(bytes.subarray(at, at + length), {
      limit,
      rangesPerLine: 0,
      ends,
    });
    for (let i = 0; i < lines.length; i++) {
      const { start, end } = lines[i]!;
      into[i] = start;
      this.#judgeLine(at + start, at + end, ends);
    }
    return lines.length;
  }

  /** Keeps of the first `count` lines those that match. */
  #testedLines(
    at: number,
    length: number,
    ends: BlockEnds,
    limit: number,
    into: Uint32Array,
    count: number,
  ): number {
    const reader = this.#reader;
    const { bytes } = reader;
    const regex = this.#regex!;
    const end = at + length;
    let kept = 0;
    for (let i = 0; i < count && kept < limit; i++) {
      const start = at + into[i]!;
      const lineEnd = reader.lineEnd(start, end);
      const lineEnds = endsOf(ends, start === at, lineEnd === end);
      if (!regex.test(bytes, start, lineEnd, lineEnds)) continue;
      into[kept++] = start - at;
      this.#judgeLine(start, lineEnd, lineEnds);
    }
    return kept;
  }

  #linesWithAny(
    needles: readonly PreparedNeedle[],
    at: number,
    length: number,
    limit: number,
    into: Uint32Array,
  ): number {
    if (needles.length === 1) return this.#linesOfNeedle(needles[0]!, at, length, limit, into, 0);
    let count = 0;
    let found = 0;
    for (const needle of needles) {
      const added = this.#linesOfNeedle(needle, at, length, limit, into, count);
      if (added > 0) found++;
      count += added;
    }
    return found < 2 ? count : Math.min(limit, sortedUnique(into, count));
  }

  #linesOfNeedle(
    needle: PreparedNeedle,
    at: number,
    length: number,
    limit: number,
    into: Uint32Array,
    intoFrom: number,
  ): number {
    const reader = this.#reader;
    const end = at + length;
    let count = intoFrom;
    let from = at;
    for (;;) {
      const found = reader.findAll(from, end - from, needle, HITS_MAX);
      if (found === 0) return count - intoFrom;
      const { hits, bytes } = reader;
      let lineEnd = from;
      for (let i = 0; i < found; i++) {
        const hit = from + hits[i]!;
        if (this.best < this.#bestPossible && this.#judged < JUDGED_MAX && this.#isExact) {
          this.#judged++;
          this.#judge(bytes, at, end, hit, hit + needle.bytes.length);
        }
        if (hit < lineEnd) continue;
        into[count++] = reader.lineStart(at, hit) - at;
        if (count - intoFrom >= limit) return count - intoFrom;
        if (i + 1 < found || found === HITS_MAX) lineEnd = reader.lineEnd(hit, end);
      }
      if (found < HITS_MAX) return count - intoFrom;
      from = lineEnd;
    }
  }

  /** Judges a matched line of the automaton's by its first range: only a few, since ranges cost more than matching. */
  #judgeLine(start: number, end: number, ends: BlockEnds): void {
    if (this.best >= this.#bestPossible || this.#judged >= JUDGED_LINES_MAX) return;
    this.#judged++;
    const { bytes } = this.#reader;
    const range = this.#regex!.findRanges(bytes, start, end, 1, this.#meter, ends).ranges[0];
    if (range) this.#judge(bytes, start, end, range.start, range.end);
  }

  #judge(bytes: Uint8Array, from: number, to: number, start: number, end: number): void {
    let worth = worthOf(bytes, from, to, start, end);
    if (
      worth === WHOLE_WORD &&
      this.#bestPossible === DEFINED &&
      looksDefined(bytes, { from, to }, start, end)
    ) {
      worth = DEFINED;
    }
    if (worth > this.best) this.best = worth;
  }
}

export interface BlockEnds {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Of a hit [start, end) in a text [from, to). */
export function worthOf(bytes: Uint8Array, from: number, to: number, start: number, end: number): number {
  // Nothing is matched between its edges: a match of nothing is as good as any.
  if (start === end) return WHOLE_WORD;
  const left = start === from || !isWordByte(bytes[start - 1]!) || !isWordByte(bytes[start]!);
  const right = end === to || !isWordByte(bytes[end]!) || !isWordByte(bytes[end - 1]!);
  if (left && right) return WHOLE_WORD;
  return left || right ? PART_OF_WORD : 0;
}

/** More alternatives than this are left to the automaton. */
const NEEDLES_MAX = 8;
/** Beyond so many short literals shapes tell more, and cost less. */
const SHORT_LITERALS_MAX = 16;
const LONG = 4;

/** Shapes tell little beside literals, and literals of two bytes cost much: each is used only where there is nothing better. */
function needOf(regex: Regex): GramNeed {
  const text = requiredLiterals(regex, { foldAscii: true });
  const few = bestLiterals(text, SHORT_LITERALS_MAX);
  const many = few ?? bestLiterals(text, Number.POSITIVE_INFINITY);
  if (few !== null || (many !== null && shortestOf(many) >= LONG)) return { text, shapes: EVERYTHING };
  const shapes = requiredShapes(regex);
  if (shapes.kind !== 'everything') return { text: EVERYTHING, shapes };
  if (text.kind !== 'everything') return { text, shapes };
  return { text: requiredLiterals(regex, { foldAscii: true, shortest: 2 }), shapes };
}

/** A few texts of which every matched line has one, in any case. */
function needlesOf({ text }: GramNeed): PreparedNeedle[] | null {
  const literals = bestLiterals(text, NEEDLES_MAX);
  return literals?.map((bytes) => prepareNeedle(Buffer.from(bytes, 'latin1'), true)) ?? null;
}

function exactNeedles(literals: readonly ScanLiteral[]): PreparedNeedle[] {
  return literals.map(({ bytes, ignoreCase }) => prepareNeedle(Buffer.from(bytes, 'latin1'), ignoreCase));
}

const MIDDLE: BlockEnds = { isFirst: false, isLast: false };

function endsOf(block: BlockEnds, atStart: boolean, atEnd: boolean): BlockEnds {
  const isFirst = atStart && block.isFirst;
  const isLast = atEnd && block.isLast;
  if (!isFirst && !isLast) return MIDDLE;
  return isFirst === block.isFirst && isLast === block.isLast ? block : { isFirst, isLast };
}

function sortedUnique(numbers: Uint32Array, count: number): number {
  numbers.subarray(0, count).sort();
  let kept = 0;
  for (let i = 0; i < count; i++)
    if (i === 0 || numbers[i] !== numbers[kept - 1]) numbers[kept++] = numbers[i]!;
  return kept;
}

function trailingSpace({ source }: TextPattern): string {
  return `\\s at the end of ${source} does not take the line break`;
}
