import { LRUCache } from 'lru-cache';
import { segmentsBySlot, type TextPlaces, type View } from './view.ts';

/** Like `View.rankOfBlob`, of one revision alone. */
type Ranking = readonly (Uint32Array | null)[];

/** All that are kept have as many numbers as this. */
const KEPT_MAX = 1 << 20;

/**
 * The ranks of texts within one revision, for queries that ask for that one alone: most candidates of a segment lie elsewhere, and
 * finding it out by the places of each costs more than all else that is done for them. Made with the first such query.
 */
export class RevisionRankings {
  readonly #view: View;
  readonly #places: TextPlaces;
  readonly #known = new LRUCache<number, Ranking>({
    maxSize: KEPT_MAX,
    sizeCalculation: (ranking) => 1 + ranking.reduce((sum, ranks) => sum + (ranks?.length ?? 0), 0),
  });

  constructor(view: View, places: TextPlaces) {
    this.#view = view;
    this.#places = places;
  }

  of(manifest: number): Ranking {
    let ranking = this.#known.get(manifest);
    if (!ranking) {
      ranking = this.#make(manifest);
      this.#known.set(manifest, ranking);
    }
    return ranking;
  }

  #make(manifest: number): Ranking {
    const { holds, manifests, runStarts, runManifests, runRows } = this.#view;
    const { table, segments } = this.#places;
    const ranking = segments.map(({ blobs }, segment) =>
      holds[segment * manifests.length + manifest] === 0 ? null : new Uint32Array(blobs),
    );
    const segmentOfSlot = segmentsBySlot(segments);
    const { blobIds } = manifests[manifest]!;
    // From the last rank to the first: the best one of a text is put last.
    for (let run = runManifests.length - 1; run >= 0; run--) {
      if (runManifests[run] !== manifest) continue;
      const first = runStarts[run]!;
      for (let rank = runStarts[run + 1]! - 1; rank >= first; rank--) {
        const place = 2 * blobIds[runRows[run]! + rank - first]!;
        const ranks = ranking[segmentOfSlot[table[place]!] ?? -1];
        if (ranks) ranks[table[place + 1]!] = rank;
      }
    }
    return ranking;
  }
}
