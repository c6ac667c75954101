import type { QueryRest } from './query-rest.ts';
import type { RankCursor, View } from './view.ts';

export interface SearchedPlacesOptions {
  view: View;
  cursor: RankCursor;
  /** By manifest: 1 where a document of it may fit. */
  searched: Uint8Array;
  /** By manifest: what its documents are asked, as a number among `rests`. */
  restOf: Int16Array;
  rests: readonly QueryRest[];
  /** Whether the document at the cursor passes the filters that cost little. */
  passes(rest: QueryRest): boolean;
}

/** Which of the places of a text lie where the query may fit. */
export class SearchedPlaces {
  readonly searched: Uint8Array;
  /** The one manifest that is searched; -1 where several are, or none. */
  readonly only: number;
  readonly #options: SearchedPlacesOptions;

  constructor(options: SearchedPlacesOptions) {
    const { searched } = options;
    this.searched = searched;
    const first = searched.indexOf(1);
    this.only = searched.indexOf(1, first + 1) < 0 ? first : -1;
    this.#options = options;
  }

  /** Whether one does, from `rank` on. */
  has(rank: number): boolean {
    const { nextPlace } = this.#options.view;
    for (let place = rank; place !== 0; place = nextPlace[place]!) if (this.#restAt(place)) return true;
    return false;
  }

  /** The first from `rank` on that a wave from `from` on may hold; 0 for none. */
  firstOf(rank: number, from: number): number {
    const { nextPlace } = this.#options.view;
    for (let place = rank; place !== 0; place = nextPlace[place]!) {
      const rest = this.#restAt(place);
      if (!rest) continue;
      if (place >= from) return place;
      // Every place of the text fits or fails alike: this one was looked at in an earlier wave.
      if (!rest.dependsOnPlace) return 0;
    }
    return 0;
  }

  /** What the document of a rank is asked; null where it cannot fit. */
  #restAt(rank: number): QueryRest | null {
    const { cursor, restOf, rests, passes } = this.#options;
    cursor.seek(rank);
    if (this.searched[cursor.manifest] === 0) return null;
    const rest = rests[restOf[cursor.manifest]!]!;
    return passes(rest) ? rest : null;
  }
}
