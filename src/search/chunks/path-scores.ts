import { RankCursor, segmentsBySlot } from '../engine/view.ts';
import type { KeywordGround, KeywordWeights } from './keyword-types.ts';
import { type PathTerms, placesOf } from './path-terms.ts';
import type { VisibleChunks } from './visible-chunks.ts';

/** A word in the paths of more documents finds none by itself. */
const RARE_DOCUMENTS = 20;
const RARE_SHARE = 0.005;
/** Contents that are found by their paths, the rarest words first. */
const FOUND_MAX = 500;
/** Places of one content that are compared. */
const PLACES_MAX = 32;
const K1 = 1;

interface PathWord {
  idf: number;
  /** By manifest, as `PathTerms` has them. */
  places: Uint32Array[];
  documents: number;
}

export interface PathScore {
  /** Rank. */
  document: number;
  score: number;
  /** Share of the weight of all words that the path has. */
  coverage: number;
}

/** What the words of a question are in the paths of a view's documents. */
export class PathScores {
  readonly #ground: KeywordGround;
  readonly #weights: KeywordWeights['path'];
  readonly #terms: readonly PathTerms[];
  readonly #meanWords: number;
  readonly #words: PathWord[];
  readonly #weight: number;
  readonly #cursor: RankCursor;

  constructor(
    ground: KeywordGround,
    {
      words,
      weights,
      visible,
    }: { words: readonly string[]; weights: KeywordWeights; visible: VisibleChunks },
  ) {
    const { view } = ground;
    this.#ground = ground;
    this.#terms = visible.pathTerms;
    this.#weights = weights.path;
    this.#meanWords = visible.meanPathWords;
    this.#words = words.map((word) => {
      const places = visible.pathTerms.map((terms) => placesOf(terms, word));
      const documents = places.reduce((sum, { length }) => sum + length, 0);
      const idf = Math.log(1 + (view.documents - documents + 0.5) / (documents + 0.5));
      return { idf, places, documents };
    });
    this.#weight = this.#words.reduce((sum, { idf, documents }) => sum + (documents > 0 ? idf : 0), 0);
    this.#cursor = new RankCursor(view);
  }

  /** The best of the places of a content, from `document` on, that pass; of equals the first. */
  best(document: number, passes: (document: number) => boolean): PathScore {
    const { nextPlace } = this.#ground.view;
    let best = this.#scoreOf(document);
    let at = nextPlace[document]!;
    for (let places = 1; at !== 0 && places < PLACES_MAX; places++, at = nextPlace[at]!) {
      if (!passes(at)) continue;
      const other = this.#scoreOf(at);
      if (other.score > best.score) best = other;
    }
    return best;
  }

  /** Contents of documents whose path has a word that few have. Nothing where paths play no part. */
  rareDocuments(): { segment: number; blob: number }[] {
    if (this.#weights.weight === 0) return [];
    const { view, manifests, table, segments } = this.#ground;
    const most = Math.max(RARE_DOCUMENTS, RARE_SHARE * view.documents);
    const segmentOfSlot = segmentsBySlot(segments);
    const found = new Map<number, { segment: number; blob: number }>();
    const rarest = this.#words.filter(({ documents }) => documents <= most);
    for (const { places } of rarest.sort((a, b) => a.documents - b.documents)) {
      if (found.size >= FOUND_MAX) break;
      places.forEach((ofManifest, manifest) => {
        for (const place of ofManifest) {
          const blobId = manifests[manifest]!.blobIds[place >>> 1]!;
          const segment = segmentOfSlot[table[2 * blobId]!];
          if (blobId === 0 || segment === undefined || segment < 0) continue;
          found.set(blobId, { segment, blob: table[2 * blobId + 1]! });
        }
      });
    }
    return [...found.values()];
  }

  #scoreOf(document: number): PathScore {
    this.#cursor.seek(document);
    const { manifest, row } = this.#cursor;
    const { weight, fileName, b } = this.#weights;
    const length = this.#terms[manifest]!.lengths[row]!;
    const norm = 1 - b + (b * length) / this.#meanWords;
    let [score, has] = [0, 0];
    for (const { idf, places } of this.#words) {
      const place = placeOf(places[manifest]!, row);
      if (place < 0) continue;
      const uses = (place & 1 ? fileName : 1) / norm;
      score += (idf * uses) / (K1 + uses);
      has += idf;
    }
    return {
      document,
      score: weight === 0 ? 0 : score,
      coverage: this.#weight === 0 ? 0 : has / this.#weight,
    };
  }
}

/** What a list says of a row, -1 for nothing. */
function placeOf(places: Uint32Array, row: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (places[middle]! < 2 * row) low = middle + 1;
    else high = middle;
  }
  const place = places[low];
  return place !== undefined && place >>> 1 === row ? place : -1;
}
