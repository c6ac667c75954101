import { LINE_FEED } from './code-point-set.ts';
import { LINE_FILLER } from './compiler.ts';
import { isWordByte } from './named-classes.ts';
import type { Program } from './program.ts';
import { behind, ThreadStepper } from './thread-stepper.ts';
import type { WorkMeter } from './work-meter.ts';

/**
 * Entries of a table. From 0 up an entry is the next state, as the offset of its row. All that is special is negative, so that a
 * loop has one thing to compare: the two below, and from SPECIAL down a state with a mark (`stateIn`, `isMatch`).
 */
export const UNKNOWN = -1;
/** Nothing that began on this line can match any more. */
export const DEAD = -2;
const SPECIAL = -3;
/** No entry but an answer of `next`: the cache does not pay, go on by `runUncached`. */
export const CROWDED = -0x8000_0000;

/** The state that a special entry leads to. */
export function stateIn(entry: number): number {
  return (SPECIAL - entry) >> 1;
}

/** Whether a match ended before the byte. A special entry without a match leads to a start state that is marked for skipping. */
export function isMatch(entry: number): boolean {
  return entry <= SPECIAL && ((SPECIAL - entry) & 1) === 1;
}

/** Where tables lie: on JavaScript's heap, or in the memory of the compiled loops. */
export interface TableHome {
  /** Room for so many entries; what was given before is no longer used, and its entries are kept. */
  grow(old: Int32Array | undefined, entries: number): Int32Array;
}

export const heapTables: TableHome = {
  grow(old, entries) {
    const table = new Int32Array(entries);
    if (old) table.set(old);
    return table;
  },
};

export interface DfaOptions {
  program: Program;
  /** The program's `start` or `search`. */
  entry: number;
  /** The longest match instead of the preferred one. */
  longest: boolean;
  /** Bound of the table, in entries of four bytes. When it is full all states are dropped. */
  maxEntries: number;
}

/** Where a run without the cache has got to. */
export interface UncachedRun {
  at: number;
  /** DEAD if the line is decided; only then, or at the bound, has the run ended early. */
  state: number;
  /** The last offset at which a match was seen to end (to begin, in a reversed run), or -1. */
  matchedAt: number;
}

const ENTRIES_AT_FIRST = 4096;
/** A cache holds at least the start states and the two of one step. */
const STATES_MIN = 8;
const THREADS_HELD_MAX = 1 << 22;

/** A flushed cache has paid if it was read for so many bytes a state; so has a stretch of so many new states at the lower rate. */
const BYTES_PER_STATE_AT_FLUSH = 10;
const NEW_STATES_PER_REVIEW = 16_384;
const BYTES_PER_STATE_AT_REVIEW = 5;

/**
 * A deterministic automaton that is built while it runs, in bounded memory. A state is a list of threads; its row in the table
 * has an entry for each class of bytes and one, the last, for the end of the text. When states are used too seldom to pay for
 * themselves, threads are stepped without a cache for a while, longer each time: so time stays linear in the text, whatever the pattern.
 */
export class LazyDfa {
  table: Int32Array;
  readonly classOf: Uint8Array;
  readonly stride: number;
  /** The start states, by what lies behind (`behind`). Valid until the next flush. */
  readonly starts = new Int32Array(4);
  /** Counts how often all states were dropped: an offset is only good for the flush that it was made in. */
  flushes = 0;
  statesBuilt = 0;
  bytesUncached = 0;
  /** Bytes read by way of the table, to judge by whether it pays. Kept by the loops. */
  bytesCached = 0;
  /** After `next`: where the state that was passed in lies now, and whether a match ended before the byte. */
  source = 0;
  matched = false;

  readonly #program: Program;
  readonly #stepper: ThreadStepper;
  readonly #entry: number;
  readonly #maxEntries: number;
  #home: TableHome = heapTables;
  #marksStarts = false;
  #meter: WorkMeter | undefined;

  #lists: Int32Array[] = [];
  #known: number[] = [];
  #buckets = new Int32Array(64);
  #threadsHeld = 0;

  #crowded = false;
  #strikes = 0;
  #uncachedLeft = 0;
  #builtAtFlush = 0;
  #bytesAtFlush = 0;
  #builtAtReview = 0;
  #bytesAtReview = 0;

  constructor({ program, entry, longest, maxEntries }: DfaOptions) {
    this.#program = program;
    this.#stepper = new ThreadStepper(program, longest);
    this.#entry = entry;
    this.classOf = program.classOf;
    this.stride = program.byteOf.length + 1;
    this.#maxEntries = Math.max(maxEntries, STATES_MIN * this.stride);
    this.table = this.#home.grow(
      undefined,
      Math.min(this.#maxEntries, Math.max(ENTRIES_AT_FIRST, STATES_MIN * this.stride)),
    );
    this.#reset();
  }

  get tracksWords(): boolean {
    return this.#stepper.tracksWords;
  }

