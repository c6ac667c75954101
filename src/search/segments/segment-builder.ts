import { crc32 } from 'node:zlib';
import { cutBlock } from './block-cutter.ts';
import { DICTIONARY_ROOM, dictionaryOf } from './dictionary-file.ts';
import { frequentTrigramsId } from './gram-alphabet.ts';
import { type EmittedGrams, GramCollector } from './gram-collector.ts';
import { PageSums } from './page-sums.ts';
import { SegmentColumns } from './segment-columns.ts';
import { bitmapBytes, encodeHead, HEADER_BYTES, type SegmentHead, tableSizes } from './segment-format.ts';
import { SegmentKernels } from './segment-kernels.ts';
import { SegmentOutput } from './segment-output.ts';
import type { DictionarySet, SegmentSummary, SegmentText } from './types.ts';

export interface SegmentBuilderOptions {
  /** Where the segment goes; nothing stands there before `finish`. */
  file: string;
  /** Null: compressed without. */
  dictionaries: DictionarySet | null;
  /** Texts with more distinct trigrams are refused: they are data, and cost more than they are worth. Default 20 000. */
  trigramsMax?: number;
}

/** A block that stands in another segment. */
export interface OtherBlock {
  start: number;
  length: number;
  /** Number of its first line. */
  line: number;
  bytes: Uint8Array;
  /** Of the bytes as they are stored; null where they are the text, which another dictionary will compress. */
  sum: number | null;
}

/** Hands out the lists of a segment in the order of their keys. */
export interface Postings {
  emit(write: (bytes: Uint8Array) => void): { grams: EmittedGrams; shapes: EmittedGrams };
}

export const TRIGRAMS_MAX = 20_000;

/**
 * Builds one segment after another (`restart`), each in memory of about half of its text, which serves again for the next one.
 * Belongs to one thread.
 */
export class SegmentBuilder {
  readonly #kernels = SegmentKernels.forBuilding();
  readonly #grams = new GramCollector(this.#kernels);
  #dictionaries: DictionarySet | null = null;
  #trigramsMax = TRIGRAMS_MAX;
  #output: SegmentOutput | null = null;
  #columns = new SegmentColumns();
  #textBytes = 0;
  /** The part of a text that lies in the window. */
  #window = { from: 0, to: 0 };

  /** Without options it waits for `restart`. */
  constructor(options?: SegmentBuilderOptions) {
    if (options !== undefined) this.restart(options);
  }

  /** Text in the segment so far. */
  get textBytes(): number {
    return this.#textBytes;
  }

  get blobs(): number {
    return this.#columns.blobs;
  }

  /** Memory that grows with the segment; a hostile one may need more of it than its text is long. */
  get memoryBytes(): number {
    return this.#grams.bytesUsed;
  }

  /** Begins another segment, after `finish` or `discard`. */
  restart(options: SegmentBuilderOptions): void {
    if (this.#output !== null) throw new Error('a segment is being built already');
    this.#trigramsMax = options.trigramsMax ?? TRIGRAMS_MAX;
    this.#loadDictionaries(options.dictionaries);
    this.#columns = new SegmentColumns();
    this.#textBytes = 0;
    this.#output = new SegmentOutput(options.file);
  }

  /** A text that is refused leaves no trace. */
  add(text: SegmentText): 'added' | 'too-many-trigrams' {
    const bytes = Buffer.from(text.text.buffer, text.text.byteOffset, text.text.length);
    const cuts = cutsOf(bytes);
    this.#window = { from: 0, to: 0 };
    if (!this.#addGrams(bytes, cuts)) return 'too-many-trigrams';
    this.#addContent(text, bytes, cuts);
    return 'added';
  }

  /** A text of another segment, cut as it is there; its grams come with `finish`. Returns the number of its first block, from 1. */
  addBlocks(blob: Omit<SegmentText, 'text'> & { textBytes: number }, blocks: Iterable<OtherBlock>): number {
    const first = this.#columns.blocks + 1;
    this.#columns.addBlob(blob);
    const dictionaryLength = this.#dictionaries?.lengths[blob.group] ?? 0;
    const { WINDOW } = this.#kernels.places;
    for (const { start, length, line, bytes, sum } of blocks) {
      if (sum !== null) {
        this.#write({ start, length, line, sum }, bytes);
        continue;
      }
      this.#kernels.bytes.set(bytes, WINDOW);
      this.#writeCompressed({ start, length, line }, WINDOW, { group: blob.group, dictionaryLength });
    }
    this.#textBytes += blob.textBytes;
    return first;
  }

  /** Puts the segment into place, lasting. `postings` hands out those of texts that came by `addBlocks`; all or none of them did. */
  finish(postings: (blocks: number) => Postings = (blocks) => this.#gramsOf(blocks)): SegmentSummary {
    const output = this.#started();
    const { blobs, blocks } = this.#columns;
    const contentBytes = output.at - HEADER_BYTES;
    const postingsAt = output.startSection();
    const sums = new PageSums(this.#kernels, this.#kernels.places.COMPRESSED);
    const { grams, shapes } = postings(blocks).emit((bytes) => {
      output.write(bytes);
      sums.add(bytes);
    });
    const counts = {
      blobs,
      blocks,
      grams: grams.keys.length,
      shapes: shapes.keys.length,
      oidBytes: this.#columns.oidBytes,
      gramPostingBytes: grams.bytes,
      shapePostingBytes: shapes.bytes,
    };
    const tables = this.#columns.tables(counts, contentBytes, {
      gramKeys: grams.keys,
      gramOffsets: grams.offsets,
      shapeKeys: shapes.keys,
      shapeOffsets: shapes.offsets,
      pageSums: sums.finish(),
    });
    const tablesAt = output.startSection();
    output.write(tables);
    const head: SegmentHead = {
      ...counts,
      frequentTrigramsId,
      tablesCrc: crc32(tables),
      textBytes: this.#textBytes,
      contentAt: HEADER_BYTES,
      contentBytes,
      postingsAt,
      tablesAt,
      tablesBytes: tables.length,
      fileBytes: output.at,
      dictionaries: this.#dictionaries?.hash ?? null,
    };
    output.finish(encodeHead(head));
    this.#output = null;
    return summaryOf(output.file, head);
  }

  /** Leaves nothing behind. */
  discard(): void {
    const output = this.#started();
    this.#output = null;
    output.discard();
    this.#grams.emit(0, 0, () => {});
  }

  #started(): SegmentOutput {
    if (this.#output === null) throw new Error('no segment is being built');
    return this.#output;
  }

  #addGrams(bytes: Buffer, cuts: readonly Cut[]): boolean {
    // A text has at most a trigram for each byte.
    this.#grams.startText(this.#columns.blocks + 1, bytes.length > this.#trigramsMax);
    let trigrams = 0;
    for (const [i, cut] of cuts.entries()) {
      const address = this.#addressOf(bytes, cut);
      trigrams += this.#grams.addBlock(address, cut.length, this.#columns.blocks + 1 + i);
      if (trigrams <= this.#trigramsMax) continue;
      this.#grams.dropText();
      return false;
    }
    return true;
  }

  #addContent(text: SegmentText, bytes: Buffer, cuts: readonly Cut[]): void {
    const { run } = this.#kernels;
    const { group } = text;
    const dictionaryLength = this.#dictionaries?.lengths[group] ?? 0;
    this.#columns.addBlob(text);
    let line = 1;
    for (const cut of cuts) {
      const { start, length, next } = cut;
      const address = this.#addressOf(bytes, cut);
      const lines = run.countLineFeeds(address, address + next - start);
      this.#writeCompressed({ start, length, line }, address, { group, dictionaryLength });
      line += lines;
    }
    this.#textBytes += bytes.length;
  }

