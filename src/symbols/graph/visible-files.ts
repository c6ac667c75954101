import { RankCursor, segmentsBySlot } from '../../search/index.ts';
import { PathRows } from './path-rows.ts';
import type { ReadableFacts } from './readable-facts.ts';

/** What a text is in the index. */
export interface TextPlace {
  segment: number;
  blob: number;
}

const CLASSES = 4;
const ENDING_MAX = 40;
/** Places of one text that are looked through for the one that is wanted. */
const PLACES_LOOKED_AT = 64;
const PATHS_KEPT = 50_000;
/** The same where repositories are named: there may be many forks before them. */
const PLACES_NARROWED = 4096;

/** Where the files of a view lie: a file is its rank among all that is visible. */
export class VisibleFiles {
  readonly #facts: ReadableFacts;
  readonly #cursor: RankCursor;
  readonly #segmentOfSlot: Int32Array;
  readonly #rows = new PathRows();
  readonly #paths = new Map<number, string>();

  constructor(facts: ReadableFacts) {
    this.#facts = facts;
    this.#cursor = new RankCursor(facts.asked.view);
    this.#segmentOfSlot = segmentsBySlot(facts.asked.segments);
  }

  get revisions(): number {
    return this.#facts.asked.manifests.length;
  }

  pathOf(file: number): string {
    let path = this.#paths.get(file);
    if (path === undefined) {
      this.#cursor.seek(file);
      path = this.#facts.asked.manifests[this.#cursor.manifest]!.path(this.#cursor.row);
      if (this.#paths.size >= PATHS_KEPT) this.#paths.clear();
      this.#paths.set(file, path);
    }
    return path;
  }

  revisionOf(file: number): number {
    this.#cursor.seek(file);
    return this.#cursor.manifest;
  }

  rowOf(file: number): { revision: number; row: number } {
    this.#cursor.seek(file);
    return { revision: this.#cursor.manifest, row: this.#cursor.row };
  }

  fileAt(revision: number, path: string): number {
    const row = this.#rows.rowOf(this.#facts.asked.manifests[revision]!, path);
    return row < 0 ? 0 : this.#rankOf(revision, row);
  }

  filesEndingWith(revision: number, ending: string): readonly number[] {
    const manifest = this.#facts.asked.manifests[revision]!;
    const folded = Buffer.from(ending.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
    if (!manifest.mayHavePath(folded)) return [];
    return manifest
      .rowsWithPath(folded, Number.POSITIVE_INFINITY)
      .filter((row) => `/${manifest.path(row)}`.endsWith(`/${ending}`))
      .slice(0, ENDING_MAX)
      .map((row) => this.#rankOf(revision, row));
  }

  contentOf(file: number): number {
    this.#cursor.seek(file);
    return this.#facts.asked.manifests[this.#cursor.manifest]!.blobIds[this.#cursor.row]!;
  }

  /** Which text of the index a file is; null where there is none. */
  textPlaceOf(file: number): TextPlace | null {
    this.#cursor.seek(file);
    const blobId = this.#facts.asked.manifests[this.#cursor.manifest]!.blobIds[this.#cursor.row]!;
    const { table } = this.#facts.asked;
    const segment = this.#segmentOfSlot[table[2 * blobId]!] ?? -1;
    return blobId === 0 || segment < 0 ? null : { segment, blob: table[2 * blobId + 1]! };
  }

  /** A place of the text in a revision; 0 for none. */
  placeIn(rank: number, revision: number): number {
    const { runStarts, nextPlace } = this.#facts.asked.view;
    for (let place = rank; place !== 0; place = nextPlace[place]!) {
      for (let documentClass = 0; documentClass < CLASSES; documentClass++) {
        const run = documentClass * this.revisions + revision;
        if (place >= runStarts[run]! && place < runStarts[run + 1]!) return place;
      }
    }
    return 0;
  }

  /** The place of a text that is meant from a revision: in it, else in its repository, else the best. */
  placeFor(rank: number, revision: number): number {
    const wanted = this.#facts.asked.shown[revision]!.repository.id;
    let inRepository = 0;
    let place = rank;
    for (let looked = 0; place !== 0 && looked < PLACES_LOOKED_AT; looked++) {
      const at = this.revisionOf(place);
      if (at === revision) return place;
      if (inRepository === 0 && this.#facts.asked.shown[at]!.repository.id === wanted) inRepository = place;
      place = this.#facts.asked.view.nextPlace[place]!;
    }
    return inRepository === 0 ? rank : inRepository;
  }

  /** The best place of a file's content. */
  bestPlace(file: number): number {
    const place = this.textPlaceOf(file);
    return place === null ? file : (this.#facts.asked.view.rankOfBlob[place.segment]?.[place.blob] ?? file);
  }

  /** The best place of a file's content that is wanted; 0 for none. */
  placeAmong(file: number, isWanted: (place: number) => boolean): number {
    let looked = 0;
    for (const place of this.placesFrom(this.bestPlace(file))) {
      if (isWanted(place)) return place;
      if (++looked === PLACES_NARROWED) break;
    }
    return 0;
  }

  placesOf(file: number): number {
    let count = 0;
    for (const _ of this.placesFrom(this.bestPlace(file))) count++;
    return count;
  }

  /** Where a text is, from one of its places on: its best for all. */
  *placesFrom(rank: number): Generator<number> {
    const { nextPlace } = this.#facts.asked.view;
    for (let place = rank; place !== 0; place = nextPlace[place]!) yield place;
  }

  #rankOf(revision: number, row: number): number {
    const { runStarts, runRows } = this.#facts.asked.view;
    const documentClass = this.#facts.asked.manifests[revision]!.classOf(row);
    const run = documentClass * this.revisions + revision;
    return runStarts[run]! + row - runRows[run]!;
  }
}
