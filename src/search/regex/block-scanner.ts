import { isUtf8 } from 'node:buffer';
import { encodingBoundary } from './bad-bytes.ts';
import { LINE_FEED } from './code-point-set.ts';
import { LINE_FILLER } from './compiler.ts';
import type { FragmentTables } from './fragments.ts';
import { BLOCK_SIZE, Kernels } from './kernels.ts';
import { CROWDED, DEAD, type LazyDfa, UNKNOWN } from './lazy-dfa.ts';
import { isWordByte } from './named-classes.ts';
import { PayoffRecord } from './payoff-record.ts';
import type { ShiftTable } from './shift-table.ts';
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

/** Finds the lines of a text that match, block by block, with the compiled loops. It says where; it does not know ranges or line numbers. */
export class BlockScanner {
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
    if (fragments) kernels.fragments = fragments.tables;
    if (shifts) kernels.shifts = shifts.shifts;
    dfa.moveTo(kernels);
  }

  /** Counts line feeds in [from, to). */
  countLines(text: Uint8Array, from: number, to: number): number {
    const { bytes, block, run } = this.#kernels;
    let count = 0;
    for (let at = from; at < to; at += BLOCK_SIZE) {
      const piece = text.subarray(at, Math.min(to, at + BLOCK_SIZE));
      bytes.set(piece, block);
      count += run.countLineFeeds(block, block + piece.length);
    }
    return count;
  }

  /**
   * Reads some whole lines from `from`, a line's start, on. Returns where the next ones start and, in ascending order, an
   * offset within (or at the end of) each matching line.
   */
  scanSome(text: Uint8Array, from: number, meter: WorkMeter): { to: number; hits: number[] } {
    this.#dfa.meter = meter;
    const to = blockEnd(text, from);
    if (to === undefined) return this.#scanLongLine(text, from, meter);
    meter.spend(to - from);
    const hits = this.#scanBlock(text, from, to);
    const shift = from - this.#kernels.block;
    for (let i = 0; i < hits.length; i++) hits[i]! += shift;
    return { to, hits };
  }

  #scanBlock(text: Uint8Array, from: number, to: number): number[] {
    const { block } = this.#kernels;
    const isLast = to === text.length;
    let end = this.#load(text, from, to);
    if (isLast) end = this.#withoutLineBreak(end);
    const start = { at: block, isFirst: from === 0 };
    if (this.#useFragments?.isWorthwhile(to - from)) {
      const hits = this.#runCandidates(start, end, isLast);
      if (hits) return hits;
    }
    this.#setSkipping(this.#useShifts?.isWorthwhile(to - from) ?? false);
    const isLarge = end - block >= FOUR_LANES_FROM;
    const hits =
      isLarge && !this.#skips && !this.#dfa.isResting
        ? this.#runFourLanes(start, end, isLast)
        : this.#runOneLane(start, end, isLast);
    if (this.#skips) {
      const read = this.#kernels.run.takeShiftsRead();
      this.#useShifts!.record(this.#kernels.run.takeBytesSkipped(), read * SKIPPED_PER_READ);
    }
    return hits;
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

  get #skips(): boolean {
    return this.#dfa.marksStarts;
  }

  #setSkipping(on: boolean): void {
    this.#dfa.marksStarts = on;
    this.#kernels.run.setShiftRows(on ? this.#shifts!.rows : 0);
  }

  /** Runs only the lines that hold a fragment; undefined if those are too much of the text. */
  #runCandidates(start: Start, end: number, isLast: boolean): number[] | undefined {
    const kernels = this.#kernels;
    const { block } = kernels;
    const candidates = kernels.candidates(kernels.run.findCandidates(block, end));
    let candidateBytes = 0;
    for (let i = 0; i < candidates.length; i += 2) candidateBytes += candidates[i + 1]! - candidates[i]!;
    this.#useFragments!.record(end - block, candidateBytes / CANDIDATE_PART_MAX);
    if (candidateBytes > (end - block) * CANDIDATE_PART_MAX) return undefined;
    const hits: number[] = [];
    for (let i = 0; i < candidates.length; i += 2) {
      const at = candidates[i]!;
      const lineEnd = candidates[i + 1]!;
      const line = { at, isFirst: start.isFirst && at === start.at };
      for (const hit of this.#runOneLane(line, lineEnd, isLast && lineEnd === end)) hits.push(hit);
    }
    return hits;
  }

  #runOneLane(start: Start, end: number, isLast: boolean): number[] {
    const { hits, run } = this.#kernels;
    this.#syncStarts();
    this.#kernels.setLane(0, { state: this.#startState(start), at: start.at, end, hit: hits });
    run.skipLane(0);
    this.#finishLane(0);
    if (isLast) this.#endText(0);
    return this.#hitsOf(0, hits);
  }

  #startState({ isFirst }: Start): number {
    return this.#dfa.starts[isFirst ? behind.textStart : behind.lineStart]!;
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
    const kernels = this.#kernels;
    const state = kernels.laneState(lane);
    if (state === DECIDED || !this.#dfa.endsMatch(state, this.#dfa.endClass)) return;
    kernels.run.hitLane(lane);
  }

  #runFourLanes(start: Start, end: number, isLast: boolean): number[] {
    const kernels = this.#kernels;
    const { block, hits } = kernels;
    this.#syncStarts();
    const begins: number[] = [];
    let at = start.at;
    for (let lane = 0; lane < 4; lane++) {
      begins.push(at);
      const cut =
        lane === 3
          ? end
          : kernels.bytes.lastIndexOf(LINE_FEED, block + (((end - block) * (lane + 1)) >> 2)) + 1;
      const laneEnd = Math.max(at, cut);
      const state = this.#startState({ at, isFirst: start.isFirst && lane === 0 });
      kernels.setLane(lane, { state, at, end: laneEnd, hit: hits + 4 * (at - block) });
      at = laneEnd;
    }
    this.#runInStep(begins, start.isFirst);
    if (isLast) this.#endText(3);
    return begins.flatMap((begin, lane) => this.#hitsOf(lane, hits + 4 * (begin - block)));
  }

  /** All four lanes to their ends. */
  #runInStep(begins: readonly number[], isFirst: boolean): void {
    const kernels = this.#kernels;
    const dfa = this.#dfa;
    // The flush that each lane's state was made in.
    const madeIn = [dfa.flushes, dfa.flushes, dfa.flushes, dfa.flushes];
    const flushes = dfa.flushes;
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
    for (let lane = 0; lane < 4; lane++) {
      const at = kernels.laneAt(lane);
      if (madeIn[lane] !== dfa.flushes && kernels.laneState(lane) !== DECIDED) {
        const lineStart = Math.max(begins[lane]!, kernels.bytes.lastIndexOf(LINE_FEED, at - 1) + 1);
        kernels.moveLane(
          lane,
          this.#startState({ at, isFirst: isFirst && lineStart === begins[0] }),
          lineStart,
        );
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

  #hitsOf(lane: number, from: number): number[] {
    const kernels = this.#kernels;
    return Array.from(kernels.words.subarray(from >> 2, kernels.laneHit(lane) >> 2));
  }

  /** The loops read the start states from memory, so they must follow the automaton's. */
  #syncStarts(): void {
    if (this.#flushesSeen === this.#dfa.flushes) return;
    this.#flushesSeen = this.#dfa.flushes;
    this.#kernels.starts = this.#dfa.starts;
  }

  /** A line that does not fit a block is read in pieces, the state carried from one to the next. */
  #scanLongLine(text: Uint8Array, from: number, meter: WorkMeter): { to: number; hits: number[] } {
    const kernels = this.#kernels;
    this.#setSkipping(false);
    this.#syncStarts();
    let state = this.#startState({ at: from, isFirst: from === 0 });
    const hits: number[] = [];
    for (let at = from; ; ) {
      const piece = nextPiece(text, at);
      if (state !== DECIDED) {
        meter.spend(piece.end - at);
        const end = this.#load(text, at, piece.end);
        kernels.setLane(0, { state, at: kernels.block, end, hit: kernels.hits });
        this.#finishLane(0);
        state = kernels.laneState(0);
        for (const hit of this.#hitsOf(0, kernels.hits)) hits.push(hit - kernels.block + at);
      }
      at = piece.end;
      if (!piece.endsLine) continue;
      const isLast = piece.next === text.length;
      const last = isLast ? this.#dfa.endClass : this.#dfa.classOf[LINE_FEED]!;
      if (state !== DECIDED && this.#dfa.endsMatch(state, last)) hits.push(at);
      return { to: piece.next, hits };
    }
  }
}

interface Start {
  at: number;
  /** Nothing of the text lies before it. */
  isFirst: boolean;
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
