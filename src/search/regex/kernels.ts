import {
  Instance,
  Memory,
  Module,
  type WasmConstant,
  type WasmMemory,
  type WasmModule,
} from '../../base/web-assembly.ts';
import type { FragmentTables } from './fragments.ts';
import { kernelsWasm } from './generated/kernels-wasm.ts';
import type { TableHome } from './lazy-dfa.ts';

/** The compiled loops, described in kernels.as.ts. */
interface Loops {
  runOne(lane: number): number;
  runFour(): number;
  hitLane(lane: number): void;
  passLine(lane: number): void;
  skipLane(lane: number): void;
  setShiftRows(rows: number): void;
  setFragmentLength(length: number): void;
  takeShiftsRead(): number;
  takeBytesSkipped(): number;
  countLineFeeds(at: number, end: number): number;
  hideCarriageReturns(at: number, end: number): void;
  hideBadBytes(at: number, end: number): void;
  findCandidates(from: number, end: number): number;
  lengthOfCandidates(): number;
  candidateStart(index: number): number;
  runCandidates(index: number, count: number): number;
  candidateEnd(index: number): number;
  locateHits(hit: number, count: number, from: number, end: number): void;
}

/** Where in the memory things lie, as addresses; constants of kernels.as.ts. */
type Place =
  | 'LANES'
  | 'STARTS'
  | 'CLASSES'
  | 'WORD_BYTES'
  | 'FRAGMENTS'
  | 'SHIFTS'
  | 'BLOCK'
  | 'HITS'
  | 'LOCATED'
  | 'TABLE';

export const BLOCK_SIZE = 65_536;
export const SHIFT_ROWS_MAX = 48;
/** Lines that locateHits takes at once. */
export const LOCATED_MAX = 2048;
const PAGE = 65_536;
const LANE_WORDS = 4;

let compiled: WasmModule | undefined;

function compiledModule(): WasmModule {
  compiled ??= new Module(Buffer.from(kernelsWasm, 'base64'));
  return compiled;
}

/** A memory with the loops over it. It has room for one block and one table, so it belongs to one automaton. */
export class Kernels implements TableHome {
  readonly run: Loops;
  readonly block: number;
  readonly hits: number;
  readonly #memory: WasmMemory;
  readonly #table: number;
  readonly #lanes: number;
  readonly #located: number;
  readonly #exports: Loops & Readonly<Record<Place, WasmConstant>>;
  /** Views of the memory; growing it makes new ones. */
  bytes: Uint8Array;
  words: Int32Array;

  constructor() {
    // The first table is of a page; the memory behind it grows with the table.
    this.#memory = new Memory({ initial: 7 });
    const imports = { env: { memory: this.#memory } };
    const exports = new Instance(compiledModule(), imports).exports as Loops & Record<Place, WasmConstant>;
    this.#exports = exports;
    this.run = exports;
    this.block = exports.BLOCK.value;
    this.hits = exports.HITS.value;
    this.#table = exports.TABLE.value;
    this.#lanes = exports.LANES.value >> 2;
    this.#located = exports.LOCATED.value >> 2;
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
    this.bytes.set(classOf, this.#exports.CLASSES.value);
  }

  set wordBytes(isWord: Uint8Array) {
    this.bytes.set(isWord, this.#exports.WORD_BYTES.value);
  }

  set starts(states: Int32Array) {
    this.words.set(states, this.#exports.STARTS.value >> 2);
  }

  set shifts(rows: Uint8Array) {
    this.bytes.set(rows, this.#exports.SHIFTS.value);
  }

  set fragments({ tables, length }: FragmentTables) {
    this.bytes.set(tables, this.#exports.FRAGMENTS.value);
    this.run.setFragmentLength(length);
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

  /** Start, end and number of line feeds before it of each line that locateHits has found. */
  located(count: number): Int32Array {
    return this.words.subarray(this.#located, this.#located + 3 * count);
  }

  #laneWord(lane: number): number {
    return this.#lanes + LANE_WORDS * lane;
  }
}
