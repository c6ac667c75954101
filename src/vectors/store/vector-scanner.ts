import { closeSync, openSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { cancelled } from '../../base/errors.ts';
import { vectorKindsDiffer } from '../errors.ts';
import type { VectorKind } from '../types.ts';
import { type LoadedSegment, readWhole } from './load-segment.ts';
import { quantize } from './quantize.ts';
import type { AllowedOwners, VectorAnswer, VectorHit, VectorPlace, VectorQuery } from './store-types.ts';
import { DIMENSIONS_MAX, HEADER_BYTES, shapeOf, type VectorShape } from './vector-format.ts';
import { SCORE_UNITS, startVectorLoops, type VectorLoops } from './vector-kernels.ts';
import { isSameKind, kindName } from './vector-kinds.ts';
import { takePages } from './vector-memory.ts';
import type { VectorHandle } from './vector-reader.ts';

export interface VectorScannerOptions {
  /** Where rows are picked by sketches: how many of the nearest are looked at by their signs. Default 8000. */
  sketchedMost?: number;
  /** And how many of those are scored value by value. Default 2000. */
  scoredMost?: number;
}

/** Searches in one thread; belongs to it. */
export interface VectorScanner {
  /** `isCancelled` is asked every few milliseconds. */
  search(handle: VectorHandle, query: VectorQuery, isCancelled?: () => boolean): VectorAnswer;
  /** Of these places, in their order: the cosine, or null where there is no such vector. */
  scoresOf(
    handle: VectorHandle,
    query: Pick<VectorQuery, 'kind' | 'vector'>,
    places: readonly VectorPlace[],
  ): (number | null)[];
  /** Texts with rows of a kind, ascending. */
  ownersOf(handle: VectorHandle, kind: VectorKind): Uint32Array;
}

/** Rows between two looks at whether the search is still wanted. */
const BLOCK_ROWS = 65_536;
const KEPT_MIN = 100;
const KEPT_MAX = 4096;
const SAMPLE_ROWS = 512;

export function createVectorScanner(options: VectorScannerOptions = {}): VectorScanner {
  const { sketchedMost = 8000, scoredMost = 2000 } = options;
  const nearRoom = 4 * sketchedMost;
  let bench: Bench | undefined;

  return {
    search(handle, query, isCancelled = () => false) {
      return begin(handle, query).run(isCancelled);
    },
    scoresOf(handle, query, places) {
      return begin(handle, { ...query, limit: 0, allowed: null }).scoresOf(places);
    },
    ownersOf(handle, kind) {
      const found = new Set<number>();
      for (const segment of handle.segments) {
        if (!isSameKind(segment.head.kind, kind)) continue;
        const { rows } = segment.head;
        const owners = new Uint32Array(handle.memory.buffer, segment.owners, rows);
        const deleted =
          segment.deleted === null
            ? null
            : new Uint8Array(handle.memory.buffer, segment.deleted, (rows + 7) >> 3);
        for (let row = 0; row < rows; row++) {
          if (deleted === null || (deleted[row >> 3]! & (1 << (row & 7))) === 0) found.add(owners[row]!);
        }
      }
      return Uint32Array.from(found).sort();
    },
  };

  function begin(handle: VectorHandle, query: VectorQuery): Search {
    if (query.vector.length !== query.kind.dimensions) {
      throw vectorKindsDiffer(`${query.vector.length} numbers`, kindName(query.kind));
    }
    if (bench?.memory !== handle.memory) bench = new Bench(handle.memory, nearRoom);
    return new Search(bench, handle, query, { sketchedMost, scoredMost, nearRoom });
  }
}

/** This thread's room in the shared memory. It is never given back: threads are few, and it is small. */
class Bench {
  readonly memory: VectorHandle['memory'];
  readonly loops: VectorLoops;
  readonly query: number;
  readonly sketch: number;
  readonly mask: number;
  readonly best: number;
  readonly near: number;
  readonly counts: number;
  readonly sample: number;
  #allowed = 0;
  #allowedBytes = 0;

  constructor(memory: VectorHandle['memory'], nearRoom: number) {
    this.memory = memory;
    this.loops = startVectorLoops(memory);
    const sizes = [
      DIMENSIONS_MAX,
      DIMENSIONS_MAX / 8,
      BLOCK_ROWS / 8,
      8 * (KEPT_MAX + 1),
      8 * (nearRoom + 1),
      4 * (DIMENSIONS_MAX + 129),
      16 * (SAMPLE_ROWS + 1),
    ].map((bytes) => Math.ceil(bytes / 64) * 64);
    let top = takePages(
      memory,
      sizes.reduce((sum, bytes) => sum + bytes, 0),
    );
    const places = sizes.map((bytes) => {
      top += bytes;
      return top - bytes;
    });
    [this.query, this.sketch, this.mask, this.best, this.near, this.counts, this.sample] = places as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
  }

  /** Puts what is allowed into the shared memory. */
  placeAllowed(bytes: Uint8Array): number {
    if (bytes.length > this.#allowedBytes) {
      this.#allowedBytes = 2 * bytes.length;
      this.#allowed = takePages(this.memory, this.#allowedBytes);
    }
    new Uint8Array(this.memory.buffer, this.#allowed, bytes.length).set(bytes);
    return this.#allowed;
  }
}

interface Limits {
  sketchedMost: number;
  scoredMost: number;
  nearRoom: number;
}

class Search {
  readonly #bench: Bench;
  readonly #loops: VectorLoops;
  readonly #buffer: SharedArrayBuffer;
  readonly #query: VectorQuery;
  readonly #limits: Limits;
  readonly #shape: VectorShape;
  readonly #segments: readonly LoadedSegment[];
  /** The number of each segment's first row. */
  readonly #bases: number[] = [];
  readonly #files = new Map<LoadedSegment, number | null>();
  #allowedAt = 0;
  #damaged = 0;

  constructor(bench: Bench, handle: VectorHandle, query: VectorQuery, limits: Limits) {
    this.#bench = bench;
    this.#loops = bench.loops;
    this.#query = query;
    this.#limits = limits;
    this.#shape = shapeOf(query.kind.dimensions);
    this.#segments = handle.segments.filter(({ head }) => isSameKind(head.kind, query.kind));
    let rows = 0;
    for (const { head } of this.#segments) {
      this.#bases.push(rows);
      rows += head.rows;
    }
    this.#placeAllowed(query.allowed);
    this.#buffer = handle.memory.buffer;
  }

  run(isCancelled: () => boolean): VectorAnswer {
    try {
      return this.#segments.every(({ records }) => records !== null)
        ? this.#scanAll(isCancelled)
        : this.#pickBySketch(isCancelled);
    } finally {
      for (const fd of this.#files.values()) if (fd !== null) closeSync(fd);
    }
  }

  scoresOf(places: readonly VectorPlace[]): (number | null)[] {
    try {
      return places.map((place) => {
        for (const [number, segment] of this.#segments.entries()) {
          const row = this.#rowOf(segment, place);
          if (row !== null) return this.#scoreOf(this.#bases[number]! + row);
        }
        return null;
      });
    } finally {
      for (const fd of this.#files.values()) if (fd !== null) closeSync(fd);
    }
  }

  /** Null where the segment has no such row, or had one. */
  #rowOf({ head, owners, parts, deleted }: LoadedSegment, { owner, part }: VectorPlace): number | null {
    const ownerColumn = new Uint32Array(this.#buffer, owners, head.rows);
    const partColumn = new Uint32Array(this.#buffer, parts, head.rows);
    let low = 0;
    let high = head.rows;
    while (low < high) {
      const middle = (low + high) >> 1;
      const before = ownerColumn[middle]! - owner || partColumn[middle]! - part;
      if (before < 0) low = middle + 1;
      else high = middle;
    }
    if (ownerColumn[low] !== owner || partColumn[low] !== part) return null;
    const isDeleted =
      deleted !== null && new Uint8Array(this.#buffer, deleted + (low >> 3), 1)[0]! & (1 << (low & 7));
    return isDeleted ? null : low;
  }

  #scanAll(isCancelled: () => boolean): VectorAnswer {
    const { width, stride } = this.#shape;
    const { values, scale } = quantize(this.#query.vector);
    const at = new Int8Array(this.#buffer, this.#bench.query, width);
    at.fill(0);
    at.set(values);
    const kept = Math.min(KEPT_MAX, Math.max(KEPT_MIN, 4 * this.#query.limit));
    this.#loops.startScores(this.#bench.best, kept);
    this.#eachBlock(isCancelled, (segment, from, count, base) => {
      const records = segment.records! + from * stride;
      this.#loops.scanRecords(
        records,
        stride,
        width,
        count,
        this.#bench.query,
        scale,
        this.#bench.mask,
        base,
      );
    });
    const found = this.#loops.bestCount();
    const scores = new Float32Array(this.#buffer, this.#bench.best, 2 * found);
    const rows = new Uint32Array(this.#buffer, this.#bench.best, 2 * found);
    // Which of several equal rows at the edge were kept depends on where they lie, and nothing else may: none of them.
    const edge = this.#loops.bestLeftOut();
    const above: number[] = [];
    const all: number[] = [];
    for (let i = 0; i < found; i++) {
      all.push(rows[2 * i + 1]!);
      if (scores[2 * i]! > edge) above.push(rows[2 * i + 1]!);
    }
    const scored = this.#loops.scored() >>> 0;
    const mean = this.#loops.sumOfScores() / SCORE_UNITS / (scored || 1);
    const square = this.#loops.sumOfSquares() / SCORE_UNITS ** 2 / (scored || 1);
    return {
      hits: this.#ranked(above.length >= this.#query.limit ? above : all),
      mean,
      deviation: Math.sqrt(Math.max(0, square - mean * mean)),
      rows: { allowed: scored, scored, sketched: 0, damaged: this.#damaged },
    };
  }

  #pickBySketch(isCancelled: () => boolean): VectorAnswer {
    const { sketchBytes } = this.#shape;
    const { sketchedMost, scoredMost, nearRoom } = this.#limits;
    const bench = this.#bench;
    const sketch = new Uint8Array(this.#buffer, bench.sketch, sketchBytes);
    sketch.fill(0);
    this.#query.vector.forEach((value, i) => {
      if (value > 0) sketch[i >> 3]! |= 1 << (i & 7);
    });
    const most = Math.max(sketchedMost, this.#query.limit);
    this.#loops.startSketches(
      bench.near,
      Math.min(most, nearRoom),
      nearRoom,
      bench.counts,
      8 * sketchBytes,
      bench.sample,
      SAMPLE_ROWS,
    );
    this.#eachBlock(isCancelled, (segment, from, count, base) => {
      const at = segment.sketches! + from * sketchBytes;
      this.#loops.scanSketches(at, sketchBytes / 8, count, bench.sketch, bench.mask, base);
    });
    const near = this.#loops.nearFound();
    const pairs = new Uint32Array(this.#buffer, bench.near, 2 * near);
    const picked = this.#bestBySigns(
      Array.from({ length: near }, (_, i) => pairs[2 * i + 1]!),
      Math.max(scoredMost, this.#query.limit),
    );
    const sampled = new Uint32Array(this.#buffer, bench.sample, 4 * this.#loops.sampled());
    const drawn = Array.from({ length: this.#loops.sampled() }, (_, i) => sampled[4 * i + 2]!);
    const sample = drawn.sort((a, b) => a - b).flatMap((row) => this.#scoreOf(row) ?? []);
    const sum = (of: (whole: number) => number) =>
      sample.reduce((total, score) => total + of(Math.round(score * SCORE_UNITS)), 0);
    const mean = sum((whole) => whole) / SCORE_UNITS / (sample.length || 1);
    const square = sum((whole) => whole * whole) / SCORE_UNITS ** 2 / (sample.length || 1);
    const sketched = this.#loops.sketched() >>> 0;
    return {
      hits: this.#ranked(picked),
      mean,
      deviation: Math.sqrt(Math.max(0, square - mean * mean)),
      rows: {
        allowed: sketched,
        scored: picked.length + sample.length,
        sketched,
        damaged: this.#damaged,
      },
    };
  }

  /** Of rows, those whose signs agree best with the query's values; more where several are equal. */
  #bestBySigns(rows: readonly number[], most: number): number[] {
    if (rows.length <= most) return [...rows];
    const { sketchBytes } = this.#shape;
    const table = signTable(this.#query.vector, sketchBytes);
    const scores = Float32Array.from(rows, (row) => {
      const number = this.#segmentOf(row);
      const at = this.#segments[number]!.sketches! + (row - this.#bases[number]!) * sketchBytes;
      const sketch = new Uint8Array(this.#buffer, at, sketchBytes);
      let score = 0;
      for (let i = 0; i < sketchBytes; i++) score += table[256 * i + sketch[i]!]!;
      return score;
    });
    const edge = scores.slice().sort()[rows.length - most]!;
    return rows.filter((_, i) => scores[i]! >= edge);
  }

  #ranked(rows: number[]): VectorHit[] {
    // In the order of the file, since disks are faster forwards.
    const view = new DataView(this.#buffer);
    // A row that was appended twice is found once.
    const found = new Map<string, VectorHit>();
    for (const row of rows.sort((a, b) => a - b)) {
      const score = this.#scoreOf(row);
      if (score === null) continue;
      const number = this.#segmentOf(row);
      const { owners, parts } = this.#segments[number]!;
      const at = 4 * (row - this.#bases[number]!);
      const owner = view.getUint32(owners + at, true);
      const part = view.getUint32(parts + at, true);
      found.set(`${owner}/${part}`, { owner, part, score });
    }
    return [...found.values()]
      .sort((a, b) => b.score - a.score || a.owner - b.owner || a.part - b.part)
      .slice(0, this.#query.limit);
  }

  /** With the query as it is; null where the record is damaged. */
  #scoreOf(row: number): number | null {
    const { width, stride } = this.#shape;
    const number = this.#segmentOf(row);
    const segment = this.#segments[number]!;
    const own = row - this.#bases[number]!;
    const query = this.#query.vector;
    if (segment.records !== null) {
      const at = segment.records + own * stride;
      const values = new Int8Array(this.#buffer, at, width);
      return new DataView(this.#buffer).getFloat32(at + width, true) * dot(query, values);
    }
    const record = Buffer.allocUnsafe(stride);
    const fd = this.#fileOf(segment);
    // It went with rows that had to go at once: the next state has the others.
    if (fd === null) {
      this.#damaged += 1;
      return null;
    }
    readWhole(segment.file, fd, record, HEADER_BYTES + own * stride);
    if (crc32(record.subarray(0, width + 4)) !== record.readUInt32LE(width + 4)) {
      this.#damaged += 1;
      return null;
    }
    return record.readFloatLE(width) * dot(query, new Int8Array(record.buffer, record.byteOffset, width));
  }

  #fileOf(segment: LoadedSegment): number | null {
    const known = this.#files.get(segment);
    if (known !== undefined) return known;
    try {
      const fd = openSync(segment.file, 'r');
      this.#files.set(segment, fd);
      return fd;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOENT') throw error;
      this.#files.set(segment, null);
      return null;
    }
  }

  #segmentOf(row: number): number {
    let number = this.#bases.length - 1;
    while (this.#bases[number]! > row) number -= 1;
    return number;
  }

  #placeAllowed(allowed: AllowedOwners | null): void {
    if (allowed?.form === 'bitmap') this.#allowedAt = this.#bench.placeAllowed(allowed.bits);
    else if (allowed) {
      const { buffer, byteOffset, byteLength } = allowed.owners;
      this.#allowedAt = this.#bench.placeAllowed(new Uint8Array(buffer, byteOffset, byteLength));
    }
  }

  #eachBlock(
    isCancelled: () => boolean,
    scan: (segment: LoadedSegment, from: number, count: number, base: number) => void,
  ): void {
    const { mask } = this.#bench;
    const { allowed } = this.#query;
    this.#segments.forEach((segment, number) => {
      let listAt = 0;
      for (let from = 0; from < segment.head.rows; from += BLOCK_ROWS) {
        if (isCancelled()) throw cancelled();
        const count = Math.min(BLOCK_ROWS, segment.head.rows - from);
        const owners = segment.owners + 4 * from;
        if (allowed === null) this.#loops.maskAll(count, mask);
        else if (allowed.form === 'bitmap') {
          this.#loops.maskByBits(owners, count, this.#allowedAt, 8 * allowed.bits.length, mask);
        } else {
          const { length } = allowed.owners;
          listAt = this.#loops.maskByList(owners, count, this.#allowedAt, length, listAt, mask);
        }
        if (segment.deleted !== null) this.#loops.maskWithout(mask, segment.deleted + from / 8, count);
        scan(segment, from, count, this.#bases[number]! + from);
      }
    });
  }
}

function dot(query: Float32Array, values: Int8Array): number {
  let sum = 0;
  for (let i = 0; i < query.length; i++) sum += query[i]! * values[i]!;
  return sum;
}

/** What each byte of a sketch adds: the query's values, with the sign that each bit says. */
function signTable(query: Float32Array, sketchBytes: number): Float32Array {
  const table = new Float32Array(256 * sketchBytes);
  for (let byte = 0; byte < sketchBytes; byte++) {
    for (let bits = 0; bits < 256; bits++) {
      let sum = 0;
      for (let bit = 0; bit < 8; bit++) {
        const value = query[8 * byte + bit] ?? 0;
        sum += (bits >> bit) & 1 ? value : -value;
      }
      table[256 * byte + bits] = sum;
    }
  }
  return table;
}
