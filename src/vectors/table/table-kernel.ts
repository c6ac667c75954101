import { Instance, Memory, Module, type WasmConstant } from '../../base/web-assembly.ts';
import { kernelsWasm } from './generated/table-kernel-wasm.ts';
import type { StaticTable } from './table-file.ts';

/** The compiled loop of table-kernel.as.ts with the rows of a table in its memory. */
export interface TableKernel {
  /** To be filled before a field is added. */
  readonly pieces: Uint32Array;
  readonly factors: Float32Array;
  /** Of the fields that were added; to be cleared before the first. */
  readonly sum: Float32Array;
  /** The first `count` pieces with their factors, as one direction with a length of `weight`. */
  addField(count: number, weight: number): void;
}

interface Exports extends Record<'SUM' | 'PIECES' | 'FACTORS' | 'ROWS', WasmConstant> {
  addField(count: number, dimensions: number, weight: number): void;
}

const PAGE = 65_536;

export function createTableKernel({ rows, dimensions }: StaticTable): TableKernel {
  const module = new Module(Buffer.from(kernelsWasm, 'base64'));
  // The constants stand in the module, and the memory has to be there before it: it is grown afterwards.
  const memory = new Memory({ initial: 2 });
  const run = new Instance(module, { env: { memory } }).exports as Exports;
  memory.grow(Math.ceil(rows.length / PAGE));
  new Int8Array(memory.buffer, run.ROWS.value, rows.length).set(rows);
  const piecesMax = (run.FACTORS.value - run.PIECES.value) / 4;
  return {
    pieces: new Uint32Array(memory.buffer, run.PIECES.value, piecesMax),
    factors: new Float32Array(memory.buffer, run.FACTORS.value, piecesMax),
    sum: new Float32Array(memory.buffer, run.SUM.value, dimensions),
    addField: (count, weight) => run.addField(count, dimensions, weight),
  };
}
