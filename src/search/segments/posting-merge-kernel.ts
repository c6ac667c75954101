import { Instance, Memory, Module } from '../../base/web-assembly.ts';
import { kernelsWasm } from './generated/posting-merge-kernel-wasm.ts';

/** The compiled loops, described in posting-merge-kernel.as.ts. */
export interface PostingMergeLoops {
  startMerge(bitmap: number, summary: number, blocks: number, bytes: number): void;
  mergeLists(
    parts: number,
    from: number,
    count: number,
    out: number,
    outEnd: number,
    offsets: number,
    base: number,
  ): number;
  bytesEmitted(): number;
  /** Grams whose lists the last call has merged. */
  merged(): number;
  checksum(at: number, length: number): number;
}

const PAGE = 65_536;

export function createPostingMergeKernel(sizeBytes: number): {
  run: PostingMergeLoops;
  bytes: Uint8Array;
  words: Uint32Array;
} {
  const memory = new Memory({ initial: Math.ceil(sizeBytes / PAGE) });
  const module = new Module(Buffer.from(kernelsWasm, 'base64'));
  const run = new Instance(module, { env: { memory } }).exports as PostingMergeLoops;
  return { run, bytes: new Uint8Array(memory.buffer), words: new Uint32Array(memory.buffer) };
}
