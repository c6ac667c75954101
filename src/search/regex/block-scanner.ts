import { isUtf8 } from 'node:buffer';
import { encodingBoundary } from './bad-bytes.ts';
import { LINE_FEED } from './code-point-set.ts';
import { LINE_FILLER } from './compiler.ts';
import type { FragmentTables } from './fragments.ts';
import { BLOCK_SIZE, Kernels, LOCATED_MAX } from './kernels.ts';
import { CROWDED, DEAD, type LazyDfa, UNKNOWN } from './lazy-dfa.ts';
import { isWordByte } from './named-classes.ts';
import { PayoffRecord } from './payoff-record.ts';
import type { ShiftTable } from './shift-table.ts';
import type { TextEnds } from './text-scan.ts';
import { behind } from './thread-stepper.ts';
import type { WorkMeter } from './work-meter.ts';

const CARRIAGE_RETURN = 0x0d;
/** A lane's state when its last line is decided. */
const DECIDED = -1;
/** Smaller blocks are run in one lane: the others would start for a few lines each. */
const FOUR_LANES_FROM = 4096;
/** Skipping pays if it passes so many bytes for each that it looks at. */
const SKIPPED_PER_READ = 2;
/** Looking for fragments pays if the lines that hold one are at most this part of the text. */
const CANDIDATE_PART_MAX = 1 / 4;

/** Ways to find the matching lines of blocks, best first. */
export interface Shortcuts {
  fragments?: FragmentTables | undefined;
  shifts?: ShiftTable | undefined;
}

/** A line's start in a text, and its number, counted from 1. */
export interface LinePlace {
  offset: number;
  number: number;
}

/** A line of a text; `end` lies before its line break. */
export interface LocatedLine {
  number: number;
  start: number;
  end: number;
}

export interface LinesRead {
  /** Matching lines, in order. */
  lines: LocatedLine[];
  /** Where to go on. */
  next: LinePlace;
}

/** Finds the matching lines of a text, block by block, with the compiled loops. */
export class BlockScanner {
  /** Of the text that is being read. */
  ends: TextEnds = { isFirst: true, isLast: true };
  readonly #dfa: LazyDfa;
  readonly #kernels = new Kernels();
  readonly #shifts: ShiftTable | undefined;
  readonly #useFragments: PayoffRecord | undefined;
  readonly #useShifts: PayoffRecord | undefined;
  #flushesSeen = -1;

  constructor(dfa: LazyDfa, { fragments, shifts }: Shortcuts) {
    this.#dfa = dfa;
    this.#shifts = shifts;
    this.#useFragments = fragments && new PayoffRecord();
    this.#useShifts = shifts && new PayoffRecord();
    const kernels = this.#kernels;
    kernels.classes = dfa.classOf;
    if (dfa.tracksWords)
      kernels.wordBytes = Uint8Array.from({ length: 256 }, (_, byte) => Number(isWordByte(byte)));
    if (fragments) kernels.fragments = fragments;
    if (shifts) kernels.shifts = shifts.shifts;
    dfa.moveTo(kernels);
  }

  /** Reads some whole lines of a text from `place` on, and tells at most `limit` of those that match. */
  read(text: Uint8Array, place: LinePlace, limit: number, meter: WorkMeter): LinesRead {
    this.#dfa.meter = meter;
    const to = blockEnd(text, place.offset);
    if (to === undefined) return this.#readLongLine(text, place, meter);
    meter.spend(to - place.offset);
    return this.#readBlock(text, place, to, limit);
  }

