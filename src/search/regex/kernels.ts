import { kernelsWasm } from './generated/kernels-wasm.ts';
import type { TableHome } from './lazy-dfa.ts';
import {
  Instance,
  Memory,
  Module,
  type WasmConstant,
  type WasmMemory,
  type WasmModule,
} from './web-assembly.ts';

/** The compiled loops of kernels.as.ts, where they are described, and where in their memory things lie. */
interface KernelExports {
  runOne(lane: number): number;
  runFour(): number;
  hitLane(lane: number): void;
  passLine(lane: number): void;
  skipLane(lane: number): void;
  setShiftRows(rows: number): void;
  takeShiftsRead(): number;
  takeBytesSkipped(): number;
  countLineFeeds(at: number, end: number): number;
  hideCarriageReturns(at: number, end: number): void;
  hideBadBytes(at: number, end: number): void;
  findCandidates(from: number, end: number): number;
  LANES: WasmConstant;
  STARTS: WasmConstant;
  CLASSES: WasmConstant;
  WORD_BYTES: WasmConstant;
  FRAGMENTS: WasmConstant;
  SHIFTS: WasmConstant;
  SHIFT_ROWS_MAX: WasmConstant;
  BLOCK: WasmConstant;
  HITS: WasmConstant;
  CANDIDATES: WasmConstant;
  TABLE: WasmConstant;
}

export const BLOCK_SIZE = 65_536;
export const SHIFT_ROWS_MAX = 48;
const PAGE = 65_536;
const LANE_WORDS = 4;

let compiled: WasmModule | undefined;

function compiledModule(): WasmModule {
  compiled ??= new Module(Buffer.from(kernelsWasm, 'base64'));
  return compiled;
}

/** A memory with the loops over it. It has room for one block and one table, so it belongs to one automaton. */
export class Kernels implements TableHome {
  readonly run: KernelExports;
  readonly block: number;
  readonly hits: number;
  readonly #memory: WasmMemory;
  readonly #table: number;
  /** Views of the memory; growing it makes new ones. */
  bytes: Uint8Array;
  words: Int32Array;

  constructor() {
    // The first table is of a page; the memory behind it grows with the table.
    this.#memory = new Memory({ initial: 7 });
    const imports = { env: { memory: this.#memory } };
    this.run = new Instance(compiledModule(), imports).exports as unknown as KernelExports;
    this.block = this.run.BLOCK.value;
    this.hits = this.run.HITS.value;
    this.#table = this.run.TABLE.value;
    this.bytes = new Uint8Array(this.#memory.buffer);
    this.words = new Int32Array(this.#memory.buffer);
  }

  grow(_old: Int32Array | undefined, entries: number): Int32Array {
    const missing = this.#table + entries * 4 - this.#memory.buffer.byteLength;
    if (missing > 0) {
      this.#memory.grow(Math.ceil(missing / PAGE));
      this.bytes = new Uint8Array(this.#memory.buffer);
      this.words = new Int32Array(this.#memory.buffer);
    }
    return new Int32Array(this.#memory.buffer, this.#table, entries);
  }

  set classes(classOf: Uint8Array) {
    this.bytes.set(classOf, this.run.CLASSES.value);
  }

  set wordBytes(isWord: Uint8Array) {
    this.bytes.set(isWord, this.run.WORD_BYTES.value);
  }

  set starts(states: Int32Array) {
    this.words.set(states, this.run.STARTS.value >> 2);
  }

  set shifts(rows: Uint8Array) {
    this.bytes.set(rows, this.run.SHIFTS.value);
  }

  set fragments(tables: Uint8Array) {
    this.bytes.set(tables, this.run.FRAGMENTS.value);
  }

  setLane(lane: number, values: { state: number; at: number; end: number; hit: number }): void {
    const word = this.#laneWord(lane);
    this.words[word] = values.state;
    this.words[word + 1] = values.at;
    this.words[word + 2] = values.end;
    this.words[word + 3] = values.hit;
  }

  laneState(lane: number): number {
    return this.words[this.#laneWord(lane)]!;
  }

  laneAt(lane: number): number {
    return this.words[this.#laneWord(lane) + 1]!;
  }

  laneEnd(lane: number): number {
    return this.words[this.#laneWord(lane) + 2]!;
  }

  laneHit(lane: number): number {
    return this.words[this.#laneWord(lane) + 3]!;
  }

  /** Moves a lane; its end and its hits stay. */
  moveLane(lane: number, state: number, at: number): void {
    const word = this.#laneWord(lane);
    this.words[word] = state;
    this.words[word + 1] = at;
  }

  /** Starts and ends of the candidate lines that findCandidates has stored, in turn. */
  candidates(count: number): Int32Array {
    const word = this.run.CANDIDATES.value >> 2;
    return this.words.slice(word, word + 2 * count);
  }

  #laneWord(lane: number): number {
    return (this.run.LANES.value >> 2) + LANE_WORDS * lane;
  }
}
