import { LRUCache } from 'lru-cache';
import {
  type AskedGround,
  type ChunksReader,
  type Manifest,
  segmentsBySlot,
  type View,
} from '../../search/index.ts';
import type { RetrievalFilters } from '../types.ts';

/** The texts that a view shows through some filters. */
export interface VisibleTexts {
  /** Bit `blobId & 7` of byte `blobId >> 3`. */
  bits: Uint8Array;
  documents: number;
  unread: number;
  texts: number;
  unchunked: number;
  chunks: number;
}

const KEPT_OF_A_VIEW = 8;

/** Works out which texts may be found, and keeps it for a view as long as that lives. */
export class VisibleTextsOf {
  readonly #reader: ChunksReader;
  readonly #known = new WeakMap<View, LRUCache<string, VisibleTexts>>();

  constructor(reader: ChunksReader) {
    this.#reader = reader;
  }

  of(ground: AskedGround, filters: RetrievalFilters): VisibleTexts {
    let ofView = this.#known.get(ground.view);
    if (ofView === undefined) {
      ofView = new LRUCache({ max: KEPT_OF_A_VIEW });
      this.#known.set(ground.view, ofView);
    }
    const { paths, withoutPaths, languages } = filters;
    const key = JSON.stringify([paths, withoutPaths, languages]);
    let texts = ofView.get(key);
    if (texts === undefined) {
      texts = this.#counted(ground, documentFilter(filters, ground));
      ofView.set(key, texts);
    }
    return texts;
  }

  #counted({ manifests, table, segments }: AskedGround, accepts: DocumentFilter | null): VisibleTexts {
    const segmentOfSlot = segmentsBySlot(segments);
    const bits = new Uint8Array((table.length >> 4) + 1);
    const counted = { documents: 0, unread: 0, texts: 0, unchunked: 0, chunks: 0 };
    for (const [at, manifest] of manifests.entries()) {
      const { blobIds, rows } = manifest;
      for (let row = 0; row < rows; row++) {
        const blobId = blobIds[row]!;
        if (blobId === 0 && manifest.skipped(row) !== 'pending') continue;
        if (accepts !== null && !accepts(at, row)) continue;
        counted.documents++;
        const segment = blobId === 0 ? -1 : (segmentOfSlot[table[2 * blobId]!] ?? -1);
        if (segment < 0) {
          counted.unread++;
          continue;
        }
        const bit = 1 << (blobId & 7);
        if ((bits[blobId >> 3]! & bit) !== 0) continue;
        bits[blobId >> 3]! |= bit;
        counted.texts++;
        const { chunks } = segments[segment]!;
        const blob = table[2 * blobId + 1]!;
        if (chunks === null || this.#reader.skipped(chunks, blob) === 'unnamed') counted.unchunked++;
        else counted.chunks += chunks.tables.chunkStarts[blob + 1]! - chunks.tables.chunkStarts[blob]!;
      }
    }
    return { ...counted, bits };
  }
}

/** Whether a document counts, by manifest and row. */
export type DocumentFilter = (manifest: number, row: number) => boolean;

/** Null where all do. */
export function documentFilter(
  { paths = [], withoutPaths = [], languages }: RetrievalFilters,
  { manifests, pathHas }: Pick<AskedGround, 'pathHas'> & { manifests: readonly Manifest[] },
): DocumentFilter | null {
  if (paths.length + withoutPaths.length === 0 && languages === undefined) return null;
  const wanted = languages === undefined ? null : new Set(languages);
  return (at, row) => {
    const manifest = manifests[at]!;
    if (wanted !== null && !wanted.has(manifest.languages[row]!)) return false;
    return (
      paths.every((pattern) => pathHas(pattern, manifest, row)) &&
      !withoutPaths.some((pattern) => pathHas(pattern, manifest, row))
    );
  };
}
