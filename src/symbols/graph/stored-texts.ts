import { LRUCache } from 'lru-cache';
import { damagedFileOf } from '../../search/index.ts';
import type { ReadableFacts } from './readable-facts.ts';
import type { VisibleFiles } from './visible-files.ts';

const TEXTS_KEPT_BYTES = 4 << 20;

/** Texts of files as the index stores them. */
export class StoredTexts {
  readonly #facts: ReadableFacts;
  readonly #places: VisibleFiles;
  readonly #texts = new LRUCache<number, { text: string }>({
    maxSize: TEXTS_KEPT_BYTES,
    sizeCalculation: ({ text }) => text.length + 1,
  });

  constructor(facts: ReadableFacts, places: VisibleFiles) {
    this.#facts = facts;
    this.#places = places;
  }

  textOf(file: number): string | null {
    const content = this.#places.contentOf(file);
    const known = this.#texts.get(content);
    if (known !== undefined) return known.text;
    const bytes = this.bytesOf(file);
    if (bytes === null) return null;
    const text = bytes.toString('utf8');
    this.#texts.set(content, { text });
    return text;
  }

  /** The stored text; null where there is none that can be read. */
  bytesOf(file: number): Buffer | null {
    const place = this.#places.textPlaceOf(file);
    if (place === null) return null;
    try {
      return this.#facts.asked.reader.blobText(this.#facts.asked.segments[place.segment]!.file, place.blob);
    } catch (error) {
      if (damagedFileOf(error) === null) throw error;
      return null;
    }
  }

  /** A part of the stored text, from byte to byte, without reading the rest; null where it cannot be read. */
  partOf(file: number, start: number, end: number): Buffer | null {
    const place = this.#places.textPlaceOf(file);
    if (place === null) return null;
    const { file: segment } = this.#facts.asked.segments[place.segment]!;
    const { blobFirstBlocks, blockStarts, blockLengths } = segment.tables;
    const parts: Buffer[] = [];
    let at = start;
    try {
      for (let block = blobFirstBlocks[place.blob]!; block < blobFirstBlocks[place.blob + 1]!; block++) {
        const from = blockStarts[block]!;
        const to = from + blockLengths[block]!;
        // Blocks of a text share bytes where a line was cut.
        if (to <= at || from >= end) continue;
        const address = this.#facts.asked.reader.text(segment, block) - from;
        const { bytes } = this.#facts.asked.reader;
        parts.push(Buffer.from(bytes.slice(address + Math.max(at, from), address + Math.min(end, to))));
        at = Math.min(end, to);
      }
    } catch (error) {
      if (damagedFileOf(error) === null) throw error;
      return null;
    }
    return Buffer.concat(parts);
  }
}
