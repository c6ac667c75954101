import { Instance, Module, type WasmModule } from '../../base/web-assembly.ts';
import { kernelsWasm } from './generated/vector-kernels-wasm.ts';

/** The compiled loops, described in vector-kernels.as.ts. */
export interface VectorLoops {
  maskByBits(owners: number, count: number, bits: number, bitCount: number, mask: number): void;
  maskByList(
    owners: number,
    count: number,
    list: number,
    listCount: number,
    at: number,
    mask: number,
  ): number;
  maskAll(count: number, mask: number): void;
  maskWithout(mask: number, without: number, count: number): void;
  startScores(at: number, most: number): void;
  bestCount(): number;
  bestLeftOut(): number;
  scored(): number;
  sumOfScores(): number;
  sumOfSquares(): number;
  scanRecords(
    records: number,
    stride: number,
    width: number,
    count: number,
    query: number,
    unit: number,
    mask: number,
    base: number,
  ): void;
  startSketches(
    nearAt: number,
    most: number,
    room: number,
    countsAt: number,
    bits: number,
    sampleAt: number,
    drawn: number,
  ): void;
  nearFound(): number;
  sampled(): number;
  sketched(): number;
  scanSketches(
    sketches: number,
    words: number,
    count: number,
    query: number,
    mask: number,
    base: number,
  ): void;
}

/** Scores in sums are whole numbers of this part. */
export const SCORE_UNITS = 65_536;

let compiled: WasmModule | undefined;

/** An instance of this thread over a memory that threads share. */
export function startVectorLoops(memory: object): VectorLoops {
  compiled ??= new Module(Buffer.from(kernelsWasm, 'base64'));
  return new Instance(compiled, { env: { memory } }).exports as VectorLoops;
}
