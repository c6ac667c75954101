import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { brokenIndexFile, newerIndexFile } from '../index-folder/index-errors.ts';
import { indexIn } from '../segments/ascending.ts';
import {
  foldByte,
  gramsOf,
  headerBytes,
  manifestMagic,
  manifestVersion,
  rowsPerGroup,
  type SectionName,
  sections,
  sectionsStart,
  signatureBit,
  skipReasons,
} from './manifest-format.ts';
import type { DocumentClass, ManifestHead, ManifestRow, SkipReason } from './types.ts';

/** What another thread needs to read the same manifest without copying it. */
export interface ManifestHandle {
  readonly file: string;
  readonly shared: SharedArrayBuffer;
}

/** An open manifest. Its columns are views of shared memory, indexed by row; nobody writes to them. */
export interface Manifest {
  readonly handle: ManifestHandle;
  readonly head: ManifestHead;
  readonly rows: number;
  /** First row of each class, then the number of rows. */
  readonly classStarts: Uint32Array;
  /** 0 for a row that is skipped. */
  readonly blobIds: Uint32Array;
  readonly languages: Uint16Array;
  /** Bytes of a row's path: from pathStarts[row] to pathStarts[row + 1] of pathBytes. */
  readonly pathStarts: Uint32Array;
  readonly pathBytes: Uint8Array;
  classOf(row: number): DocumentClass;
  skipped(row: number): SkipReason | null;
  path(row: number): string;
  oid(row: number): string;
  row(row: number): ManifestRow;
  /** -1 when no document has the path. */
  rowOfPath(path: string): number;
  /** False: surely no path holds all of these bytes in this order; true: one may. `folded` has no A-Z. */
  mayHavePath(folded: Uint8Array): boolean;
  /** Rows from `from` on whose path holds `folded` where A-Z count as a-z, ascending, at most `limit`. */
  rowsWithPath(folded: Uint8Array, limit: number, from?: number): number[];
}

/** Reads the file into shared memory. Fails with `search/index-file-broken` or `search/index-file-newer`. */
export async function openManifest(file: string): Promise<Manifest> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    if (size < sectionsStart) throw brokenIndexFile(file, 'it is cut short');
    const shared = new SharedArrayBuffer(size);
    const bytes = new Uint8Array(shared);
    for (let at = 0; at < size; ) {
      const { bytesRead } = await handle.read(bytes, at, size - at, at);
      if (bytesRead === 0) throw brokenIndexFile(file, 'it is cut short');
      at += bytesRead;
    }
    checkHeader(file, new DataView(shared), size);
    if (crc32(bytes.subarray(16)) !== new DataView(shared).getUint32(12, true))
      throw brokenIndexFile(file, 'its checksum does not fit');
    return attachManifest({ file, shared });
  } finally {
    await handle.close();
  }
}

function checkHeader(file: string, view: DataView, size: number): void {
  if (view.getUint32(0, true) !== manifestMagic) throw brokenIndexFile(file, 'it is no manifest');
  const version = view.getUint32(4, true);
  if (version > manifestVersion) throw newerIndexFile(file);
  if (version < manifestVersion) throw brokenIndexFile(file, `it has the old format ${version}`);
  if (view.getUint32(8, true) !== size) throw brokenIndexFile(file, 'it is cut short');
}

/** The blobIds of its rows alone, 0 for those that are skipped, and where classes begin. Checks no checksum. */
export async function readBlobIds(file: string): Promise<{ blobIds: Uint32Array; classStarts: Uint32Array }> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const header = new DataView(new ArrayBuffer(sectionsStart));
    await handle.read(new Uint8Array(header.buffer), 0, sectionsStart, 0);
    checkHeader(file, header, size);
    const column = async (name: SectionName) => {
      const at = headerBytes + sections.indexOf(name) * 8;
      const words = new Uint32Array(header.getUint32(at + 4, true) / 4);
      await handle.read(new Uint8Array(words.buffer), 0, words.byteLength, header.getUint32(at, true));
      return words;
    };
    return { blobIds: await column('blobIds'), classStarts: await column('classStarts') };
  } finally {
    await handle.close();
  }
}

