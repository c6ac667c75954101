import { crc32 } from 'node:zlib';
import { NumberColumn } from '../segments/number-column.ts';
import { HEADER_BYTES } from '../segments/segment-format.ts';
import { SegmentOutput } from '../segments/segment-output.ts';
import {
  CHUNKS_PAGE,
  type ChunksHead,
  type ChunksTables,
  chunksTablesBytes,
  chunksTablesOver,
  encodeChunksHead,
} from './chunks-format.ts';

/** A chunks file that is being written: its body front to back with a sum for each page, then tables, the header last. */
export class ChunksOutput {
  readonly #output: SegmentOutput;
  readonly #sums = new NumberColumn();
  #page = 0;
  #filled = 0;

  constructor(file: string) {
    this.#output = new SegmentOutput(file);
  }

  get file(): string {
    return this.#output.file;
  }

  /** Bytes of the body so far. */
  get at(): number {
    return this.#output.at - HEADER_BYTES;
  }

  write(bytes: Uint8Array): void {
    this.#output.write(bytes);
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + CHUNKS_PAGE - this.#filled);
      this.#page = crc32(part, this.#page);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === CHUNKS_PAGE) this.#closePage();
    }
  }

  /** Ends the file. */
  finish(
    counts: Omit<ChunksHead, 'bodyBytes' | 'tablesBytes' | 'tablesCrc' | 'fileBytes'>,
    tables: Omit<ChunksTables, 'pageSums'>,
  ): ChunksHead {
    const bodyBytes = this.at;
    if (this.#filled > 0) this.#closePage();
    const sized = { ...counts, bodyBytes };
    const bytes = new Uint8Array(chunksTablesBytes(sized));
    const into = chunksTablesOver(bytes.buffer, sized);
    for (const [name, column] of Object.entries({ ...tables, pageSums: this.#sums.values }))
      into[name as keyof ChunksTables].set(column);
    const head: ChunksHead = {
      ...sized,
      tablesBytes: bytes.length,
      tablesCrc: crc32(bytes),
      fileBytes: HEADER_BYTES + bodyBytes + bytes.length,
    };
    this.#output.write(bytes);
    this.#output.finish(encodeChunksHead(head));
    return head;
  }

  discard(): void {
    this.#output.discard();
  }

  #closePage(): void {
    this.#sums.push(this.#page);
    this.#page = 0;
    this.#filled = 0;
  }
}
