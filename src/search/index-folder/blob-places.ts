/**
 * Where the text of each blob lies, for all threads: two u32 at 2 × blobId, the number of the segment plus one (0: nowhere) and the
 * index within it. Entries are added while readers read; one that stands never changes within one table.
 */
export interface BlobPlaces {
  readonly shared: SharedArrayBuffer;
  readonly table: Uint32Array;
}

export interface PlacedSegment {
  /** Number of an open segment in this process, small; given again after it was closed. */
  readonly slot: number;
  readonly blobIds: Uint32Array;
}

const blobIdsLeast = 1024;

/** The table for these segments: the one before, extended, where nothing in it moves; a new one else. */
export function placeBlobs(
  before: { places: BlobPlaces; segments: ReadonlySet<PlacedSegment> } | null,
  segments: readonly PlacedSegment[],
  nextBlobId: number,
): BlobPlaces {
  const kept = new Set(segments);
  // Blobs that another segment has now, or none: those who read the older generation must still find them.
  const extendable =
    before !== null &&
    nextBlobId * 2 <= before.places.table.length &&
    [...before.segments].every((segment) => kept.has(segment)) &&
    segments.every((segment) => before.segments.has(segment) || isFree(before.places.table, segment));
  const places = extendable ? before.places : emptyPlaces(nextBlobId);
  for (const segment of segments) {
    if (extendable && before.segments.has(segment)) continue;
    const { slot, blobIds } = segment;
    for (let index = 0; index < blobIds.length; index++) {
      const at = blobIds[index]! * 2;
      // The index first: another thread may read between the two.
      places.table[at + 1] = index;
      Atomics.store(places.table, at, slot + 1);
    }
  }
  return places;
}

function isFree(table: Uint32Array, { blobIds }: PlacedSegment): boolean {
  return blobIds.every((blobId) => table[blobId * 2] === 0);
}

function emptyPlaces(nextBlobId: number): BlobPlaces {
  const blobIds = Math.max(blobIdsLeast, Math.ceil(nextBlobId * 1.25));
  const shared = new SharedArrayBuffer(blobIds * 8);
  return { shared, table: new Uint32Array(shared) };
}

export function attachPlaces(shared: SharedArrayBuffer): BlobPlaces {
  return { shared, table: new Uint32Array(shared) };
}