  #readBlock(text: Uint8Array, place: LinePlace, to: number, limit: number): LinesRead {
    const { block, run } = this.#kernels;
    const isLast = to === text.length;
    const blockEnd = this.#load(text, place.offset, to);
    const end = isLast ? this.#withoutLineBreak(blockEnd) : blockEnd;
    const hits = this.#runBlock(end, place.offset === 0, isLast);
    const lines = this.#locate(hits, place, end, limit);
    if (isLast) return { lines, next: { offset: to, number: 0 } };
    return { lines, next: { offset: to, number: place.number + run.countLineFeeds(block, blockEnd) } };
  }

  /** Copies bytes to the block, as the automaton wants them. Returns their end. */
  #load(text: Uint8Array, from: number, to: number): number {
    const { bytes, block, run } = this.#kernels;
    const piece = text.subarray(from, to);
    bytes.set(piece, block);
    const end = block + piece.length;
    if (!isUtf8(piece)) run.hideBadBytes(block, end);
    run.hideCarriageReturns(block, end);
    return end;
  }

  #withoutLineBreak(end: number): number {
    const { bytes, block } = this.#kernels;
    if (end > block && bytes[end - 1] === LINE_FEED) return end - 1;
    if (end > block && bytes[end - 1] === LINE_FILLER) return end - 2;
    return end;
  }

  /** Runs over the block in the way that suits it, up to `end`. */
  #runBlock(end: number, isFirst: boolean, isLast: boolean): HitRun[] {
    const length = end - this.#kernels.block;
    if (this.#useFragments?.isWorthwhile(length)) {
      const hits = this.#runCandidates(end, isFirst, isLast);
      if (hits) return hits;
    }
    if (this.#useShifts?.isWorthwhile(length)) return this.#runSkipping(end, isFirst, isLast);
    this.#setSkipping(false);
    if (length < FOUR_LANES_FROM || this.#dfa.isResting) return this.#runOneLane(end, isFirst, isLast);
    return this.#runFourLanes(end, isFirst, isLast);
  }

  /** Runs only the lines that hold a fragment; undefined if those are too much of the text. */
  #runCandidates(end: number, isFirst: boolean, isLast: boolean): HitRun[] | undefined {
    const { block, run, hits } = this.#kernels;
    const count = run.findCandidates(block, end);
    const candidateBytes = run.lengthOfCandidates();
    this.#useFragments!.record(end - block, candidateBytes / CANDIDATE_PART_MAX);
    if (candidateBytes > (end - block) * CANDIDATE_PART_MAX) return undefined;
    if (count === 0) return [];
    this.#syncStarts();
    const from = run.candidateStart(0);
    this.#kernels.setLane(0, {
      state: this.#startState(isFirst && from === block),
      at: from,
      end: run.candidateEnd(0),
      hit: hits,
    });
    const endsText = isLast && run.candidateEnd(count - 1) === end;
    this.#finishLane(0);
    for (let next = 1; next >= 0; ) {
      next = run.runCandidates(next, count);
      if (next >= 0) {
        this.#buildFor(0);
        this.#finishLane(0);
      }
    }
    this.#dfa.bytesCached += candidateBytes;
    if (endsText) this.#endText(0);
    return [this.#hitsOf(0, hits)];
  }

  #runSkipping(end: number, isFirst: boolean, isLast: boolean): HitRun[] {
    const { run } = this.#kernels;
    this.#setSkipping(true);
    const hits = this.#runOneLane(end, isFirst, isLast);
    const read = run.takeShiftsRead();
    this.#useShifts!.record(run.takeBytesSkipped(), read * SKIPPED_PER_READ);
    return hits;
  }

  /** Left on or off until the other is wanted, since it goes through the whole table. */
  #setSkipping(on: boolean): void {
    this.#dfa.marksStarts = on;
    this.#kernels.run.setShiftRows(on ? this.#shifts!.rows : 0);
  }

  #runOneLane(end: number, isFirst: boolean, isLast: boolean): HitRun[] {
    const { block, hits, run } = this.#kernels;
    this.#syncStarts();
    this.#kernels.setLane(0, { state: this.#startState(isFirst), at: block, end, hit: hits });
    run.skipLane(0);
    this.#finishLane(0);
    if (isLast) this.#endText(0);
    return [this.#hitsOf(0, hits)];
  }

  #startState(isFirst: boolean): number {
    return this.#dfa.starts[isFirst && this.ends.isFirst ? behind.textStart : behind.lineStart]!;
  }

  /** Runs a lane to its end. */
  #finishLane(lane: number): void {
    const kernels = this.#kernels;
    while (kernels.laneAt(lane) < kernels.laneEnd(lane)) {
      if (this.#dfa.isResting) {
        this.#runUncached(lane);
        continue;
      }
      const from = kernels.laneAt(lane);
      const done = kernels.run.runOne(lane);
      this.#dfa.bytesCached += kernels.laneAt(lane) - from;
      if (!done) this.#buildFor(lane);
    }
  }

  /** Builds the state that a lane waits for. */
  #buildFor(lane: number): void {
    const kernels = this.#kernels;
    const at = kernels.laneAt(lane);
    const built = this.#dfa.next(kernels.laneState(lane), this.#dfa.classOf[kernels.bytes[at]!]!);
    this.#syncStarts();
    if (built === CROWDED) this.#runUncached(lane);
    else kernels.moveLane(lane, this.#dfa.source, at);
  }

  /** Runs a lane without the table for as long as the cache rests. */
  #runUncached(lane: number): void {
    const kernels = this.#kernels;
    const from = kernels.laneAt(lane);
    const bound = kernels.laneEnd(lane);
    const run = this.#dfa.runUncached(kernels.laneState(lane), kernels.bytes, {
      from,
      bound,
      direction: 1,
      firstMatch: true,
    });
    this.#syncStarts();
    kernels.moveLane(lane, run.state, run.at);
    if (run.matchedAt >= 0) kernels.run.hitLane(lane);
    else if (run.state === DEAD) kernels.run.passLine(lane);
  }

  /** Decides the last line of the text, before whose line break a lane has stopped. */
  #endText(lane: number): void {
    const state = this.#kernels.laneState(lane);
    if (state === DECIDED || !this.#dfa.endsMatch(state, this.#classAtEnd())) return;
    this.#kernels.run.hitLane(lane);
  }

  /** The class of what follows the text's last line. */
  #classAtEnd(): number {
    return this.ends.isLast ? this.#dfa.endClass : this.#dfa.classOf[LINE_FEED]!;
  }

  #runFourLanes(end: number, isFirst: boolean, isLast: boolean): HitRun[] {
    const kernels = this.#kernels;
    const { block, hits } = kernels;
    this.#syncStarts();
    const begins: number[] = [];
    let at = block;
    for (let lane = 0; lane < 4; lane++) {
      begins.push(at);
      const quarter = block + (((end - block) * (lane + 1)) >> 2);
      const laneEnd = lane === 3 ? end : Math.max(at, kernels.bytes.lastIndexOf(LINE_FEED, quarter) + 1);
      const state = this.#startState(isFirst && lane === 0);
      kernels.setLane(lane, { state, at, end: laneEnd, hit: hits + 4 * (at - block) });
      at = laneEnd;
    }
    this.#runInStep(begins, isFirst);
    if (isLast) this.#endText(3);
    return begins.map((begin, lane) => this.#hitsOf(lane, hits + 4 * (begin - block)));
  }

  /** Runs all four lanes to their ends. */
  #runInStep(begins: readonly number[], isFirst: boolean): void {
    const kernels = this.#kernels;
    const dfa = this.#dfa;
    const flushes = dfa.flushes;
    // The flush that each lane's state was made in.
    const madeIn = begins.map(() => flushes);
    for (let done = false; !done && dfa.flushes === flushes && !dfa.isResting; ) {
      const before = this.#distance();
      done = kernels.run.runFour() !== 0;
      dfa.bytesCached += this.#distance() - before;
      for (let lane = 0; lane < 4 && dfa.flushes === flushes && !dfa.isResting; lane++) {
        if (!this.#isWaiting(lane)) continue;
        this.#buildFor(lane);
        madeIn[lane] = dfa.flushes;
      }
    }
    // One lane is done, or states were dropped: finish one after the other. Four might go on dropping each other's states for ever.
    for (const [lane, begin] of begins.entries()) {
      if (madeIn[lane] !== dfa.flushes && kernels.laneState(lane) !== DECIDED) {
        const lineStart = Math.max(begin, kernels.bytes.lastIndexOf(LINE_FEED, kernels.laneAt(lane) - 1) + 1);
        kernels.moveLane(lane, this.#startState(isFirst && lineStart === kernels.block), lineStart);
      }
      this.#finishLane(lane);
    }
  }

  #distance(): number {
    const kernels = this.#kernels;
    return kernels.laneAt(0) + kernels.laneAt(1) + kernels.laneAt(2) + kernels.laneAt(3);
  }

  #isWaiting(lane: number): boolean {
    const kernels = this.#kernels;
    const at = kernels.laneAt(lane);
    if (at >= kernels.laneEnd(lane)) return false;
    return this.#dfa.table[kernels.laneState(lane) + this.#dfa.classOf[kernels.bytes[at]!]!] === UNKNOWN;
  }

  #hitsOf(lane: number, from: number): HitRun {
    return { from, count: (this.#kernels.laneHit(lane) - from) >> 2 };
  }

  /** The loops read the start states from memory, so they must follow the automaton's. */
  #syncStarts(): void {
    if (this.#flushesSeen === this.#dfa.flushes) return;
    this.#flushesSeen = this.#dfa.flushes;
    this.#kernels.starts = this.#dfa.starts;
  }

  /** The lines that hits lie in, of a block that begins at `place`. */
  #locate(runs: readonly HitRun[], place: LinePlace, end: number, limit: number): LocatedLine[] {
    const { block, run } = this.#kernels;
    const shift = place.offset - block;
    const lines: LocatedLine[] = [];
    let { number } = place;
    let at = block;
    for (const { from, count } of runs) {
      for (let done = 0; done < count && lines.length < limit; ) {
        const some = Math.min(count - done, LOCATED_MAX, limit - lines.length);
        run.locateHits(from + 4 * done, some, at, end);
        const located = this.#kernels.located(some);
        for (let i = 0; i < located.length; i += 3) {
          at = located[i]!;
          number += located[i + 2]!;
          lines.push({ number, start: at + shift, end: located[i + 1]! + shift });
        }
        done += some;
      }
    }
    return lines;
  }

  /** A line that does not fit a block is read in pieces, the state carried from one to the next. */
  #readLongLine(text: Uint8Array, place: LinePlace, meter: WorkMeter): LinesRead {
    const kernels = this.#kernels;
    this.#syncStarts();
    let state = this.#startState(place.offset === 0);
    let matches = false;
    for (let at = place.offset; ; ) {
      const piece = nextPiece(text, at);
      meter.spend(piece.end - at);
      if (state !== DECIDED) {
        const end = this.#load(text, at, piece.end);
        kernels.setLane(0, { state, at: kernels.block, end, hit: kernels.hits });
        this.#finishLane(0);
        state = kernels.laneState(0);
        matches ||= this.#hitsOf(0, kernels.hits).count > 0;
      }
      at = piece.end;
      if (!piece.endsLine) continue;
      const last = piece.next === text.length ? this.#classAtEnd() : this.#dfa.classOf[LINE_FEED]!;
      matches ||= state !== DECIDED && this.#dfa.endsMatch(state, last);
      return {
        lines: matches ? [{ number: place.number, start: place.offset, end: at }] : [],
        next: { offset: piece.next, number: place.number + 1 },
      };
    }
  }
}

