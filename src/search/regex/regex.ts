import { isUtf8 } from 'node:buffer';
import { withoutBadBytes } from './bad-bytes.ts';
import { BlockScanner } from './block-scanner.ts';
import { compile } from './compiler.ts';
import { fragmentTables } from './fragments.ts';
import { SHIFT_ROWS_MAX } from './kernels.ts';
import { LazyDfa } from './lazy-dfa.ts';
import { type ByteRange, type Line, LineMatcher, type RangesFound } from './line-matcher.ts';
import { parse } from './parser.ts';
import { tooLarge } from './regex-errors.ts';
import { literalsOf } from './required-literals.ts';
import { shiftTable } from './shift-table.ts';
import type { Syntax } from './syntax-tree.ts';
import { type ScanOptions, type ScanOutcome, scanText } from './text-scan.ts';
import { windowSets } from './window-sets.ts';
import { WorkMeter } from './work-meter.ts';

export interface RegexOptions {
  /** Letters match in any case, by Unicode's simple folding. Default false. */
  ignoreCase?: boolean;
  /** The source is plain text, not a pattern. Default false. */
  literal?: boolean;
  /** The most states of the non-deterministic automaton; a larger pattern is refused. Default 250 000, some 20 MB. */
  maxStates?: number;
  /** The most bytes that each of the two tables of deterministic states takes. Default 4 MB. When one is full it starts afresh. */
  cacheBytes?: number;
}

const SOURCE_LENGTH_MAX = 1 << 20;
const STATES_MAX = 250_000;
const CACHE_BYTES = 4 << 20;

/**
 * Compiles a pattern of RE2's syntax for lines of UTF-8. Throws invalid-request: search/regex-syntax, search/regex-unsupported
 * (lookaround, backreferences, line breaks) or search/regex-too-large.
 */
export function compileRegex(source: string, options: RegexOptions = {}): Regex {
  if (source.length > SOURCE_LENGTH_MAX) throw tooLarge(`it is longer than ${SOURCE_LENGTH_MAX} characters`);
  const syntax = parse(source, {
    ignoreCase: options.ignoreCase ?? false,
    literal: options.literal ?? false,
  });
  return new Regex(source, syntax, options);
}

/**
 * A compiled pattern. Time is linear in the text whatever the pattern, memory is bounded; it keeps the states that it has built, so
 * one is best used for many texts. A line break never matches; `\A` and `\z` are the ends of the text, `^` and `$` those of a line.
 * A byte that is no UTF-8 is read as U+FFFD. All offsets are bytes.
 */
export class Regex {
  readonly source: string;
  /** What the parser made of the source. */
  readonly syntax: Syntax;
  readonly #lines: LineMatcher;
  readonly #makeScanner: () => BlockScanner;
  #scanner: BlockScanner | undefined;

  /** Use compileRegex. */
  constructor(source: string, syntax: Syntax, options: RegexOptions) {
    this.source = source;
    this.syntax = syntax;
    const maxStates = options.maxStates ?? STATES_MAX;
    const maxEntries = (options.cacheBytes ?? CACHE_BYTES) >> 2;
    const program = compile(syntax, { reversed: false, maxStates });
    const forward = new LazyDfa({ program, entry: program.search, longest: false, maxEntries });
    this.#lines = new LineMatcher(forward, () => {
      // What was small enough forward is not refused later: at most, words share fewer suffixes than prefixes.
      const reversed = compile(syntax, { reversed: true, maxStates: Number.POSITIVE_INFINITY });
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

  /** Whether the line text[from..to) matches. A line break at its end is no part of it; there must be none within. */
  test(text: Uint8Array, from = 0, to = text.length): boolean {
    const { line } = lineOf(text, from, to);
    return this.#lines.test(line, new WorkMeter());
  }

  /**
   * Where the line text[from..to) matches: at most `limit` ranges from left to right that do not overlap, of each the leftmost and
   * preferred one. Work is bounded by 64 looks at each byte (finding all can cost the square of the line), so a hostile
   * pair of pattern and line may get fewer.
   */
  ranges(text: Uint8Array, from = 0, to = text.length, limit = Number.POSITIVE_INFINITY): ByteRange[] {
    return this.findRanges(text, from, to, limit, new WorkMeter()).ranges;
  }

  /** As `ranges`, telling whether these are all, and counting work. For scans: throws OutOfTime when the meter's deadline has expired. */
  findRanges(text: Uint8Array, from: number, to: number, limit: number, meter: WorkMeter): RangesFound {
    const { line, shift } = lineOf(text, from, to);
    const { ranges, complete } = this.#lines.ranges(line, limit, meter);
    if (shift === 0) return { ranges, complete };
    return { ranges: ranges.map(({ start, end }) => ({ start: start + shift, end: end + shift })), complete };
  }

  /** The matching lines of a whole text, in order. */
  scan(text: Uint8Array, options: ScanOptions = {}): ScanOutcome {
    this.#scanner ??= this.#makeScanner();
    return scanText(this, this.#scanner, text, options);
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
}

/** A line of a text as the matcher wants it: without its line break, and with bad bytes replaced, in a copy whose offsets are `shift` less. */
function lineOf(text: Uint8Array, from: number, to: number): { line: Line; shift: number } {
  const isFirst = from === 0;
  const isLast = to === text.length || (to === text.length - 1 && text[to] === 0x0a) || isFinalPair(text, to);
  const end = withoutLineBreak(text, from, to);
  if (isWellFormed(text, from, end)) {
    return { line: { bytes: text, from, to: end, isFirst, isLast }, shift: 0 };
  }
  const bytes = withoutBadBytes(text, from, end);
  return { line: { bytes, from: 0, to: bytes.length, isFirst, isLast }, shift: from };
}

/** Most lines are short and ASCII, and for those a view of the text costs more than looking. */
const LOOKED_AT_MAX = 256;

function isWellFormed(text: Uint8Array, from: number, to: number): boolean {
  const stop = Math.min(to, from + LOOKED_AT_MAX);
  let at = from;
  while (at < stop && text[at]! < 0x80) at++;
  return at === to || isUtf8(text.subarray(at, to));
}

function isFinalPair(text: Uint8Array, to: number): boolean {
  return to === text.length - 2 && text[to] === 0x0d && text[to + 1] === 0x0a;
}

function withoutLineBreak(text: Uint8Array, from: number, to: number): number {
  if (to === from || text[to - 1] !== 0x0a) return to;
  return to - 1 > from && text[to - 2] === 0x0d ? to - 2 : to - 1;
}
