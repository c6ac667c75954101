/** What a view needs of a manifest: its columns by row. */
export interface ViewedManifest {
  /** First row of each class, then the number of rows. */
  readonly classStarts: Uint32Array;
  readonly blobIds: Uint32Array;
}

export interface ViewedSegment {
  readonly slot: number;
  readonly blobs: number;
  readonly cut: Uint8Array | null;
}

/** Where the texts of blobs lie. */
export interface TextPlaces {
  /** Two numbers at 2 × blobId: the slot of its segment plus one (0: in none), and its index within that. */
  readonly table: Uint32Array;
  /** Segments by the numbers that a view gives them. The table may know of others, which are newer. */
  readonly segments: readonly ViewedSegment[];
}

/**
 * The documents that a scope shows, each with a rank from 1: by class, then repository as the scope orders them, then revision (the
 * default branch first), then path. Everything that decides an answer's order, end and counts goes by ranks, and they depend on the
 * visible documents alone: not on segments, and not on what lies beside a visible document in one.
 */
export interface View {
  readonly manifests: readonly ViewedManifest[];
  /** Ranks run through the rows of one class of one manifest at a time: the first rank of each such run, then the end. */
  readonly runStarts: Uint32Array;
  readonly runManifests: Uint32Array;
  readonly runRows: Uint32Array;
  /** By segment and blob: the best rank of its content, 0 when it is not visible. Null for a segment without visible blobs. */
  readonly rankOfBlob: readonly (Uint32Array | null)[];
  /** By rank: the next rank with the same content, 0 at the end. */
  readonly nextPlace: Uint32Array;
  /** By segment, the best rank in it; NO_RANK when it has none. */
  readonly lowestRank: Uint32Array;
  /** The same of its blobs that are cut: see SearchedSegment. */
  readonly lowestCut: Uint32Array;
  /** Whether a segment holds content of a manifest: segment × manifests + manifest. */
  readonly holds: Uint8Array;
  /** Highest rank. */
  readonly documents: number;
}

export const NO_RANK = 0xffffffff;
const CLASSES = 4;

/** `manifests` in the order in which they rank within a class. */
export function viewOf(manifests: readonly ViewedManifest[], places: TextPlaces): View {
  const runCount = manifests.length * CLASSES;
  const runStarts = new Uint32Array(runCount + 1);
  const runManifests = new Uint32Array(runCount);
  const runRows = new Uint32Array(runCount);
  let rank = 1;
  let run = 0;
  for (let documentClass = 0; documentClass < CLASSES; documentClass++) {
    for (let manifest = 0; manifest < manifests.length; manifest++) {
      const { classStarts } = manifests[manifest]!;
      runStarts[run] = rank;
      runManifests[run] = manifest;
      runRows[run] = classStarts[documentClass]!;
      rank += classStarts[documentClass + 1]! - classStarts[documentClass]!;
      run++;
    }
  }
  runStarts[run] = rank;

  const { table, segments } = places;
  const segmentOfSlot = segmentsBySlot(segments);
  const rankOfBlob: (Uint32Array | null)[] = segments.map(() => null);
  const nextPlace = new Uint32Array(rank);
  const lowestRank = new Uint32Array(segments.length).fill(NO_RANK);
  const lowestCut = new Uint32Array(segments.length).fill(NO_RANK);
  const holds = new Uint8Array(segments.length * manifests.length);
  // From the last rank to the first, so that each is put before those with the same content that follow it.
  for (run = runCount - 1; run >= 0; run--) {
    const manifest = runManifests[run]!;
    const { blobIds } = manifests[manifest]!;
    const first = runStarts[run]!;
    const row = runRows[run]! - first;
    for (let at = runStarts[run + 1]! - 1; at >= first; at--) {
      const place = 2 * blobIds[row + at]!;
      const segment = segmentOfSlot[table[place]!];
      // No blob, or one that no segment here has.
      if (segment === undefined || segment < 0) continue;
      let ranks = rankOfBlob[segment]!;
      if (ranks === null) {
        ranks = new Uint32Array(segments[segment]!.blobs);
        rankOfBlob[segment] = ranks;
      }
      const index = table[place + 1]!;
      nextPlace[at] = ranks[index]!;
      ranks[index] = at;
      lowestRank[segment] = at;
      if (segments[segment]!.cut?.[index] === 1) lowestCut[segment] = at;
      holds[segment * manifests.length + manifest] = 1;
    }
  }
  return {
    manifests,
    runStarts,
    runManifests,
    runRows,
    rankOfBlob,
    nextPlace,
    lowestRank,
    lowestCut,
    holds,
    documents: rank - 1,
  };
}

/** By slot plus one: the number of the segment, -1 for none. */
export function segmentsBySlot(segments: readonly { readonly slot: number }[]): Int32Array {
  const bySlot = new Int32Array(Math.max(0, ...segments.map(({ slot }) => slot)) + 2).fill(-1);
  segments.forEach(({ slot }, segment) => {
    bySlot[slot + 1] = segment;
  });
  return bySlot;
}

/** Finds the manifest row of a rank; ranks that follow each other are found without a search. */
export class RankCursor {
  readonly #view: View;
  #run = 0;
  #from = 0;
  #to = 0;
  /** Of the rank that was last sought. */
  manifest = 0;
  row = 0;

  constructor(view: View) {
    this.#view = view;
  }

  get run(): number {
    return this.#run;
  }

  seek(rank: number): void {
    if (rank < this.#from || rank >= this.#to) this.#find(rank);
    this.row = this.#view.runRows[this.#run]! + rank - this.#from;
  }

  #find(rank: number): void {
    const { runStarts, runManifests } = this.#view;
    let low = 0;
    let high = runManifests.length;
    // The last run that starts at the rank or before it: empty ones start where the next does.
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (runStarts[middle]! <= rank) low = middle + 1;
      else high = middle;
    }
    this.#run = low - 1;
    this.#from = runStarts[low - 1]!;
    this.#to = runStarts[low]!;
    this.manifest = runManifests[low - 1]!;
  }
}
