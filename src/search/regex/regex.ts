import { isUtf8 } from 'node:buffer';
import { scanAcrossLines } from './across-lines.ts';
import { withoutBadBytes } from './bad-bytes.ts';
import { BlockScanner } from './block-scanner.ts';
import { compile } from './compiler.ts';
import { fragmentTables } from './fragments.ts';
import { SHIFT_ROWS_MAX } from './kernels.ts';
import { LazyDfa } from './lazy-dfa.ts';
import { type ByteRange, type Line, LineMatcher, type RangesFound } from './line-matcher.ts';
import { scanLiterals } from './literal-sets.ts';
import { type ParsedPattern, parse } from './parser.ts';
import { tooLarge } from './regex-errors.ts';
import { literalsOf } from './required-literals.ts';
import { shiftTable } from './shift-table.ts';
import type { Syntax } from './syntax-tree.ts';
import {
  isLastLine,
  type ScanOptions,
  type ScanOutcome,
  scanText,
  type TextEnds,
  WHOLE,
} from './text-scan.ts';
import { wholeText } from './whole-text.ts';
import { windowSets } from './window-sets.ts';
import { type Deadline, WorkMeter } from './work-meter.ts';

export interface RegexOptions {
  /** Letters match in any case, by Unicode's simple folding. Default false. */
  ignoreCase?: boolean;
  /** The source is plain text, not a pattern. Default false. */
  literal?: boolean;
  /** The most states of the non-deterministic automaton; a larger pattern is refused. Default 250 000, some 20 MB. */
  maxStates?: number;
  /** The most bytes that each of the two tables of deterministic states takes. Default 4 MB. When one is full it starts afresh. */
  cacheBytes?: number;
  /**
   * Asked by `test`, `ranges` and such scans as have none of their own, as often as a scan asks its own. It must throw what is to end
   * them: single lines have no half of an answer. Default: none.
   */
  deadline?: Deadline;
}

const SOURCE_LENGTH_MAX = 1 << 20;
const STATES_MAX = 250_000;
const CACHE_BYTES = 4 << 20;

/**
 * Compiles a pattern of RE2's syntax for UTF-8. Throws invalid-request: search/regex-syntax, search/regex-unsupported
 * (lookaround, backreferences) or search/regex-too-large.
 */
export function compileRegex(source: string, options: RegexOptions = {}): Regex {
  if (source.length > SOURCE_LENGTH_MAX) throw tooLarge(`it is longer than ${SOURCE_LENGTH_MAX} characters`);
  const parsed = parse(source, {
    ignoreCase: options.ignoreCase ?? false,
    literal: options.literal ?? false,
  });
  return new Regex(source, parsed, options);
}

/**
 * A compiled pattern. Time is linear in the text whatever the pattern, memory is bounded; it keeps the states that it has built, so
 * one is best used for many texts. Lines are matched one by one, and no line break matches; only a pattern that names one
 * (`spansLines`) is matched against whole texts. `\A` and `\z` are the ends of the text, `^` and `$` those of a line, `\r\n` is one
 * line break. A byte that is no UTF-8 is read as U+FFFD. All offsets are bytes.
 */
export class Regex {
  readonly source: string;
  /** What the parser made of the source. */
  readonly syntax: Syntax;
  /**
   * Matches may hold line breaks, since the pattern names them by `\n` or `(?s)`. Then `test` and `ranges` take any piece of a text,
   * `scan` tells the lines where matches begin, and to miss none all three need whole texts.
   */
  readonly spansLines: boolean;
  /** Matches end in `\s` or the like, which does not take the line break here: with it, more lines would match. */
  readonly trailingSpaceNote: boolean;
  readonly #lines: LineMatcher;
  readonly #makeScanner: () => BlockScanner;
  #scanner: BlockScanner | undefined;
  #literals: readonly Buffer[] | undefined;
  /** What `test` looks at, and counts work with: one of each, since lines are many. */
  readonly #line: Line = { bytes: new Uint8Array(), from: 0, to: 0, isFirst: false, isLast: false };
  readonly #meter: WorkMeter;
  readonly #deadline: Deadline | undefined;

