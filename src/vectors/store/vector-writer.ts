import { closeSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { type Clock, systemClock } from '../../base/clock.ts';
import { vectorFileBroken, vectorKindsDiffer, vectorWriterReplaced } from '../errors.ts';
import type { VectorKind } from '../types.ts';
import { checkSegment, encodeDeleted, readDeleted, readWhole } from './load-segment.ts';
import { readVectorState, type SegmentState, type VectorState, writeVectorState } from './state-file.ts';
import type { KindCount, VectorRow } from './store-types.ts';
import { writeWholeFile } from './sync-file.ts';
import {
  DIMENSIONS_MAX,
  decodeVectorHead,
  HEADER_BYTES,
  rowBitmapBytes,
  sectionsOf,
  shapeOf,
} from './vector-format.ts';
import { isSameKind, kindName } from './vector-kinds.ts';
import { VectorSegmentWriter } from './vector-segment-writer.ts';

export interface VectorWriterOptions {
  folder: string;
  /** Segments are merged up to so many rows. Default 2 million. */
  rowsMax?: number;
  /** Files that are no longer part of the store are kept so long, for readers that are about to open them. Default 10 minutes. */
  keptMs?: number;
  /** Tells the files of one writer from those of a later one, should an earlier one still be at it. Default 0. */
  fence?: number;
  clock?: Clock;
}

/** Which rows of some owners are meant. Default: all. */
export interface RowChoice {
  kind?: VectorKind;
  /** Rows of all editions but this one. */
  notEdition?: string;
}

/** Rows of one part of the store that are not deleted, by position. */
export interface StoredRows {
  kind: VectorKind;
  edition: string;
  owners: Uint32Array;
  parts: Uint32Array;
}

/**
 * The one writer of a folder: whoever opens it must know that there is no other. Where another one writes all the same, the first to
 * see it fails with `vectors/writer-replaced`. Synchronous; what a method did is kept when it returns.
 */
export interface VectorWriter {
  /** `edition` says what the parts are numbered by. Default ''. */
  append(kind: VectorKind, rows: readonly VectorRow[], edition?: string): void;
  deleteOwners(owners: Uint32Array, choice?: RowChoice): number;
  /**
   * Writes all that holds deleted rows anew without them, and removes every file that is not part of the store at once, readers or not:
   * for rows that must not stay on the disk. Returns how many files went.
   */
  purge(): number;
  /** Drops parts that are not as they were written, whole files read; returns their names. */
  dropBroken(): string[];
  /** Part by part. */
  rows(): Iterable<StoredRows>;
  keepKinds(kinds: readonly VectorKind[]): void;
  /** Merges some segments of one kind, leaving out what is deleted. False when there is nothing worth it. */
  merge(): boolean;
  counts(): KindCount[];
  /** Removes files that no reader can want any more. Returns how many. */
  removeOldFiles(): number;
}

const ROWS_MAX = 2_000_000;
const KEPT_MS = 600_000;
/** So many segments of about one size become one. */
const FAN_IN = 4;

export function openVectorWriter(options: VectorWriterOptions): VectorWriter {
  const { folder, rowsMax = ROWS_MAX, keptMs = KEPT_MS, fence = 0, clock = systemClock } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let state = readVectorState(folder);
  let lastNumber = highestNumber(readdirSync(folder));

  return {
    append(kind, rows, edition = '') {
      if (rows.length === 0) return;
      if (kind.dimensions > DIMENSIONS_MAX) {
        throw vectorKindsDiffer(kindName(kind), `at most ${DIMENSIONS_MAX} numbers`);
      }
      for (const { vector } of rows) {
        if (vector.values.length !== kind.dimensions) {
          throw vectorKindsDiffer(`${vector.values.length} numbers`, kindName(kind));
        }
      }
      const file = newName('vectors');
      const writer = new VectorSegmentWriter(path.join(folder, file), kind);
      const sorted = [...rows].sort((a, b) => a.owner - b.owner || a.part - b.part);
      writing(writer, () => {
        sorted.forEach(({ owner, part, vector }, i) => {
          const next = sorted[i + 1];
          const isReplaced = next !== undefined && next.owner === owner && next.part === part;
          if (!isReplaced) writer.add(owner, part, vector.values, vector.scale);
        });
      });
      const added = { file, kind, edition, rows: writer.rows, deletedFile: null, deletedRows: 0 };
      publish([...state.segments, added]);
    },
    deleteOwners(owners, { kind, notEdition } = {}) {
      if (owners.length === 0) return 0;
      const gone = new Set(owners);
      let deleted = 0;
      const segments = state.segments.map((segment) => {
        if (kind !== undefined && !isSameKind(segment.kind, kind)) return segment;
        if (segment.edition === notEdition) return segment;
        const changed = withoutOwners(segment, gone);
        deleted += changed.deletedRows - segment.deletedRows;
        return changed;
      });
      if (deleted > 0) publish(segments.filter(({ rows, deletedRows }) => deletedRows < rows));
      return deleted;
    },
    purge() {
      const holding = state.segments.filter(({ deletedRows }) => deletedRows > 0);
      if (holding.length > 0) {
        publish(
          state.segments.flatMap((segment) =>
            holding.includes(segment) ? mergeSegments([segment]) : segment,
          ),
        );
      }
      return removeUnused(0);
    },
    dropBroken() {
      const broken = state.segments.filter(isBroken).map(({ file }) => file);
      if (broken.length > 0) publish(state.segments.filter(({ file }) => !broken.includes(file)));
      return broken;
    },
    *rows() {
      for (const segment of state.segments) yield storedRows(folder, segment);
    },
    keepKinds(kinds) {
      const kept = state.segments.filter(({ kind }) => kinds.some((wanted) => isSameKind(kind, wanted)));
      if (kept.length < state.segments.length) publish(kept);
    },
    merge() {
      const chosen = segmentsToMerge(state.segments, rowsMax);
      if (chosen === null) return false;
      const merged = mergeSegments(chosen);
      publish([...state.segments.filter((segment) => !chosen.includes(segment)), ...merged]);
      return true;
    },
    counts: () => countsOf(state),
    removeOldFiles: () => removeUnused(keptMs),
  };

  function removeUnused(olderThanMs: number): number {
    const inUse = new Set(filesOf(state));
    let removed = 0;
    for (const name of readdirSync(folder)) {
      if (!/^(vectors|deleted)-\d+/.test(name) || inUse.has(name)) continue;
      if (clock.now() - statSync(path.join(folder, name)).mtimeMs < olderThanMs) continue;
      rmSync(path.join(folder, name), { force: true });
      removed += 1;
    }
    return removed;
  }

  function newName(what: 'vectors' | 'deleted'): string {
    lastNumber += 1;
    return fence === 0 ? `${what}-${lastNumber}` : `${what}-${lastNumber}-${fence}`;
  }

  function isBroken({ file, rows, deletedFile }: SegmentState): boolean {
    try {
      checkSegment(path.join(folder, file));
      if (deletedFile !== null) readDeleted(path.join(folder, deletedFile), rows);
      return false;
    } catch {
      return true;
    }
  }

  function publish(segments: readonly SegmentState[]): void {
    if (readVectorState(folder).generation !== state.generation) throw vectorWriterReplaced();
    const next: VectorState = { generation: state.generation + 1, segments };
    writeVectorState(folder, next);
    state = next;
  }

  function withoutOwners(segment: SegmentState, gone: ReadonlySet<number>): SegmentState {
    const owners = readOwners(folder, segment);
    const bits = deletedBits(folder, segment);
    let deletedRows = segment.deletedRows;
    owners.forEach((owner, row) => {
      const bit = 1 << (row & 7);
      if (!gone.has(owner) || (bits[row >> 3]! & bit) !== 0) return;
      bits[row >> 3]! |= bit;
      deletedRows += 1;
    });
    if (deletedRows === segment.deletedRows) return segment;
    const deletedFile = newName('deleted');
    writeWholeFile(path.join(folder, deletedFile), encodeDeleted(bits));
    return { ...segment, deletedFile, deletedRows };
  }

  function mergeSegments(chosen: readonly SegmentState[]): SegmentState[] {
    const { kind, edition } = chosen[0]!;
    const file = newName('vectors');
    const writer = new VectorSegmentWriter(path.join(folder, file), kind);
    const cursors = chosen.map(
      (segment) => new RowCursor(path.join(folder, segment.file), segment, deletedBits(folder, segment)),
    );
    try {
      if (!writing(writer, () => mergeRows(cursors, writer))) return [];
    } finally {
      for (const cursor of cursors) cursor.close();
    }
    return [{ file, kind, edition, rows: writer.rows, deletedFile: null, deletedRows: 0 }];
  }
}

function filesOf({ segments }: VectorState): string[] {
  return segments.flatMap(({ file, deletedFile }) => (deletedFile === null ? [file] : [file, deletedFile]));
}

/** Finishes the file when `work` succeeds and gave rows; else there is none. */
function writing(writer: VectorSegmentWriter, work: () => void): boolean {
  try {
    work();
    if (writer.rows === 0) {
      writer.discard();
      return false;
    }
    writer.finish();
    return true;
  } catch (error) {
    writer.discard();
    throw error;
  }
}

/** All rows in order, each once. */
function mergeRows(cursors: readonly RowCursor[], writer: VectorSegmentWriter): void {
  for (;;) {
    let first: RowCursor | undefined;
    for (const cursor of cursors) {
      if (!cursor.isAtEnd && (first === undefined || cursor.compare(first) < 0)) first = cursor;
    }
    if (first === undefined) return;
    const { owner, part } = first;
    writer.addRecord(owner, part, first.record());
    for (const cursor of cursors)
      if (!cursor.isAtEnd && cursor.owner === owner && cursor.part === part) cursor.next();
  }
}

const CURSOR_BYTES = 1 << 20;

/** Goes through the rows of a segment that are not deleted. */
class RowCursor {
  readonly #file: string;
  readonly #fd: number;
  readonly #rows: number;
  readonly #stride: number;
  readonly #width: number;
  readonly #owners: Uint32Array;
  readonly #parts: Uint32Array;
  readonly #deleted: Uint8Array;
  readonly #buffer: Buffer;
  #bufferFrom = 0;
  #bufferTo = 0;
  #row = -1;

  constructor(file: string, { rows, kind }: SegmentState, deleted: Uint8Array) {
    const { stride, width } = shapeOf(kind.dimensions);
    const sections = sectionsOf(rows, kind.dimensions);
    this.#file = file;
    this.#rows = rows;
    this.#stride = stride;
    this.#width = width;
    this.#deleted = deleted;
    this.#owners = readColumn(file, rows, sections.owners, 'ownersCrc');
    this.#parts = readColumn(file, rows, sections.parts, 'partsCrc');
    this.#buffer = Buffer.alloc(Math.max(1, Math.floor(CURSOR_BYTES / stride)) * stride);
    this.#fd = openSync(file, 'r');
    this.next();
  }

  get isAtEnd(): boolean {
    return this.#row >= this.#rows;
  }

  get owner(): number {
    return this.#owners[this.#row]!;
  }

  get part(): number {
    return this.#parts[this.#row]!;
  }

  compare(other: RowCursor): number {
    return this.owner - other.owner || this.part - other.part;
  }

  next(): void {
    do this.#row += 1;
    while (this.#row < this.#rows && (this.#deleted[this.#row >> 3]! & (1 << (this.#row & 7))) !== 0);
  }

  /** A damaged record would be copied as if it were whole. */
  record(): Uint8Array {
    if (this.#row >= this.#bufferTo) this.#fill();
    const at = (this.#row - this.#bufferFrom) * this.#stride;
    const record = this.#buffer.subarray(at, at + this.#stride);
    if (crc32(record.subarray(0, this.#width + 4)) !== record.readUInt32LE(this.#width + 4)) {
      throw vectorFileBroken(this.#file, 'a record is not as it was written');
    }
    return record;
  }

  close(): void {
    closeSync(this.#fd);
  }

  #fill(): void {
    const rows = Math.min(this.#buffer.length / this.#stride, this.#rows - this.#row);
    readWhole(
      this.#file,
      this.#fd,
      this.#buffer.subarray(0, rows * this.#stride),
      HEADER_BYTES + this.#row * this.#stride,
    );
    this.#bufferFrom = this.#row;
    this.#bufferTo = this.#row + rows;
  }
}

function readColumn(file: string, rows: number, at: number, sum: 'ownersCrc' | 'partsCrc'): Uint32Array {
  const fd = openSync(file, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    const read = readSync(fd, header, 0, HEADER_BYTES, 0);
    const head = decodeVectorHead(file, header.subarray(0, read), statSync(file).size);
    const column = new Uint32Array(rows);
    const bytes = new Uint8Array(column.buffer);
    readWhole(file, fd, bytes, at);
    if (crc32(bytes) !== head[sum]) throw vectorFileBroken(file, 'a section is not as it was written');
    return column;
  } finally {
    closeSync(fd);
  }
}

/** One of which half is deleted; else the four smallest of one kind and edition, as long as the largest is not much larger than the others. */
function segmentsToMerge(segments: readonly SegmentState[], rowsMax: number): SegmentState[] | null {
  const alive = ({ rows, deletedRows }: SegmentState) => rows - deletedRows;
  const wasted = segments.find(({ rows, deletedRows }) => deletedRows * 2 >= rows);
  if (wasted) return [wasted];
  const nameOf = ({ kind, edition }: SegmentState) => `${kindName(kind)} ${edition}`;
  for (const name of new Set(segments.map(nameOf))) {
    const own = segments.filter((one) => nameOf(one) === name).sort((a, b) => alive(a) - alive(b));
    for (let from = 0; from + FAN_IN <= own.length; from++) {
      const together = own.slice(from, from + FAN_IN);
      const sum = together.reduce((total, segment) => total + alive(segment), 0);
      if (sum <= rowsMax && alive(together.at(-1)!) <= FAN_IN * alive(together[0]!)) return together;
    }
  }
  return null;
}

function countsOf({ segments }: VectorState): KindCount[] {
  const counts = new Map<string, KindCount>();
  for (const { kind, rows, deletedRows } of segments) {
    const count = counts.get(kindName(kind)) ?? { kind, rows: 0, deletedRows: 0, segments: 0 };
    count.rows += rows - deletedRows;
    count.deletedRows += deletedRows;
    count.segments += 1;
    counts.set(kindName(kind), count);
  }
  return [...counts.values()];
}

function storedRows(folder: string, segment: SegmentState): StoredRows {
  const { file, kind, edition, rows } = segment;
  const sections = sectionsOf(rows, kind.dimensions);
  const owners = readOwners(folder, segment);
  const parts = readColumn(path.join(folder, file), rows, sections.parts, 'partsCrc');
  if (segment.deletedRows === 0) return { kind, edition, owners, parts };
  const bits = deletedBits(folder, segment);
  const isAlive = (_: number, row: number) => (bits[row >> 3]! & (1 << (row & 7))) === 0;
  return { kind, edition, owners: owners.filter(isAlive), parts: parts.filter(isAlive) };
}

function deletedBits(folder: string, { deletedFile, rows }: SegmentState): Uint8Array {
  if (deletedFile === null) return new Uint8Array(rowBitmapBytes(rows));
  return readDeleted(path.join(folder, deletedFile), rows);
}

function readOwners(folder: string, { file, rows, kind }: SegmentState): Uint32Array {
  return readColumn(path.join(folder, file), rows, sectionsOf(rows, kind.dimensions).owners, 'ownersCrc');
}

/** What a folder of vectors holds now, in whatever process; nothing where it cannot be read. */
export function readKindCounts(folder: string): KindCount[] {
  try {
    return countsOf(readVectorState(folder));
  } catch {
    return [];
  }
}

/** How many vectors each owner has, by kind, in whatever process; what cannot be read counts as none. */
export function readOwnerCounts(folder: string): { kind: VectorKind; rows: number; owners: Uint16Array }[] {
  const found = new Map<string, { kind: VectorKind; rows: number; owners: Uint16Array }>();
  let segments: readonly SegmentState[] = [];
  try {
    ({ segments } = readVectorState(folder));
  } catch {
    // As nothing.
  }
  for (const segment of segments) {
    try {
      const { kind, owners } = storedRows(folder, segment);
      const name = kindName(kind);
      const count = found.get(name) ?? { kind, rows: 0, owners: new Uint16Array(1024) };
      const highest = owners.at(-1) ?? 0;
      if (highest >= count.owners.length) {
        const larger = new Uint16Array(Math.ceil((highest + 1) * 1.25));
        larger.set(count.owners);
        count.owners = larger;
      }
      for (const owner of owners) count.owners[owner]! += 1;
      count.rows += owners.length;
      found.set(name, count);
    } catch {
      // Damaged, or merged away since the list was read.
    }
  }
  return [...found.values()];
}

function highestNumber(names: readonly string[]): number {
  return Math.max(0, ...names.map((name) => Number(/^(?:vectors|deleted)-(\d+)/.exec(name)?.[1] ?? 0)));
}