/** Words in the memory of the loops: the addresses of hits. */
interface HitRun {
  from: number;
  count: number;
}

/** The end of as many whole lines as fit a block; undefined if not even one does. */
function blockEnd(text: Uint8Array, from: number): number | undefined {
  if (text.length - from <= BLOCK_SIZE) return text.length;
  const lineFeed = text.subarray(from, from + BLOCK_SIZE).lastIndexOf(LINE_FEED);
  return lineFeed < 0 ? undefined : from + lineFeed + 1;
}

/** A piece of a long line: [from, end) without a line break. If the line ends with it, the next line starts at `next`. */
function nextPiece(text: Uint8Array, from: number): { end: number; endsLine: boolean; next: number } {
  const limit = Math.min(text.length, from + BLOCK_SIZE);
  const lineFeed = text.subarray(from, limit).indexOf(LINE_FEED);
  if (lineFeed >= 0) {
    const end = from + lineFeed;
    const isPair = end > from && text[end - 1] === CARRIAGE_RETURN;
    return { end: isPair ? end - 1 : end, endsLine: true, next: end + 1 };
  }
  if (limit === text.length) return { end: limit, endsLine: true, next: limit };
  // A carriage return stays with what follows, which may be the line feed.
  const end = text[limit - 1] === CARRIAGE_RETURN ? limit - 1 : encodingBoundary(text, limit);
  return { end, endsLine: false, next: end };
}