  /** What a start after this byte has behind it. */
  placeAfter(byte: number): number {
    if (byte === LINE_FEED || byte === LINE_FILLER) return behind.lineStart;
    return this.tracksWords && isWordByte(byte) ? behind.wordCharacter : behind.otherCharacter;
  }

  /** The class that stands for the end of the text. */
  get endClass(): number {
    return this.stride - 1;
  }

  /** Whether the next bytes are to be run by `runUncached`, since the cache has not paid. */
  get isResting(): boolean {
    return this.#uncachedLeft > 0;
  }

  /** Work of the coming calls is counted here. */
  set meter(meter: WorkMeter) {
    this.#meter = meter;
  }

  /** Moves the table, dropping all states. */
  moveTo(home: TableHome): void {
    this.#home = home;
    this.table = home.grow(undefined, this.table.length);
    this.#flush();
  }

  get marksStarts(): boolean {
    return this.#marksStarts;
  }

  /** Marks entries that lead to a start state, for a loop that skips from there. */
  set marksStarts(on: boolean) {
    if (this.#marksStarts === on) return;
    this.#marksStarts = on;
    const { table } = this;
    for (let i = 0; i < this.#lists.length * this.stride; i++) {
      const entry = table[i]!;
      if (entry >= 0) table[i] = this.#markedStart(entry);
      else if (entry <= SPECIAL && !isMatch(entry)) table[i] = this.#markedStart(stateIn(entry));
    }
  }

  /** Never uses the cache again: for tests. */
  neverCache(): void {
    this.#uncachedLeft = Number.POSITIVE_INFINITY;
  }

  /** The entry for a state and a class, built if need be, or CROWDED. */
  next(state: number, byteClass: number): number {
    this.source = state;
    const entry = this.table[state + byteClass]!;
    if (entry !== UNKNOWN) {
      this.matched = isMatch(entry);
      return entry;
    }
    const built = this.#build(state, byteClass);
    if (built !== CROWDED) this.table[this.source + byteClass] = built;
    return built;
  }

  /** Whether a match ends where this class of bytes, or the end, follows. */
  endsMatch(state: number, byteClass: number): boolean {
    this.next(state, byteClass);
    return this.matched;
  }

  #build(state: number, byteClass: number): number {
    const row = state / this.stride;
    const list = this.#lists[row]!;
    const known = this.#known[row]!;
    const atEnd = byteClass === this.endClass;
    const byte = atEnd ? LINE_FEED : this.#program.byteOf[byteClass]!;
    this.#spendWork();
    if (byte === LINE_FILLER && this.#program.spansLines) {
      this.matched = false;
      return this.#markedStart(state);
    }
    this.matched = byte !== LINE_FILLER && this.#stepper.step(list, list.length, known, byte, atEnd);
    if (atEnd) return this.matched ? this.#marked(0) : DEAD;
    if (this.#resetsAt(byte)) return this.#marked(this.starts[behind.lineStart]!);
    if (this.#stepper.count === 0 && !this.matched) return DEAD;
    return this.#toThreads(list, known);
  }

  #resetsAt(byte: number): boolean {
    return !this.#program.spansLines && (byte === LINE_FEED || byte === LINE_FILLER);
  }

  /** The entry that leads to the threads of the stepper. */
  #toThreads(list: Int32Array, known: number): number {
    const stepper = this.#stepper;
    if (!this.#passesReview()) return CROWDED;
    let target = this.#intern(stepper.threads, stepper.count, stepper.known);
    if (target === UNKNOWN) {
      if (!this.#paid(this.#builtAtFlush, this.#bytesAtFlush, BYTES_PER_STATE_AT_FLUSH)) return this.#crowd();
      const threads = stepper.threads.slice(0, stepper.count);
      const knownThere = stepper.known;
      this.#flush();
      this.source = this.#intern(list, list.length, known);
      target = this.#intern(threads, threads.length, knownThere);
    }
    return this.#marked(target);
  }

  #marked(state: number): number {
    if (this.matched) return SPECIAL - (2 * state + 1);
    return this.#markedStart(state);
  }

  #markedStart(state: number): number {
    const [start0, start1, start2, start3] = this.starts;
    const isStart = state === start0 || state === start1 || state === start2 || state === start3;
    return this.#marksStarts && isStart ? SPECIAL - 2 * state : state;
  }

  #passesReview(): boolean {
    if (this.statesBuilt - this.#builtAtReview < NEW_STATES_PER_REVIEW) return true;
    const paid = this.#paid(this.#builtAtReview, this.#bytesAtReview, BYTES_PER_STATE_AT_REVIEW);
    this.#builtAtReview = this.statesBuilt;
    this.#bytesAtReview = this.bytesCached;
    if (!paid) this.#crowd();
    return paid;
  }

