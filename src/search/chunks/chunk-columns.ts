import { crc32 } from 'node:zlib';
import { CHUNKS_VERSION_BYTES_MAX, type ChunksHead, chunkSkipOf, chunkStateOf } from './chunks-format.ts';
import type { ChunksOutput } from './chunks-output.ts';
import type { ChunkSkip, ChunksSummary } from './types.ts';

/** What is known of a chunk beside its record: words of its fields, and its kind from 1. */
export interface ChunkFigures {
  nameWords: number;
  outlineWords: number;
  docWords: number;
  bodyWords: number;
  kind: number;
}

const BYTE_MAX = 0xff;
const WORD_MAX = 0xffff;

/** The records of a chunks file that is being written, and the columns of its tables; blobs come in ascending order. */
export class ChunkColumns {
  readonly #output: ChunksOutput;
  readonly #blobs: number;
  readonly #chunkStarts: Uint32Array;
  readonly #recordOffsets: Uint32Array;
  readonly #recordSums: Uint32Array;
  readonly #states: Uint8Array;
  #bytes = [new Uint8Array(1024), new Uint8Array(1024), new Uint8Array(1024)] as const;
  #words = [new Uint16Array(1024), new Uint16Array(1024)] as const;
  #chunks = 0;
  #nextBlob = 0;
  cutBlobs = 0;
  textBytes = 0;

  constructor(output: ChunksOutput, blobs: number) {
    this.#output = output;
    this.#blobs = blobs;
    this.#chunkStarts = new Uint32Array(blobs + 1);
    this.#recordOffsets = new Uint32Array(blobs + 1);
    this.#recordSums = new Uint32Array(blobs);
    this.#states = new Uint8Array(blobs).fill(chunkStateOf('empty'));
  }

  get chunks(): number {
    return this.#chunks;
  }

  /** The chunks of the blob come behind it, by `addChunk`. */
  addRecord(blob: number, record: Uint8Array): void {
    this.#goTo(blob);
    this.#output.write(record);
    this.#recordSums[blob] = crc32(record);
    this.#states[blob] = 0;
  }

  addSkipped(blob: number, reason: ChunkSkip): void {
    this.#goTo(blob);
    this.#states[blob] = chunkStateOf(reason);
  }

  addChunk({ nameWords, outlineWords, docWords, bodyWords, kind }: ChunkFigures): void {
    if (this.#chunks === this.#bytes[0].length) this.#grow();
    const at = this.#chunks++;
    this.#bytes[0][at] = Math.min(nameWords, BYTE_MAX);
    this.#bytes[1][at] = Math.min(outlineWords, BYTE_MAX);
    this.#bytes[2][at] = kind;
    this.#words[0][at] = Math.min(docWords, WORD_MAX);
    this.#words[1][at] = Math.min(bodyWords, WORD_MAX);
  }

  /** No blob comes any more: the postings may be written. */
  endRecords(): void {
    this.#goTo(this.#blobs);
    this.#chunkStarts[this.#blobs] = this.#chunks;
    this.#recordOffsets[this.#blobs] = this.#output.at;
  }

  finish(
    chunksVersion: string,
    dictionary: { terms: number; postings: number; blockTerms: Uint32Array; blockOffsets: Uint32Array },
    sectionBytes: Record<string, number>,
  ): ChunksSummary {
    if (Buffer.byteLength(chunksVersion) > CHUNKS_VERSION_BYTES_MAX || chunksVersion.includes('\0'))
      throw new Error('the version of chunks is too long');
    const { terms, postings, blockTerms, blockOffsets } = dictionary;
    const head = this.#output.finish(
      {
        blobs: this.#blobs,
        chunks: this.#chunks,
        terms,
        termBlocks: blockTerms.length,
        postings,
        cutBlobs: this.cutBlobs,
        textBytes: this.textBytes,
        chunksVersion,
      },
      {
        chunkStarts: this.#chunkStarts,
        recordOffsets: this.#recordOffsets,
        recordSums: this.#recordSums,
        states: this.#states,
        nameWords: this.#bytes[0].subarray(0, this.#chunks),
        outlineWords: this.#bytes[1].subarray(0, this.#chunks),
        kinds: this.#bytes[2].subarray(0, this.#chunks),
        docWords: this.#words[0].subarray(0, this.#chunks),
        bodyWords: this.#words[1].subarray(0, this.#chunks),
        blockTerms,
        blockOffsets,
      },
    );
    return this.#summary(head, { ...sectionBytes, tables: head.tablesBytes });
  }

  #summary(head: ChunksHead, sectionBytes: Record<string, number>): ChunksSummary {
    const skips: Partial<Record<ChunkSkip, number>> = {};
    let blobsWithChunks = 0;
    for (const state of this.#states) {
      const reason = chunkSkipOf(state);
      if (reason === null) blobsWithChunks++;
      else skips[reason] = (skips[reason] ?? 0) + 1;
    }
    const { blobs, chunks, terms, postings, cutBlobs, textBytes, fileBytes, chunksVersion } = head;
    const counts = { blobs, blobsWithChunks, chunks, skips, cutBlobs, textBytes, terms, postings };
    return { file: this.#output.file, chunksVersion, ...counts, sectionBytes, fileBytes };
  }

  #goTo(blob: number): void {
    if (blob < this.#nextBlob || blob > this.#blobs) throw new Error('blobs are added in ascending order');
    for (let at = this.#nextBlob; at <= blob; at++) {
      this.#chunkStarts[at] = this.#chunks;
      this.#recordOffsets[at] = this.#output.at;
    }
    this.#nextBlob = blob + 1;
  }

  #grow(): void {
    const size = 2 * this.#chunks;
    const bytes = this.#bytes.map((column) => {
      const larger = new Uint8Array(size);
      larger.set(column);
      return larger;
    });
    const words = this.#words.map((column) => {
      const larger = new Uint16Array(size);
      larger.set(column);
      return larger;
    });
    this.#bytes = [bytes[0]!, bytes[1]!, bytes[2]!];
    this.#words = [words[0]!, words[1]!];
  }
}
