import { LINE_FEED } from './code-point-set.ts';
import { isWordByte } from './named-classes.ts';
import { holds, op, type Program } from './program.ts';

/** What lies behind the place where a run starts. */
export const behind = { textStart: 0, lineStart: 1, wordCharacter: 2, otherCharacter: 3 } as const;

const UNDECIDED = holds.lineEnd | holds.textEnd | holds.wordEdge | holds.noWordEdge;
const WORD_ASSERTIONS = holds.wordEdge | holds.noWordEdge;

/**
 * The non-deterministic automaton run as an ordered list of threads, the preferred first (Thompson, Pike). A thread is an
 * instruction: one that takes a byte, the match, or an assertion that the next byte decides. The result of the last call lies in
 * `threads[0..count)` and `known`.
 *
 * What an assertion leads to is followed only when it is decided, yet the order must be as if all had been followed at once. So
 * a list with an assertion also holds the splits that were passed before it: when the list is gone through again, they
 * are not passed a second time (`(?:\B|.){2,}b` would else prefer another round to the `b`).
 */
export class ThreadStepper {
  readonly program: Program;
  /** In a longest run threads after a match go on; otherwise a match ends those that are less preferred. */
  readonly #longest: boolean;
  readonly tracksWords: boolean;
  /** Whether some assertion waits for the next byte. */
  readonly #decidesLate: boolean;
  /** Whether lists hold passed splits. A longest run needs none, since it has no preference. */
  readonly #keepsSplits: boolean;
  threads = new Int32Array(64);
  count = 0;
  /** Bits of what undecided assertions have to know of the place: line start, text start; word edge for "after a word character". */
  known = 0;
  /** Counts the instructions and edges that have been looked at. */
  work = 0;
  #decided = new Int32Array(64);
  #stack = new Int32Array(64);
  readonly #seenIn: Int32Array;
  #round = 0;

  constructor(program: Program, longest: boolean) {
    this.program = program;
    this.#longest = longest;
    this.tracksWords = (program.assertions & WORD_ASSERTIONS) !== 0;
    this.#decidesLate = (program.assertions & UNDECIDED) !== 0;
    this.#keepsSplits = this.#decidesLate && !longest;
    this.#seenIn = new Int32Array(program.ops.length);
  }

  /** The threads at `entry`, where `place` (one of `behind`) lies behind it. */
  start(entry: number, place: number): void {
    let truths = 0;
    if (place === behind.lineStart) truths = holds.lineStart;
    if (place === behind.textStart) truths = holds.lineStart | holds.textStart;
    this.#begin();
    this.#follow(entry, truths, UNDECIDED);
    this.#remember(place === behind.wordCharacter && this.tracksWords ? holds.wordEdge : truths);
  }

  /**
   * Moves the list `from[0..count)` over one byte, or over the end of the text if `atEnd`; true if a match ended before it.
   * Matches are seen this one byte late, so that `$` and `\b` can look at what follows. Only a program that spans lines passes a
   * line break.
   */
  step(from: Int32Array, count: number, known: number, byte: number, atEnd: boolean): boolean {
    const { ops, a, b, edgeLow, edgeHigh, edgeTo, spansLines } = this.program;
    const isBreak = byte === LINE_FEED;
    const ends = atEnd || (isBreak && !spansLines);
    const truths = isBreak ? holds.lineStart : 0;
    let threads = from;
    let alive = count;
    if (this.#decidesLate) {
      threads = this.#decide(from, count, known, byte, atEnd);
      alive = this.count;
    }
    let matched = false;
    this.#begin();
    for (let i = 0; i < alive; i++) {
      const thread = threads[i]!;
      if (ops[thread] === op.match) {
        matched = true;
        if (this.#longest) continue;
        break;
      }
      if (ends) continue;
      const end = b[thread]!;
      this.work += end - a[thread]!;
      for (let edge = a[thread]!; edge < end; edge++) {
        if (byte >= edgeLow[edge]! && byte <= edgeHigh[edge]!) this.#follow(edgeTo[edge]!, truths, UNDECIDED);
      }
    }
    this.#remember(this.tracksWords && isWordByte(byte) ? holds.wordEdge : truths);
    return matched;
  }

  /** The list with its assertions decided by the next byte. */
  #decide(from: Int32Array, count: number, known: number, byte: number, atEnd: boolean): Int32Array {
    const afterWord = (known & holds.wordEdge) !== 0;
    const beforeWord = !atEnd && isWordByte(byte);
    let truths = known & (holds.lineStart | holds.textStart);
    truths |= afterWord !== beforeWord ? holds.wordEdge : holds.noWordEdge;
    if (atEnd || byte === LINE_FEED) truths |= holds.lineEnd;
    if (atEnd) truths |= holds.textEnd;
    this.#begin();
    for (let i = 0; i < count; i++) {
      if (this.program.ops[from[i]!] === op.split) this.#seenIn[from[i]!] = this.#round;
      else this.#follow(from[i]!, truths, 0);
    }
    if (this.#decided.length < this.count) this.#decided = new Int32Array(this.threads.length);
    this.#decided.set(this.threads.subarray(0, this.count));
    return this.#decided;
  }

  #begin(): void {
    this.#round++;
    this.count = 0;
  }

  /** Adds what `entry` leads to without taking a byte. Assertions in `truths` are passed; of the others those in `undecided` wait in the list. */
  #follow(entry: number, truths: number, undecided: number): void {
    const { ops, a, b } = this.program;
    const seenIn = this.#seenIn;
    const round = this.#round;
    let top = 0;
    this.#stack[top++] = entry;
    while (top > 0) {
      let at = this.#stack[--top]!;
      while (seenIn[at] !== round) {
        seenIn[at] = round;
        this.work++;
        const kind = ops[at];
        if (kind === op.split) {
          if (this.#keepsSplits && undecided !== 0) this.#add(at);
          if (top === this.#stack.length) this.#stack = grown(this.#stack);
          this.#stack[top++] = b[at]!;
          at = a[at]!;
        } else if (kind === op.assert && (a[at]! & truths) !== 0) {
          at = b[at]!;
        } else {
          if (kind !== op.fail && (kind !== op.assert || (a[at]! & undecided) !== 0)) this.#add(at);
          break;
        }
      }
    }
  }

  #add(thread: number): void {
    if (this.count === this.threads.length) this.threads = grown(this.threads);
    this.threads[this.count++] = thread;
  }

  /**
   * Ends a list that may have to wait. What is known of the place is kept only if an assertion may ask for it, and splits
   * only before one: fewer states differ.
   */
  #remember(known: number): void {
    this.known = 0;
    if (!this.#decidesLate) return;
    const { ops } = this.program;
    let last = this.count - 1;
    while (last >= 0 && ops[this.threads[last]!] !== op.assert) last--;
    if (last >= 0) this.known = known;
    if (!this.#keepsSplits) return;
    let kept = last + 1;
    for (let i = kept; i < this.count; i++) {
      if (ops[this.threads[i]!] !== op.split) this.threads[kept++] = this.threads[i]!;
    }
    this.count = kept;
  }
}

function grown(list: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(list.length * 2);
  larger.set(list);
  return larger;
}
