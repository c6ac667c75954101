import type { OpenSegment } from './open-segment.ts';
import type { ReaderMemory } from './reader-memory.ts';
import { segmentBroken } from './segment-errors.ts';
import { POSTING_PAGE } from './segment-format.ts';
import type { SegmentCounters } from './types.ts';

/** Lists of postings as they are read from disk into the memory of a reader, one at a time. */
export class PostingLists {
  readonly #memory: ReaderMemory;
  readonly #counters: SegmentCounters;

  constructor(memory: ReaderMemory, counters: SegmentCounters) {
    this.#memory = memory;
    this.#counters = counters;
  }

  /** Reads `length` bytes, at most POSTING_BYTES, of a segment's postings; returns their address, good until the next call. */
  read(segment: OpenSegment, offset: number, length: number): number {
    this.#counters.postingBytes += length;
    const first = Math.floor(offset / POSTING_PAGE);
    const last = Math.floor((offset + length - 1) / POSTING_PAGE);
    const { postingsAt } = segment.head;
    for (let page = first; page <= last; page++) {
      if (!segment.pageChecked(page))
        return this.#readPages(segment, first, last) + offset - first * POSTING_PAGE;
    }
    const { kernels, postings } = this.#memory;
    segment.read(kernels.bytes, postings, length, postingsAt + offset);
    return postings;
  }

  #readPages(segment: OpenSegment, first: number, last: number): number {
    const { kernels, postings } = this.#memory;
    const { postingsAt, gramPostingBytes, shapePostingBytes } = segment.head;
    const from = first * POSTING_PAGE;
    const to = Math.min((last + 1) * POSTING_PAGE, gramPostingBytes + shapePostingBytes);
    segment.read(kernels.bytes, postings, to - from, postingsAt + from);
    for (let page = first; page <= last; page++) {
      const at = postings + page * POSTING_PAGE - from;
      const length = Math.min(POSTING_PAGE, postings + to - from - at);
      if (kernels.run.checksum(at, length) >>> 0 !== segment.tables.pageSums[page]) {
        throw segmentBroken(segment.file, 'the postings of a segment are not as they were written');
      }
      segment.markPage(page);
    }
    return postings;
  }
}