  #writeCompressed(
    block: { start: number; length: number; line: number },
    address: number,
    { group, dictionaryLength }: { group: number; dictionaryLength: number },
  ): void {
    const { run, places, bytes } = this.#kernels;
    const compressed = run.compress(address, block.length, group, dictionaryLength);
    const isShorter = compressed < block.length;
    const at = isShorter ? places.COMPRESSED : address;
    const size = isShorter ? compressed : block.length;
    const sum = run.checksum(at, size) >>> 0;
    this.#write({ ...block, sum }, bytes.subarray(at, at + size));
  }

  #write(block: { start: number; length: number; line: number; sum: number }, stored: Uint8Array): void {
    const output = this.#started();
    this.#columns.addBlock({ ...block, offset: output.at - HEADER_BYTES });
    output.write(stored);
  }

  #gramsOf(blocks: number): Postings {
    return { emit: (write) => this.#grams.emit(blocks, bitmapBytes(blocks), write) };
  }

  /** Where a block lies in the window, which is moved on when it has to be. */
  #addressOf(bytes: Buffer, { start, length }: Cut): number {
    const { places } = this.#kernels;
    const { from, to } = this.#window;
    if (start < from || start + length > to) {
      const end = Math.min(bytes.length, start + places.WINDOW_SIZE);
      this.#kernels.bytes.set(bytes.subarray(start, end), places.WINDOW);
      this.#window = { from: start, to: end };
    }
    return places.WINDOW + start - this.#window.from;
  }

  #loadDictionaries(set: DictionarySet | null): void {
    if (set?.hash === this.#dictionaries?.hash) return;
    this.#dictionaries = set;
    for (const [group, length] of (set?.lengths ?? []).entries()) {
      const at = this.#kernels.places.DICTIONARIES + group * DICTIONARY_ROOM;
      this.#kernels.bytes.set(dictionaryOf(set!, group), at);
      this.#kernels.run.indexDictionary(group, length);
    }
  }
}

interface Cut {
  start: number;
  length: number;
  next: number;
}

function cutsOf(bytes: Buffer): Cut[] {
  const cuts: Cut[] = [];
  for (let start = 0; start < bytes.length; ) {
    const { end, next } = cutBlock(bytes, start, bytes.length);
    cuts.push({ start, length: end - start, next: end === bytes.length ? end : next });
    if (end === bytes.length) break;
    start = next;
  }
  return cuts;
}

function summaryOf(file: string, head: SegmentHead): SegmentSummary {
  const sizes = tableSizes(head);
  return {
    file,
    blobs: head.blobs,
    blocks: head.blocks,
    textBytes: head.textBytes,
    sectionBytes: {
      content: head.contentBytes,
      gramPostings: head.gramPostingBytes,
      shapePostings: head.shapePostingBytes,
      gramTable: sizes.gramKeys + sizes.gramOffsets,
      shapeTable: sizes.shapeKeys + sizes.shapeOffsets,
      blobs: sizes.blobIds + sizes.blobFirstBlocks + sizes.blobKinds + sizes.oids,
      blocks:
        sizes.blockBlobs + sizes.blockStarts + sizes.blockLengths + sizes.blockOffsets + sizes.blockLines,
      sums: sizes.blockSums + sizes.pageSums,
    },
    fileBytes: head.fileBytes,
  };
}
