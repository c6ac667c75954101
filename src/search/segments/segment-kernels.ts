import { Instance, Memory, Module, type WasmConstant, type WasmModule } from '../../base/web-assembly.ts';
import { kernelsWasm } from './generated/segment-kernels-wasm.ts';

/** The compiled loops, described in segment-kernels.as.ts. */
export interface SegmentLoops {
  startBuilder(frequent: number): void;
  startSegment(): void;
  poolEnd(): number;
  gramsGiven(): number;
  startText(unit: number, watched: number): void;
  dropText(): void;
  addBlock(at: number, length: number, unit: number): number;
  listGrams(keys: number, ids: number): number;
  listShapes(keys: number, ids: number): number;
  emitLists(
    ids: number,
    from: number,
    count: number,
    out: number,
    outEnd: number,
    scratch: number,
    base: number,
    blocks: number,
    bitmapBytes: number,
  ): number;
  bytesEmitted(): number;
  decompress(from: number, size: number, to: number, length: number, lowest: number): number;
  indexDictionary(group: number, length: number): void;
  compress(text: number, length: number, group: number, dictionaryLength: number): number;
  checksum(at: number, length: number): number;
  decodeList(at: number, end: number, out: number): number;
  keepInList(blocks: number, count: number, at: number, end: number): number;
  keepInBitmap(blocks: number, count: number, bitmap: number): number;
  andBitmap(bitmap: number, other: number, bytes: number): void;
  orBitmap(bitmap: number, other: number, bytes: number): void;
  orList(bitmap: number, at: number, end: number): void;
  orBlocks(bitmap: number, blocks: number, count: number): void;
  blocksOfBitmap(bitmap: number, bytes: number, out: number): number;
  findAll(
    text: number,
    length: number,
    needle: number,
    mask: number,
    needleLength: number,
    rare: number,
    next: number,
    out: number,
    max: number,
  ): number;
  countLineFeeds(at: number, end: number): number;
  lineStart(from: number, at: number, lines: number): number;
  lineEnd(at: number, end: number, lines: number): number;
}

type Place =
  | 'FOLD'
  | 'SHAPE_CLASSES'
  | 'COMPRESSED'
  | 'DICTIONARIES'
  | 'WINDOW'
  | 'WINDOW_SIZE'
  | 'FREQUENT'
  | 'POOL';

const PAGE = 65_536;
/** Each growth makes the views anew, so it is not done for little. */
const GROWTH_MIN = 16 << 20;
let compiled: WasmModule | undefined;

function compiledModule(): WasmModule {
  compiled ??= new Module(Buffer.from(kernelsWasm, 'base64'));
  return compiled;
}

/** A memory with the loops over it. Untouched parts of it cost address space alone. */
export class SegmentKernels {
  readonly run: SegmentLoops;
  readonly places: Readonly<Record<Place, number>>;
  /** Views of the memory; growing it makes new ones. */
  bytes: Uint8Array;
  buffer: Buffer;
  words: Uint32Array;
  readonly #memory: InstanceType<typeof Memory>;

  /** Kernels over the memory of a builder, whose places are fixed. */
  static forBuilding(): SegmentKernels {
    const kernels = new SegmentKernels(0);
    kernels.reach(kernels.places.POOL);
    return kernels;
  }

  constructor(sizeBytes: number) {
    this.#memory = new Memory({ initial: Math.max(1, Math.ceil(sizeBytes / PAGE)) });
    const { exports } = new Instance(compiledModule(), { env: { memory: this.#memory } });
    this.run = exports as SegmentLoops;
    const constants = exports as Record<Place, WasmConstant>;
    this.places = {
      FOLD: constants.FOLD.value,
      SHAPE_CLASSES: constants.SHAPE_CLASSES.value,
      COMPRESSED: constants.COMPRESSED.value,
      DICTIONARIES: constants.DICTIONARIES.value,
      WINDOW: constants.WINDOW.value,
      WINDOW_SIZE: constants.WINDOW_SIZE.value,
      FREQUENT: constants.FREQUENT.value,
      POOL: constants.POOL.value,
    };
    this.bytes = new Uint8Array(this.#memory.buffer);
    this.buffer = Buffer.from(this.#memory.buffer);
    this.words = new Uint32Array(this.#memory.buffer);
  }

  /** Makes addresses up to `end` usable. */
  reach(end: number): void {
    const missing = end - this.bytes.length;
    if (missing <= 0) return;
    this.#memory.grow(Math.ceil(Math.max(missing, GROWTH_MIN) / PAGE));
    this.bytes = new Uint8Array(this.#memory.buffer);
    this.buffer = Buffer.from(this.#memory.buffer);
    this.words = new Uint32Array(this.#memory.buffer);
  }
}
