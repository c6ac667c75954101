import { type FileHandle, open, rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Manifest } from './manifest.ts';
import {
  align,
  headerBytes,
  manifestMagic,
  manifestVersion,
  type SectionName,
  sections,
  sectionsStart,
  skipReasons,
} from './manifest-format.ts';
import { buildPathGrams } from './path-grams.ts';
import type { ManifestHead, ManifestRow } from './types.ts';

/** What the writer is given; counts of the head that rows tell are taken from them. */
export interface NewManifest {
  head: Omit<ManifestHead, 'documents' | 'skippedCounts' | 'maskedSpans'> & {
    /** Paths that the opt-out hides: they have no row. */
    optedOut: number;
    /** Paths that hold a credential: they have no row either. Default 0. */
    credentialNames?: number;
  };
  /** False: nobody looks for its paths, and no index of them is made. Default true. */
  findable?: boolean;
  /** In any order. Of rows with one path the first counts. */
  rows: readonly ManifestRow[];
}

/** Writes the file so that it is on disk when this returns; it must not exist yet. A file that could not be written whole is gone. */
export async function writeManifest(file: string, manifest: NewManifest): Promise<ManifestHead> {
  const { head, bytes } = encodeManifest(manifest);
  await writeWhole(file, bytes);
  return head;
}

/** What differs where two repositories have the very same documents. */
export type CopiedHead = Pick<
  ManifestHead,
  'repositoryId' | 'commit' | 'tree' | 'committedMs' | 'policyKey' | 'objectsBy'
>;

/** As `writeManifest`, of the rows of another manifest. */
export async function copyManifest(file: string, of: Manifest, differing: CopiedHead): Promise<ManifestHead> {
  const head = { ...of.head, ...differing };
  const { shared } = of.handle;
  const view = new DataView(shared);
  const content = Object.fromEntries(
    sections.map((name, index) => {
      const at = headerBytes + index * 8;
      return [name, new Uint8Array(shared, view.getUint32(at, true), view.getUint32(at + 4, true))];
    }),
  ) as Record<SectionName, Uint8Array>;
  content.head = Buffer.from(JSON.stringify(head));
  await writeWhole(file, assemble(content, of.rows, view.getUint32(20, true)));
  return head;
}

async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  let handle: FileHandle | null = null;
  try {
    handle = await open(file, 'wx', 0o600);
    await handle.writeFile(bytes);
    await handle.sync();
    await handle.close();
  } catch (error) {
    if (handle !== null) {
      await handle.close().catch(() => {});
      await rm(file, { force: true });
    }
    throw error;
  }
}

export function encodeManifest(manifest: NewManifest): { head: ManifestHead; bytes: Buffer } {
  const rows = sortedRows(manifest.rows);
  const head = headOf(manifest.head, rows);
  const oidBytes = (rows[0]?.oid.length ?? 40) / 2;
  const paths = pathBytesOf(rows);
  const grams =
    manifest.findable === false
      ? buildPathGrams(new Uint8Array(), new Uint32Array(1))
      : buildPathGrams(paths.bytes, paths.starts);
  const content: Record<SectionName, Uint8Array | Uint16Array | Uint32Array> = {
    head: Buffer.from(JSON.stringify(head)),
    classStarts: classStartsOf(rows),
    blobIds: Uint32Array.from(rows, (row) => row.blobId),
    languages: Uint16Array.from(rows, (row) => row.language),
    flags: Uint8Array.from(rows, flagsOf),
    pathStarts: paths.starts,
    paths: paths.bytes,
    oids: oidsOf(rows, oidBytes),
    textFacts: Uint32Array.from(
      rows.flatMap(({ maskedSpans, interpreter }, row) =>
        maskedSpans === 0 && interpreter === 0 ? [] : [row, maskedSpans, interpreter],
      ),
    ),
    gramKeys: grams.keys,
    gramStarts: grams.starts,
    gramGroups: grams.groups,
    signature: grams.signature,
  };
  return { head, bytes: assemble(content, rows.length, oidBytes) };
}

function assemble(
  content: Record<SectionName, Uint8Array | Uint16Array | Uint32Array>,
  rows: number,
  oidBytes: number,
): Buffer {
  let length = sectionsStart;
  const offsets = sections.map((name) => {
    const offset = length;
    length = align(offset + content[name].byteLength);
    return offset;
  });
  const bytes = Buffer.alloc(length);
  sections.forEach((name, index) => {
    const { buffer, byteOffset, byteLength } = content[name];
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), offsets[index]!);
    bytes.writeUInt32LE(offsets[index]!, headerBytes + index * 8);
    bytes.writeUInt32LE(byteLength, headerBytes + index * 8 + 4);
  });
  bytes.writeUInt32LE(manifestMagic, 0);
  bytes.writeUInt32LE(manifestVersion, 4);
  bytes.writeUInt32LE(length, 8);
  bytes.writeUInt32LE(rows, 16);
  bytes.writeUInt32LE(oidBytes, 20);
  bytes.writeUInt32LE(crc32(bytes.subarray(16)), 12);
  return bytes;
}

function sortedRows(given: readonly ManifestRow[]): ManifestRow[] {
  const seen = new Set<string>();
  const rows = given.filter(({ path }) => {
    const isNew = !seen.has(path);
    seen.add(path);
    return isNew;
  });
  // UTF-16 and UTF-8 sort alike but for what lies beyond the basic plane.
  const sortsAsBytes = rows.every(({ path }) => !/[\ud800-\udfff]/.test(path));
  const comparePaths = sortsAsBytes
    ? (a: string, b: string) => (a < b ? -1 : 1)
    : (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  return rows.sort((a, b) => a.class - b.class || comparePaths(a.path, b.path));
}

function headOf(
  { optedOut, credentialNames = 0, ...given }: NewManifest['head'],
  rows: readonly ManifestRow[],
): ManifestHead {
  const skippedCounts: Record<string, number> = {};
  let maskedSpans = 0;
  for (const row of rows) {
    if (row.skipped !== null) skippedCounts[row.skipped] = (skippedCounts[row.skipped] ?? 0) + 1;
    maskedSpans += row.maskedSpans;
  }
  if (optedOut > 0) skippedCounts['opted-out'] = optedOut;
  if (credentialNames > 0) skippedCounts['credential-in-name'] = credentialNames;
  return { ...given, documents: rows.length, skippedCounts, maskedSpans };
}

function classStartsOf(rows: readonly ManifestRow[]): Uint32Array {
  const starts = new Uint32Array(5);
  for (const row of rows) starts[row.class + 1]! += 1;
  for (let at = 1; at < 5; at++) starts[at]! += starts[at - 1]!;
  return starts;
}

function flagsOf({ executable, skipped }: ManifestRow): number {
  const reason = skipped === null ? 0 : skipReasons.indexOf(skipped) + 1;
  return (executable ? 1 : 0) | (reason << 1);
}

function pathBytesOf(rows: readonly ManifestRow[]): { bytes: Buffer; starts: Uint32Array } {
  const starts = new Uint32Array(rows.length + 1);
  rows.forEach(({ path }, row) => {
    starts[row + 1] = starts[row]! + Buffer.byteLength(path);
  });
  const bytes = Buffer.alloc(starts[rows.length]!);
  for (const [row, { path }] of rows.entries()) bytes.write(path, starts[row]!);
  return { bytes, starts };
}

function oidsOf(rows: readonly ManifestRow[], oidBytes: number): Buffer {
  const oids = Buffer.alloc(rows.length * oidBytes);
  for (const [row, { oid }] of rows.entries()) oids.write(oid, row * oidBytes, oidBytes, 'hex');
  return oids;
}
