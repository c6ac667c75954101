import path from 'node:path';
import {
  type Manifest,
  openManifest,
  type RevisionEntry,
  readBlobIds,
  type SegmentEntry,
} from '../search/index.ts';
import { UNNAMED_LANGUAGE } from './facts-messages.ts';
import type { IndexSession } from './index-session.ts';

/** By which document each blob of a segment is read: a text says by itself neither its language nor its dialect. */
export interface SegmentDocuments {
  /** By the blob's number in the segment; UNNAMED_LANGUAGE where no document shows it. */
  languages: Uint16Array;
  paths: string[];
  unnamed: number;
  /** Some blob belongs to a document that is not published yet: too early. */
  isEarly: boolean;
}

export interface DocumentChoice {
  /** Whether the language has facts: of several documents that show one blob, one of those is taken. */
  hasFacts(language: number): boolean;
  /** Newest first, and no further than needed to find a document for each blob. */
  quick: boolean;
}

/** Looks into the manifests for documents that show the blobs of a segment. */
export async function documentsOf(
  segment: SegmentEntry,
  session: IndexSession,
  { hasFacts, quick }: DocumentChoice,
): Promise<SegmentDocuments> {
  const blobIds = session.blobIdsOf(segment);
  const languages = new Uint16Array(blobIds.length).fill(UNNAMED_LANGUAGE);
  const paths = Array.from(blobIds, () => '');
  const places = placesOf(blobIds);
  let undecided = blobIds.length;

  const take = (manifest: Manifest, row: number, blob: number) => {
    const language = manifest.languages[row]!;
    const before = languages[blob]!;
    if (before !== UNNAMED_LANGUAGE && (hasFacts(before) || !hasFacts(language))) return;
    languages[blob] = language;
    paths[blob] = manifest.path(row);
    if (before === UNNAMED_LANGUAGE) undecided -= 1;
  };
  for (const file of manifestFiles(session, quick)) {
    if (quick && undecided === 0) break;
    await eachShown(session.writer.folder, file, places, take);
  }
  const unnamed = languages.reduce((sum, language) => sum + Number(language === UNNAMED_LANGUAGE), 0);
  return { languages, paths, unnamed, isEarly: unnamed > 0 && (await hasLive(session, blobIds, languages)) };
}

/** Which of some blobs a manifest shows. */
export async function shownBlobs(
  folder: string,
  file: string,
  wanted: ReadonlySet<number>,
): Promise<Set<number>> {
  const shown = new Set<number>();
  for (const blobId of await blobIdsIn(folder, file)) if (wanted.has(blobId)) shown.add(blobId);
  return shown;
}

function placesOf(blobIds: Uint32Array): ReadonlyMap<number, number> {
  return new Map(Array.from(blobIds, (blobId, blob) => [blobId, blob]));
}

/** Quick: newest first. Else branches before visited revisions, in an order that stays the same from run to run. */
function manifestFiles(session: IndexSession, quick: boolean): string[] {
  const order = (a: RevisionEntry, b: RevisionEntry) =>
    quick
      ? b.indexedMs - a.indexedMs
      : Number(a.kind === 'visited') - Number(b.kind === 'visited') || a.repositoryId - b.repositoryId;
  const { revisions } = session.writer.state();
  return [...new Set([...revisions].sort(order).map(({ file }) => file))];
}

async function eachShown(
  folder: string,
  file: string,
  places: ReadonlyMap<number, number>,
  take: (manifest: Manifest, row: number, blob: number) => void,
): Promise<void> {
  const blobIds = await blobIdsIn(folder, file);
  const rows: number[] = [];
  for (let row = 0; row < blobIds.length; row++) if (places.has(blobIds[row]!)) rows.push(row);
  if (rows.length === 0) return;
  const manifest = await openManifest(path.join(folder, file)).catch(goneAsNull);
  if (manifest === null) return;
  for (const row of rows) take(manifest, row, places.get(blobIds[row]!)!);
}

async function blobIdsIn(folder: string, file: string): Promise<Uint32Array> {
  const read = await readBlobIds(path.join(folder, file)).catch(goneAsNull);
  return read?.blobIds ?? new Uint32Array();
}

/** Replaced since; its successor comes with the next look. */
function goneAsNull(error: { code?: string }): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

async function hasLive(
  session: IndexSession,
  blobIds: Uint32Array,
  languages: Uint16Array,
): Promise<boolean> {
  const isLive = await session.keepLive([]);
  return blobIds.some((blobId, blob) => languages[blob] === UNNAMED_LANGUAGE && isLive(blobId));
}
