import { crc32 } from 'node:zlib';
import { HEADER_BYTES } from '../segments/segment-format.ts';
import { SummedOutput } from '../segments/summed-output.ts';
import {
  CHUNKS_PAGE,
  type ChunksHead,
  type ChunksTables,
  chunksTablesBytes,
  chunksTablesOver,
  encodeChunksHead,
} from './chunks-format.ts';

/** A chunks file that is being written. */
export class ChunksOutput {
  readonly #output: SummedOutput;

  constructor(file: string) {
    this.#output = new SummedOutput(file, CHUNKS_PAGE);
  }

  get file(): string {
    return this.#output.file;
  }

  /** Bytes of the body so far. */
  get at(): number {
    return this.#output.at;
  }

  write(bytes: Uint8Array): void {
    this.#output.write(bytes);
  }

  /** Ends the file. */
  finish(
    counts: Omit<ChunksHead, 'bodyBytes' | 'tablesBytes' | 'tablesCrc' | 'fileBytes'>,
    tables: Omit<ChunksTables, 'pageSums'>,
  ): ChunksHead {
    const bodyBytes = this.at;
    const sized = { ...counts, bodyBytes };
    const bytes = new Uint8Array(chunksTablesBytes(sized));
    const into = chunksTablesOver(bytes.buffer, sized);
    for (const [name, column] of Object.entries({ ...tables, pageSums: this.#output.sums() }))
      into[name as keyof ChunksTables].set(column);
    const head: ChunksHead = {
      ...sized,
      tablesBytes: bytes.length,
      tablesCrc: crc32(bytes),
      fileBytes: HEADER_BYTES + bodyBytes + bytes.length,
    };
    this.#output.finish(encodeChunksHead(head), bytes);
    return head;
  }

  discard(): void {
    this.#output.discard();
  }
}
