import { cancelled } from '../../base/errors.ts';
import type { BlobReference } from '../segments/merge-segments.ts';
import { ChunkColumns } from './chunk-columns.ts';
import { chunksVersionsDiffer } from './chunks-errors.ts';
import { ChunksOutput } from './chunks-output.ts';
import type { ChunksReader } from './chunks-reader.ts';
import type { OpenChunks } from './open-chunks.ts';
import { PostingsWriter } from './postings-writer.ts';
import { TermCursor } from './term-dictionary.ts';
import { PostingList } from './term-postings.ts';
import type { ChunksSummary } from './types.ts';

export interface MergeChunksOptions {
  /** All of one version. */
  inputs: readonly OpenChunks[];
  /** What the new file holds, in its order: the same as for the segments that are merged. */
  order: Iterable<BlobReference>;
  /** Where the new file goes. */
  file: string;
  reader: ChunksReader;
  /** Ends the merge with `cancelled`, nothing left behind. */
  signal?: AbortSignal;
}

/** Number of a chunk that is not taken over. */
const GONE = 0xffffffff;

/** Makes one file of the chunks of others: records are copied, chunks numbered anew, nothing is cut again. */
export function mergeChunks({ inputs, order, file, reader, signal }: MergeChunksOptions): ChunksSummary {
  const chunksVersion = inputs[0]!.chunksVersion;
  for (const other of inputs) {
    if (other.chunksVersion !== chunksVersion)
      throw chunksVersionsDiffer(other.file, other.chunksVersion, chunksVersion);
  }
  const blobs = [...order];
  const numbers = inputs.map(({ chunks }) => new Uint32Array(chunks).fill(GONE));
  const output = new ChunksOutput(file);
  const columns = new ChunkColumns(output, blobs.length);
  try {
    for (const [i, { input, blob }] of blobs.entries()) {
      if (signal?.aborted) throw cancelled(signal.reason);
      copyBlob(inputs[input]!, blob, i, numbers[input]!);
    }
    columns.endRecords();
    const records = output.at;
    const writer = new PostingsWriter(output);
    mergePostings(inputs, numbers, { reader, writer, signal });
    const postings = output.at - records;
    const dictionary = writer.finish();
    const sectionBytes = { records, postings, dictionary: output.at - records - postings };
    return columns.finish(chunksVersion, dictionary, sectionBytes);
  } catch (error) {
    output.discard();
    throw error;
  }

  function copyBlob(from: OpenChunks, blob: number, into: number, ownNumbers: Uint32Array): void {
    const skipped = reader.skipped(from, blob);
    if (skipped !== null) {
      columns.addSkipped(into, skipped);
      return;
    }
    const { tables } = from;
    columns.addRecord(into, reader.recordOf(from, blob));
    for (const { start, end } of reader.chunksOf(from, blob)) columns.textBytes += end - start;
    for (let chunk = tables.chunkStarts[blob]!; chunk < tables.chunkStarts[blob + 1]!; chunk++) {
      ownNumbers[chunk] = columns.chunks;
      columns.addChunk({
        nameWords: tables.nameWords[chunk]!,
        outlineWords: tables.outlineWords[chunk]!,
        docWords: tables.docWords[chunk]!,
        bodyWords: tables.bodyWords[chunk]!,
        kind: tables.kinds[chunk]!,
      });
    }
  }
}

interface Source {
  chunks: OpenChunks;
  numbers: Uint32Array;
  cursor: TermCursor;
  block: number;
  isOver: boolean;
}

/** Terms in the order of their hashes, each with its entries of all inputs. */
function mergePostings(
  inputs: readonly OpenChunks[],
  numbers: readonly Uint32Array[],
  {
    reader,
    writer,
    signal,
  }: { reader: ChunksReader; writer: PostingsWriter; signal: AbortSignal | undefined },
): void {
  const sources = inputs.map((chunks, input): Source => {
    return { chunks, numbers: numbers[input]!, cursor: new TermCursor(), block: -1, isOver: false };
  });
  for (const source of sources) advance(source);
  const read = new PostingList();
  const merged = new PostingList();
  for (;;) {
    let least: Source | null = null;
    for (const source of sources)
      if (!source.isOver && (least === null || isBefore(source, least))) least = source;
    if (least === null) return;
    if (signal?.aborted) throw cancelled(signal.reason);
    const { upper, lower } = least.cursor;
    merged.clear();
    for (const source of sources) {
      while (!source.isOver && source.cursor.upper === upper && source.cursor.lower === lower) {
        const { count, listAt, listBytes } = source.cursor;
        read.clear();
        read.append(reader.bytes(source.chunks, listAt, listBytes), count);
        for (let i = 0; i < read.length; i++) {
          const number = source.numbers[read.chunks[i]!]!;
          if (number !== GONE) merged.push(number, read.counts[i]!);
        }
        advance(source);
      }
    }
    merged.sort();
    if (merged.length > 0) writer.add({ upper, lower }, merged);
  }

  function advance(source: Source): void {
    const { blockOffsets, blockTerms } = source.chunks.tables;
    while (!source.cursor.next()) {
      source.block++;
      if (source.block >= blockTerms.length) {
        source.isOver = true;
        return;
      }
      const offset = blockOffsets[source.block]!;
      const block = reader.bytes(source.chunks, offset, blockOffsets[source.block + 1]! - offset);
      source.cursor.open(block, blockTerms[source.block]!);
    }
  }
}

function isBefore({ cursor: a }: Source, { cursor: b }: Source): boolean {
  return a.upper < b.upper || (a.upper === b.upper && a.lower < b.lower);
}