  #paid(builtBefore: number, bytesBefore: number, bytesPerState: number): boolean {
    return this.bytesCached - bytesBefore >= (this.statesBuilt - builtBefore) * bytesPerState;
  }

  #crowd(): number {
    this.#crowded = true;
    this.#strikes++;
    this.#uncachedLeft = 2 ** Math.min(16 + 2 * this.#strikes, 40);
    return CROWDED;
  }

  /**
   * Steps threads from `state` over `bytes` from `from` up to `bound` (excluded; downwards if `direction` is -1) without
   * keeping what is built, as long as the cache rests. With `firstMatch` it stops before the byte that shows a match.
   */
  runUncached(
    state: number,
    bytes: Uint8Array,
    {
      from,
      bound,
      direction,
      firstMatch,
    }: { from: number; bound: number; direction: 1 | -1; firstMatch: boolean },
  ): UncachedRun {
    const stepper = this.#stepper;
    const row = state / this.stride;
    let list = this.#lists[row]!.slice();
    let count = list.length;
    let known = this.#known[row]!;
    if (this.#crowded) this.#flush();
    const run: UncachedRun = { at: from, state, matchedAt: -1 };
    for (; run.at !== bound && this.#uncachedLeft > 0; run.at += direction) {
      const byte = bytes[run.at]!;
      this.#uncachedLeft--;
      this.bytesUncached++;
      this.#spendWork();
      if (byte === LINE_FILLER && this.#program.spansLines) continue;
      const matched = byte !== LINE_FILLER && stepper.step(list, count, known, byte, false);
      if (matched) {
        run.matchedAt = direction > 0 ? run.at : run.at + 1;
        if (firstMatch) return run;
      }
      if (this.#resetsAt(byte)) stepper.start(this.#entry, behind.lineStart);
      else if (stepper.count === 0) return { ...run, state: DEAD };
      count = stepper.count;
      known = stepper.known;
      if (list.length < count) list = new Int32Array(stepper.threads.length);
      list.set(stepper.threads.subarray(0, count));
    }
    run.state = this.#intern(list, count, known);
    if (run.state === UNKNOWN) {
      this.#flush();
      run.state = this.#intern(list, count, known);
    }
    return run;
  }

  /** Passes the steps' work on, before the next one: the deadline may throw, and nothing is half done then. */
  #spendWork(): void {
    this.#meter?.spend(this.#stepper.work + 1);
    this.#stepper.work = 0;
  }

  /** The state of a list of threads, or UNKNOWN if there is no room for it. */
  #intern(threads: Int32Array, count: number, known: number): number {
    const bucket = this.#bucketOf(threads, count, known);
    const found = this.#buckets[bucket]!;
    if (found !== 0) return (found - 1) * this.stride;
    const states = this.#lists.length;
    const entries = (states + 1) * this.stride;
    const full = entries > this.#maxEntries || this.#threadsHeld + count > THREADS_HELD_MAX;
    if (full && states >= STATES_MIN) return UNKNOWN;
    if (entries > this.table.length) {
      this.table = this.#home.grow(
        this.table,
        Math.min(this.#maxEntries, Math.max(entries, this.table.length * 2)),
      );
    }
    this.table.fill(UNKNOWN, states * this.stride, entries);
    this.#lists.push(threads.slice(0, count));
    this.#known.push(known);
    this.#threadsHeld += count;
    this.statesBuilt++;
    this.#buckets[bucket] = states + 1;
    if (states * 2 > this.#buckets.length) this.#rehash();
    return states * this.stride;
  }

  /** The bucket that holds this list, or the empty one where it belongs (open addressing; a bucket holds a row plus one, or 0). */
  #bucketOf(threads: Int32Array, count: number, known: number): number {
    let hash = known;
    for (let i = 0; i < count; i++) hash = Math.imul(hash ^ threads[i]!, 0x01000193) + (hash >>> 15);
    const mask = this.#buckets.length - 1;
    for (let bucket = (hash ^ (hash >>> 13)) & mask; ; bucket = (bucket + 1) & mask) {
      const row = this.#buckets[bucket]! - 1;
      if (row < 0 || (this.#known[row] === known && isSame(this.#lists[row]!, threads, count))) return bucket;
    }
  }

  #rehash(): void {
    this.#buckets = new Int32Array(this.#buckets.length * 4);
    for (const [row, list] of this.#lists.entries()) {
      this.#buckets[this.#bucketOf(list, list.length, this.#known[row]!)] = row + 1;
    }
  }

  #flush(): void {
    this.flushes++;
    this.#crowded = false;
    this.#builtAtFlush = this.statesBuilt;
    this.#bytesAtFlush = this.bytesCached;
    this.#reset();
  }

  #reset(): void {
    this.#lists = [];
    this.#known = [];
    this.#buckets.fill(0);
    this.#threadsHeld = 0;
    for (const place of Object.values(behind)) {
      // Without assertions all places are alike.
      if (place > 0 && this.#program.assertions === 0) {
        this.starts[place] = this.starts[0]!;
        continue;
      }
      this.#stepper.start(this.#entry, place);
      this.starts[place] = this.#intern(this.#stepper.threads, this.#stepper.count, this.#stepper.known);
    }
  }
}

function isSame(list: Int32Array, threads: Int32Array, count: number): boolean {
  if (list.length !== count) return false;
  for (let i = 0; i < count; i++) if (list[i] !== threads[i]) return false;
  return true;
}
