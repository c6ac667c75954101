import type { SymbolFact } from '../facts/types.ts';
import { VarintWriter } from '../facts/varints.ts';
import { ChunkColumns } from './chunk-columns.ts';
import { kindNumber, writeChunks } from './chunk-records.ts';
import { ChunksOutput } from './chunks-output.ts';
import { cutText } from './cut-text.ts';
import { PostingsWriter } from './postings-writer.ts';
import { TermCounts } from './term-counts.ts';
import { PostingList } from './term-postings.ts';
import { TermScanner } from './term-scanner.ts';
import type { Chunk, ChunkSkip, ChunksSummary } from './types.ts';

export interface ChunksBuilderOptions {
  /** Where the chunks go; nothing stands there before `finish`. */
  file: string;
  /** Of what cuts and of the facts that it cuts by: files of another one are made anew. At most 136 bytes. */
  chunksVersion: string;
  /** Blobs of the segment; those that are not added count as `empty`. */
  blobs: number;
}

/** A text that has more is data: what follows is found by exact search alone. */
export const CHUNKS_PER_TEXT_MAX = 1024;

/**
 * Builds the chunks file of texts. Records go to disk as they come; postings stay in memory until `finish`, about half of the text: a
 * large segment is built in parts, which are merged. Belongs to one thread.
 */
export class ChunksBuilder {
  readonly #output: ChunksOutput;
  readonly #chunksVersion: string;
  readonly #columns: ChunkColumns;
  readonly #scanner = new TermScanner();
  readonly #counts = new TermCounts();
  readonly #record = new VarintWriter();

  constructor({ file, chunksVersion, blobs }: ChunksBuilderOptions) {
    this.#chunksVersion = chunksVersion;
    this.#output = new ChunksOutput(file);
    this.#columns = new ChunkColumns(this.#output, blobs);
  }

  /** A blob of the segment, ascending, with the symbols of its facts, none where it has no facts. */
  add(blob: number, text: Uint8Array, symbols: readonly SymbolFact[]): void {
    const { chunks, defined } = cutText(text, symbols);
    if (chunks.length === 0) {
      this.#columns.addSkipped(blob, 'empty');
      return;
    }
    if (chunks.length > CHUNKS_PER_TEXT_MAX) {
      chunks.length = CHUNKS_PER_TEXT_MAX;
      this.#columns.cutBlobs++;
    }
    this.#record.clear();
    writeChunks(chunks, this.#record);
    this.#columns.addRecord(blob, this.#record.bytes);
    chunks.forEach((chunk, i) => {
      this.#addChunk(chunk, defined[i]!, text);
    });
  }

  addSkipped(blob: number, reason: ChunkSkip): void {
    this.#columns.addSkipped(blob, reason);
  }

  /** Puts the file into place, lasting. */
  finish(): ChunksSummary {
    this.#columns.endRecords();
    const records = this.#output.at;
    const writer = new PostingsWriter(this.#output);
    const { starts, entries, chunks, counts } = this.#counts.byTerm(this.#scanner.terms);
    const list = new PostingList();
    for (const term of this.#scanner.inOrder()) {
      list.clear();
      for (let i = starts[term]!; i < starts[term + 1]!; i++)
        list.push(chunks[entries[i]!]!, counts[entries[i]!]!);
      if (list.length > 0)
        writer.add({ upper: this.#scanner.upperOf(term), lower: this.#scanner.lowerOf(term) }, list);
    }
    const postings = this.#output.at - records;
    const dictionary = writer.finish();
    const sectionBytes = { records, postings, dictionary: this.#output.at - records - postings };
    return this.#columns.finish(this.#chunksVersion, dictionary, sectionBytes);
  }

  /** Leaves nothing behind. */
  discard(): void {
    this.#output.discard();
  }

  #addChunk(chunk: Chunk, defined: readonly string[], text: Uint8Array): void {
    const { start, end, docStart, docEnd, signatureStart, signatureEnd } = chunk;
    const counts = this.#counts;
    counts.begin(this.#columns.chunks, this.#scanner.terms);
    const nameWords = this.#count('name', Buffer.from(chunk.name));
    const around = [chunk.parents, ...defined].join(' ');
    let outlineWords = around.length > 1 ? this.#count('outline', Buffer.from(around)) : 0;
    // A part that does not show what it is a part of is found by it all the same.
    if (chunk.part > 0 && signatureStart >= 0 && signatureStart < start)
      outlineWords += this.#count('outline', text, signatureStart, signatureEnd);
    let docWords = 0;
    let bodyWords = 0;
    if (docStart >= 0) {
      docWords = this.#count('doc', text, docStart, docEnd);
      bodyWords = this.#count('body', text, start, docStart) + this.#count('body', text, docEnd, end);
    } else bodyWords = this.#count('body', text, start, end);
    counts.end();
    this.#columns.textBytes += end - start;
    this.#columns.addChunk({ nameWords, outlineWords, docWords, bodyWords, kind: kindNumber(chunk.kind) });
  }

  #count(field: Parameters<TermCounts['add']>[0], text: Uint8Array, start = 0, end = text.length): number {
    if (start >= end) return 0;
    const found = this.#scanner.scan(text, start, end);
    this.#counts.add(field, this.#scanner.found, found);
    return found;
  }
}
