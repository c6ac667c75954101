import type { VarintWriter } from '../facts/varints.ts';

/**
 * Lists of postings, by ascending chunk: the distance to the chunk before (of the first to -1) times four, plus what says how often
 * the term stands there: 0 once in the body, 1 twice in it, 2 once in the comment that documents it, 3 that the counts follow as a
 * number (`Counts`). A list of more than LIST_BLOCK entries begins with a table: for each of its blocks of so many entries but the
 * last, the distance of its last chunk to that of the block before, and its bytes.
 */
export const LIST_BLOCK = 128;

/** How often a term stands in the fields of a chunk, each up to what its bits hold: name 2, outline 2, body 6, doc 4. */
export type Counts = number;

export const NAME_MAX = 3;
export const OUTLINE_MAX = 3;
export const BODY_MAX = 63;
export const DOC_MAX = 15;
export const OUTLINE_SHIFT = 2;
export const BODY_SHIFT = 4;
export const DOC_SHIFT = 10;

const BODY_ONCE = 1 << BODY_SHIFT;
const BODY_TWICE = 2 << BODY_SHIFT;
const DOC_ONCE = 1 << DOC_SHIFT;

/** The low two bits of an entry. */
function countsCode(counts: Counts): 0 | 1 | 2 | 3 {
  return counts === BODY_ONCE ? 0 : counts === BODY_TWICE ? 1 : counts === DOC_ONCE ? 2 : 3;
}

const START = 1024;
/** Room that stays: what one question needed is not kept for ever. */
const KEPT_ENTRIES = 4 << 20;

/** A list that is being decoded: a column of chunks and one of counts, which are used again for the next. */
export class PostingList {
  chunks = new Uint32Array(START);
  counts = new Uint16Array(START);
  length = 0;

  /** Goes on behind what it holds; `shown`, by chunk: those without a 1 are left out. Default: all are taken. */
  append(bytes: Uint8Array, count: number, shown: Uint8Array | null = null): void {
    this.#reserve(this.length + count);
    const { chunks, counts } = this;
    let length = this.length;
    let at = listStart(bytes, count);
    let chunk = -1;
    for (let i = 0; i < count; i++) {
      let byte = bytes[at++]!;
      let entry = byte & 0x7f;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = bytes[at++]!;
        entry |= (byte & 0x7f) << shift;
      }
      chunk += entry >>> 2;
      const code = entry & 3;
      let value: number;
      if (code === 3) {
        byte = bytes[at++]!;
        value = byte & 0x7f;
        if (byte >= 0x80) value |= bytes[at++]! << 7;
      } else value = code === 0 ? BODY_ONCE : code === 1 ? BODY_TWICE : DOC_ONCE;
      chunks[length] = chunk;
      counts[length] = value;
      if (shown === null || shown[chunk] === 1) length++;
    }
    this.length = length;
  }

  /** By chunk. */
  sort(): void {
    const { chunks, counts, length } = this;
    let isSorted = true;
    for (let i = 1; i < length && isSorted; i++) isSorted = chunks[i - 1]! < chunks[i]!;
    if (isSorted) return;
    const keys = new Float64Array(length);
    for (let i = 0; i < length; i++) keys[i] = chunks[i]! * 65_536 + counts[i]!;
    keys.sort();
    for (let i = 0; i < length; i++) {
      chunks[i] = Math.floor(keys[i]! / 65_536);
      counts[i] = keys[i]! % 65_536;
    }
  }

  clear(): void {
    this.length = 0;
    if (this.chunks.length <= KEPT_ENTRIES) return;
    this.chunks = new Uint32Array(START);
    this.counts = new Uint16Array(START);
  }

  push(chunk: number, counts: Counts): void {
    this.#reserve(this.length + 1);
    this.chunks[this.length] = chunk;
    this.counts[this.length++] = counts;
  }

  #reserve(room: number): void {
    if (room <= this.chunks.length) return;
    const size = Math.max(room, this.chunks.length * 2);
    const chunks = new Uint32Array(size);
    const counts = new Uint16Array(size);
    chunks.set(this.chunks.subarray(0, this.length));
    counts.set(this.counts.subarray(0, this.length));
    this.chunks = chunks;
    this.counts = counts;
  }
}

/** Where the entries begin, behind the table of blocks. */
function listStart(bytes: Uint8Array, count: number): number {
  let at = 0;
  for (let numbers = 2 * (Math.ceil(count / LIST_BLOCK) - 1); numbers > 0; numbers--) {
    while (bytes[at++]! >= 0x80);
  }
  return at;
}

/** Writes one list. Returns its bytes. */
export function writeList(list: PostingList, entries: VarintWriter, table: VarintWriter): void {
  const { chunks, counts, length } = list;
  entries.clear();
  table.clear();
  let before = -1;
  let blockStart = 0;
  let blockChunk = -1;
  for (let i = 0; i < length; i++) {
    const chunk = chunks[i]!;
    if (i > 0 && i % LIST_BLOCK === 0) {
      table.number(before - blockChunk);
      table.number(entries.length - blockStart);
      blockChunk = before;
      blockStart = entries.length;
    }
    const code = countsCode(counts[i]!);
    // Distances beyond 2^30 do not come up: a file has fewer chunks.
    entries.number(((chunk - before) << 2) | code);
    if (code === 3) entries.number(counts[i]!);
    before = chunk;
  }
}
