import { Instance, Memory, Module } from '../base/web-assembly.ts';
import { kernelsWasm } from './generated/keyword-kernel-wasm.ts';

/** The compiled loop of keyword-kernel.as.ts with memory of its own. */
export interface KeywordKernel {
  readonly blockBytes: number;
  /** Offsets from `from` on, in order, of places whose hash has its bit set, in a view that the next call overwrites. */
  placesIn(text: Uint8Array, from: number): Uint32Array;
}

interface Exports {
  TABLE: { value: number };
  BLOCK: { value: number };
  BLOCK_SIZE: { value: number };
  FOUND: { value: number };
  findPlaces(length: number): number;
}

const pageBytes = 65_536;
/** A three at the end of a block goes on in the next one. */
const beyond = 2;
const emptyBytes = 16;
/** Table, block and the places, of which there can be one for every second byte. */
const memoryBytes = 5 * pageBytes;

export function createKeywordKernel(bits: Uint8Array): KeywordKernel {
  const module = new Module(Buffer.from(kernelsWasm, 'base64'));
  const memory = new Memory({ initial: Math.ceil(memoryBytes / pageBytes) });
  const kernel = new Instance(module, { env: { memory } }).exports as Exports;
  const bytes = new Uint8Array(memory.buffer);
  const blockAt = kernel.BLOCK.value;
  const blockBytes = kernel.BLOCK_SIZE.value;
  bytes.set(bits, kernel.TABLE.value);
  return {
    blockBytes,
    placesIn(text, from) {
      const length = Math.min(blockBytes, text.length - from);
      const copied = text.subarray(from, Math.min(text.length, from + length + beyond));
      bytes.set(copied, blockAt);
      bytes.fill(0, blockAt + copied.length, blockAt + copied.length + emptyBytes);
      return new Uint32Array(memory.buffer, kernel.FOUND.value, kernel.findPlaces(length));
    },
  };
}