  /** Use compileRegex. */
  constructor(source: string, { syntax, spansLines, endsInSpace }: ParsedPattern, options: RegexOptions) {
    this.source = source;
    this.syntax = syntax;
    this.spansLines = spansLines;
    this.trailingSpaceNote = endsInSpace;
    this.#deadline = options.deadline;
    this.#meter = new WorkMeter(options.deadline);
    const maxStates = options.maxStates ?? STATES_MAX;
    const maxEntries = (options.cacheBytes ?? CACHE_BYTES) >> 2;
    const program = compile(syntax, { reversed: false, spansLines, maxStates });
    const forward = new LazyDfa({ program, entry: program.search, longest: false, maxEntries });
    this.#lines = new LineMatcher(forward, () => {
      // What was small enough forward is not refused later: at most, words share fewer suffixes than prefixes.
      const reversed = compile(syntax, { reversed: true, spansLines, maxStates: Number.POSITIVE_INFINITY });
      return new LazyDfa({ program: reversed, entry: reversed.start, longest: true, maxEntries });
    });
    this.#makeScanner = () => {
      const sets = windowSets(program, SHIFT_ROWS_MAX);
      return new BlockScanner(forward, {
        fragments: fragmentTables(literalsOf(syntax), sets),
        shifts: shiftTable(sets),
      });
    };
  }

  /**
   * Whether the line text[from..to) matches. A line break at its end is no part of it; there must be none within. `ends` says
   * whether it begins and ends the whole text. Default: as it lies in `text`.
   */
  test(text: Uint8Array, from = 0, to = text.length, ends?: TextEnds): boolean {
    this.#take(text, from, to, ends);
    return this.#lines.test(this.#line, this.#meter);
  }

  /**
   * Where the line text[from..to) matches: at most `limit` ranges from left to right that do not overlap, of each the leftmost and
   * preferred one. Work is bounded by 64 looks at each byte (finding all can cost the square of the line), so a hostile
   * pair of pattern and line may get fewer.
   */
  ranges(text: Uint8Array, from = 0, to = text.length, limit = Number.POSITIVE_INFINITY): ByteRange[] {
    return this.findRanges(text, from, to, limit, this.#meter).ranges;
  }

  /** As `ranges`, telling whether these are all, and counting work. For scans: throws OutOfTime when the meter's deadline has expired. */
  findRanges(
    text: Uint8Array,
    from: number,
    to: number,
    limit: number,
    meter: WorkMeter,
    ends?: TextEnds,
  ): RangesFound {
    const shift = this.#take(text, from, to, ends);
    const { ranges, complete } = this.#lines.ranges(this.#line, limit, meter);
    if (shift === 0) return { ranges, complete };
    return { ranges: ranges.map(({ start, end }) => ({ start: start + shift, end: end + shift })), complete };
  }

  /** The matching lines of a whole text, in order. */
  scan(text: Uint8Array, given: ScanOptions = {}): ScanOutcome {
    const options = given.deadline || !this.#deadline ? given : { ...given, deadline: this.#deadline };
    if (this.spansLines) {
      if (!this.#holdsLiteral(text)) return { lines: [], ended: 'complete', bytesRead: text.length, work: 0 };
      this.#take(text, 0, text.length, options.ends ?? WHOLE);
      return scanAcrossLines(this.#lines, text, this.#line, options);
    }
    this.#scanner ??= this.#makeScanner();
    return scanText(this, this.#scanner, text, options);
  }

  /** Whether a text has what every match does, found many times faster than matches are. */
  #holdsLiteral(text: Uint8Array): boolean {
    this.#literals ??= plainScanLiterals(this);
    if (this.#literals.length === 0) return true;
    const bytes = Buffer.from(text.buffer, text.byteOffset, text.length);
    return this.#literals.some((literal) => bytes.includes(literal));
  }

  /** Steps every byte without the cache from here on: for tests. */
  neverCache(): void {
    this.#lines.neverCache();
  }

  /** What has been done over all: for tests of how work grows, and for tuning. */
  get statistics(): { statesBuilt: number; flushes: number; bytesUncached: number } {
    const { statesBuilt, flushes, bytesUncached } = this.#lines.forward;
    return { statesBuilt, flushes, bytesUncached };
  }

  /**
   * Makes text[from..to) the line to match, as the matcher wants it: without the line break at its end, with bad bytes replaced in
   * a copy. Returns what the offsets of that copy are less.
   */
  #take(text: Uint8Array, from: number, to: number, ends: TextEnds | undefined): number {
    const line = this.#line;
    line.isFirst = ends ? ends.isFirst : from === 0;
    line.bytes = text;
    line.from = from;
    line.to = to;
    if (this.spansLines) {
      line.isLast = ends ? ends.isLast : to === text.length;
      line.bytes = wholeText(text, from, to);
      line.from = 0;
      line.to = line.bytes.length;
      return from;
    }
    line.isLast = ends ? ends.isLast : isLastLine(text, to);
    line.to = withoutLineBreak(text, from, to);
    if (isWellFormed(text, from, line.to)) return 0;
    line.bytes = withoutBadBytes(text, from, line.to);
    line.from = 0;
    line.to = line.bytes.length;
    return from;
  }
}

/** Empty if there are none, or some in any case. */
function plainScanLiterals(pattern: { readonly syntax: Syntax }): Buffer[] {
  const literals = scanLiterals(pattern) ?? [];
  if (literals.some(({ ignoreCase }) => ignoreCase)) return [];
  return literals.map(({ bytes }) => Buffer.from(bytes, 'latin1'));
}

/** Most lines are short and ASCII, and for those a view of the text costs more than looking. */
const LOOKED_AT_MAX = 256;

function isWellFormed(text: Uint8Array, from: number, to: number): boolean {
  const stop = Math.min(to, from + LOOKED_AT_MAX);
  let at = from;
  while (at < stop && text[at]! < 0x80) at++;
  return at === to || isUtf8(text.subarray(at, to));
}

function withoutLineBreak(text: Uint8Array, from: number, to: number): number {
  if (to === from || text[to - 1] !== 0x0a) return to;
  return to - 1 > from && text[to - 2] === 0x0d ? to - 2 : to - 1;
}
