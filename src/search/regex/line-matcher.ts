import { isContinuation } from './bad-bytes.ts';
import { LINE_FEED } from './code-point-set.ts';
import { LINE_FILLER } from './compiler.ts';
import { CROWDED, DEAD, isMatch, type LazyDfa, stateIn, UNKNOWN } from './lazy-dfa.ts';
import { behind } from './thread-stepper.ts';
import type { WorkMeter } from './work-meter.ts';

/**
 * What is matched: one line of a text, without its line break, or for patterns that span lines any piece of a text. The bytes are
 * UTF-8, or BAD_BYTE where they were not, and in texts with line breaks `\r\n` is written as `\n` and LINE_FILLER.
 */
export interface Line {
  bytes: Uint8Array;
  from: number;
  to: number;
  /** `\A` holds at its start. */
  isFirst: boolean;
  /** `\z` holds at its end. */
  isLast: boolean;
}

/** Byte offsets: `start` is the first byte, `end` the one behind the last. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface RangesFound {
  ranges: ByteRange[];
  /** False if the limit or the bound on work was met: there may be more. */
  complete: boolean;
}

/** All ranges of a line can cost its square (`a.*b|a`), so the work is bounded by so many looks at each byte. */
const LOOKS_PER_BYTE_MAX = 64;
const LOOKS_AT_LEAST = 1 << 16;
/** A long line is read in such stretches, and time is checked between them. */
const STRETCH = 1 << 16;