/** The manifest of another thread's handle. */
export function attachManifest(handle: ManifestHandle): Manifest {
  const { shared } = handle;
  const view = new DataView(shared);
  const rows = view.getUint32(16, true);
  const oidBytes = view.getUint32(20, true);
  const placeOf = (name: SectionName) => {
    const at = headerBytes + sections.indexOf(name) * 8;
    return { offset: view.getUint32(at, true), length: view.getUint32(at + 4, true) };
  };
  const bytesOf = (name: SectionName) => {
    const { offset, length } = placeOf(name);
    return new Uint8Array(shared, offset, length);
  };
  const wordsOf = (name: SectionName) => {
    const { offset, length } = placeOf(name);
    return new Uint32Array(shared, offset, length / 4);
  };
  const languagesAt = placeOf('languages');
  const languages = new Uint16Array(shared, languagesAt.offset, languagesAt.length / 2);
  const classStarts = wordsOf('classStarts');
  const blobIds = wordsOf('blobIds');
  const flags = bytesOf('flags');
  const pathStarts = wordsOf('pathStarts');
  const pathBytes = bytesOf('paths');
  const oids = Buffer.from(shared, placeOf('oids').offset, placeOf('oids').length);
  const text = Buffer.from(shared, placeOf('paths').offset, placeOf('paths').length);
  const grams = { keys: wordsOf('gramKeys'), starts: wordsOf('gramStarts'), groups: bytesOf('gramGroups') };
  const signature = wordsOf('signature');
  const textFacts = wordsOf('textFacts');
  let textFactsAt: Map<number, number> | null = null;
  // A copy: Buffer's decoding does not take shared memory in every version.
  const head = JSON.parse(Buffer.from(bytesOf('head')).toString('utf8')) as ManifestHead;

  const manifest: Manifest = {
    handle,
    head,
    rows,
    classStarts,
    blobIds,
    languages,
    pathStarts,
    pathBytes,
    classOf: (row) => {
      for (let classNumber = 3; classNumber > 0; classNumber--) {
        if (row >= classStarts[classNumber]!) return classNumber as DocumentClass;
      }
      return 0;
    },
    skipped: (row) => skipReasons[(flags[row]! >> 1) - 1] ?? null,
    path: (row) => text.toString('utf8', pathStarts[row], pathStarts[row + 1]),
    oid: (row) => oids.toString('hex', row * oidBytes, (row + 1) * oidBytes),
    row(row) {
      textFactsAt ??= new Map(
        Array.from({ length: textFacts.length / 3 }, (_, at) => [textFacts[at * 3]!, at * 3]),
      );
      const factsAt = textFactsAt.get(row);
      return {
        path: manifest.path(row),
        oid: manifest.oid(row),
        blobId: blobIds[row]!,
        skipped: manifest.skipped(row),
        class: manifest.classOf(row),
        language: languages[row]!,
        executable: (flags[row]! & 1) === 1,
        maskedSpans: factsAt === undefined ? 0 : textFacts[factsAt + 1]!,
        interpreter: factsAt === undefined ? 0 : textFacts[factsAt + 2]!,
      };
    },
    rowOfPath(path) {
      const wanted = Buffer.from(path);
      for (let classNumber = 0; classNumber < 4; classNumber++) {
        let low = classStarts[classNumber]!;
        let high = classStarts[classNumber + 1]!;
        while (low < high) {
          const middle = (low + high) >>> 1;
          const order = wanted.compare(text, pathStarts[middle], pathStarts[middle + 1]);
          if (order === 0) return middle;
          if (order < 0) high = middle;
          else low = middle + 1;
        }
      }
      return -1;
    },
    mayHavePath(folded) {
      const bits = signature.length * 32;
      for (let at = 0; at + 3 <= folded.length; at++) {
        const gram = (folded[at]! << 16) | (folded[at + 1]! << 8) | folded[at + 2]!;
        const bit = signatureBit(gram, bits);
        if (((signature[bit >>> 5]! >>> (bit & 31)) & 1) === 0) return false;
      }
      return true;
    },
    rowsWithPath(folded, limit, from = 0) {
      const found: number[] = [];
      const groups = folded.length < 3 ? null : groupsWith(grams, gramsOf(folded));
      const groupCount = groups === null ? Math.ceil(rows / rowsPerGroup) : groups.length;
      for (let at = 0; at < groupCount; at++) {
        const group = groups === null ? at : groups[at]!;
        const groupEnd = Math.min(rows, (group + 1) * rowsPerGroup);
        for (let row = Math.max(from, group * rowsPerGroup); row < groupEnd; row++) {
          if (found.length >= limit) return found;
          if (holds(pathBytes, pathStarts[row]!, pathStarts[row + 1]!, folded)) found.push(row);
        }
      }
      return found;
    },
  };
  return manifest;
}

interface Grams {
  keys: Uint32Array;
  starts: Uint32Array;
  groups: Uint8Array;
}

/** Groups that hold every one of the grams, ascending. */
function groupsWith(grams: Grams, wanted: readonly number[]): readonly number[] {
  const places = wanted.map((gram) => indexIn(grams.keys, gram));
  if (places.includes(-1)) return [];
  places.sort((a, b) => lengthOf(grams, a) - lengthOf(grams, b));
  let groups = decodeGroups(grams, places[0]!);
  for (const place of places.slice(1)) {
    // What is left is looked at anyway: it costs less than reading a longer list.
    if (groups.length * 8 < lengthOf(grams, place)) break;
    const others = new Set(decodeGroups(grams, place));
    groups = groups.filter((group) => others.has(group));
  }
  return groups;
}

function lengthOf({ starts }: Grams, place: number): number {
  return starts[place + 1]! - starts[place]!;
}

function decodeGroups({ starts, groups }: Grams, place: number): number[] {
  const found: number[] = [];
  const end = starts[place + 1]!;
  let group = 0;
  for (let at = starts[place]!; at < end; ) {
    let shift = 0;
    let byte = groups[at++]!;
    let gap = byte & 0x7f;
    while (byte >= 0x80) {
      shift += 7;
      byte = groups[at++]!;
      gap |= (byte & 0x7f) << shift;
    }
    group += gap;
    found.push(group);
  }
  return found;
}

function holds(bytes: Uint8Array, start: number, end: number, folded: Uint8Array): boolean {
  const last = end - folded.length;
  for (let at = start; at <= last; at++) {
    let matched = 0;
    while (matched < folded.length && foldByte(bytes[at + matched]!) === folded[matched]) matched++;
    if (matched === folded.length) return true;
  }
  return false;
}