/** Decides single lines and finds the ranges of matches: the forward automaton gives a match's end, the reversed one its start. */
export class LineMatcher {
  readonly forward: LazyDfa;
  readonly #makeReversed: () => LazyDfa;
  #reversed: LazyDfa | undefined;
  /** Bytes that the last run has looked at. */
  #looked = 0;
  /** What is being run: one object, since lines are short and many. */
  readonly #next: Run = {
    from: 0,
    bound: 0,
    direction: 1,
    firstMatch: false,
    place: 0,
    last: 0,
  };

  constructor(forward: LazyDfa, makeReversed: () => LazyDfa) {
    this.forward = forward;
    this.#makeReversed = makeReversed;
  }

  /** For tests. */
  neverCache(): void {
    this.#reversed ??= this.#makeReversed();
    this.#reversed.neverCache();
    this.forward.neverCache();
  }

  test(line: Line, meter: WorkMeter): boolean {
    return this.#matchEnd(line, line.from, true, meter) >= 0;
  }

  /** Ranges that do not overlap, from left to right, of each the leftmost and preferred; as Go's FindAllIndex. */
  ranges(line: Line, limit: number, meter: WorkMeter): RangesFound {
    const ranges: ByteRange[] = [];
    if (limit <= 0) return { ranges, complete: false };
    const complete = this.visitRanges(line, meter, (start, end) => ranges.push({ start, end }) < limit);
    return { ranges, complete };
  }

  /** Tells the ranges one by one until `visit` wants no more. True if it has seen all. */
  visitRanges(line: Line, meter: WorkMeter, visit: (start: number, end: number) => boolean): boolean {
    let looksLeft = LOOKS_PER_BYTE_MAX * (line.to - line.from) + LOOKS_AT_LEAST;
    let previousEnd = -1;
    for (let at = line.from; at <= line.to; ) {
      if (looksLeft <= 0) return false;
      const end = this.#matchEnd(line, at, false, meter);
      looksLeft -= this.#looked;
      if (end < 0) break;
      const start = this.#matchStart(line, at, end, meter);
      looksLeft -= this.#looked;
      // An empty match right behind the previous one is none of its own.
      if ((end > at || start !== previousEnd) && !visit(start, end)) return false;
      previousEnd = end;
      at = end > at ? end : nextCharacter(line, at);
    }
    return true;
  }

  /** The end of the preferred one of the leftmost matches that begin at `from` or later; -1 if there is none. With `any` some end of a match. */
  #matchEnd(line: Line, from: number, any: boolean, meter: WorkMeter): number {
    const dfa = this.forward;
    const { bytes, to } = line;
    let place: number = line.isFirst ? behind.textStart : behind.lineStart;
    if (from > line.from) place = dfa.placeAfter(bytes[from - 1]!);
    const next = this.#next;
    next.from = from;
    next.bound = to;
    next.direction = 1;
    next.firstMatch = any;
    next.place = place;
    next.last = line.isLast ? dfa.endClass : dfa.classOf[LINE_FEED]!;
    return this.#run(dfa, bytes, meter);
  }

  /** The leftmost start, `from` or later, of a match that ends at `end`. */
  #matchStart(line: Line, from: number, end: number, meter: WorkMeter): number {
    this.#reversed ??= this.#makeReversed();
    const dfa = this.#reversed;
    const { bytes } = line;
    // Reversed, the line's end is where it begins.
    let place: number = line.isLast ? behind.textStart : behind.lineStart;
    if (end < line.to) place = dfa.placeAfter(bytes[end]!);
    let last = line.isFirst ? dfa.endClass : dfa.classOf[LINE_FEED]!;
    if (from > line.from && bytes[from - 1] !== LINE_FILLER) last = dfa.classOf[bytes[from - 1]!]!;
    const next = this.#next;
    next.from = end - 1;
    next.bound = from - 1;
    next.direction = -1;
    next.firstMatch = false;
    next.place = place;
    next.last = last;
    const start = this.#run(dfa, bytes, meter);
    // The line break was met at its second byte.
    return start < end && bytes[start] === LINE_FILLER ? start + 1 : start;
  }

  /** Runs an automaton over `#next`, up to its bound and over the class `last` behind that. The last offset at which a match was seen, or -1. */
  #run(dfa: LazyDfa, bytes: Uint8Array, meter: WorkMeter): number {
    const { from, bound, direction, firstMatch, place, last } = this.#next;
    dfa.meter = meter;
    const { classOf } = dfa;
    const beside = direction > 0 ? 0 : 1;
    let state = dfa.starts[place]!;
    let seen = -1;
    let at = from;
    while (at !== bound) {
      if (dfa.isResting) {
        const run = dfa.runUncached(state, bytes, { from: at, bound, direction, firstMatch });
        if (run.matchedAt >= 0) seen = run.matchedAt;
        this.#looked = Math.abs(run.at - from) + 1;
        if (run.state === DEAD || (firstMatch && seen >= 0)) return seen;
        at = run.at;
        state = run.state;
        continue;
      }
      const stretchFrom = at;
      let counted = at;
      const stop = Math.abs(bound - at) > STRETCH ? at + direction * STRETCH : bound;
      let table = dfa.table;
      while (at !== stop) {
        const byteClass = classOf[bytes[at]!]!;
        let entry = table[state + byteClass]!;
        if (entry < 0) {
          if (entry === UNKNOWN) {
            dfa.bytesCached += Math.abs(at - counted);
            counted = at;
            entry = dfa.next(state, byteClass);
            table = dfa.table;
            state = dfa.source;
          }
          if (entry === CROWDED) break;
          if (entry === DEAD || (firstMatch && isMatch(entry))) {
            this.#looked = Math.abs(at - from) + 1;
            dfa.bytesCached += Math.abs(at - counted);
            meter.spend(Math.abs(at - stretchFrom) + 1);
            return entry === DEAD ? seen : at + beside;
          }
          if (entry < 0) {
            if (isMatch(entry)) seen = at + beside;
            entry = stateIn(entry);
          }
        }
        state = entry;
        at += direction;
      }
      dfa.bytesCached += Math.abs(at - counted);
      meter.spend(Math.abs(at - stretchFrom));
    }
    this.#looked = Math.abs(at - from) + 1;
    return dfa.endsMatch(state, last) ? at + beside : seen;
  }
}

interface Run {
  from: number;
  bound: number;
  direction: 1 | -1;
  firstMatch: boolean;
  place: number;
  /** The class of what follows at the bound. */
  last: number;
}

function nextCharacter(line: Line, at: number): number {
  let next = at + 1;
  while (next < line.to && (isContinuation(line.bytes[next]!) || line.bytes[next] === LINE_FILLER)) next++;
  return next;
}
