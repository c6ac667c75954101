import { describe, expect, it } from 'vitest';
import { RankMerge } from './rank-merge.ts';
import { NO_RANK, RankCursor, type ViewedManifest, viewOf } from './view.ts';

/** Rows as [class, blobId], classes ascending. */
function manifest(rows: readonly (readonly [number, number])[]): ViewedManifest {
  const classStarts = Uint32Array.from(
    [0, 1, 2, 3, 4],
    (number) => rows.filter(([of]) => of < number).length,
  );
  return { classStarts, blobIds: Uint32Array.from(rows, ([, blobId]) => blobId) };
}

/** Blobs by id: slot of the segment and index in it. */
function places(blobs: Record<number, readonly [number, number]>, slots: readonly number[]) {
  const table = new Uint32Array(64);
  for (const [blobId, [slot, place]] of Object.entries(blobs)) {
    table[2 * Number(blobId)] = slot + 1;
    table[2 * Number(blobId) + 1] = place;
  }
  return { table, segments: slots.map((slot) => ({ slot, blobs: 8, cut: null })) };
}

describe('a view ranks what is visible', () => {
  const first = manifest([
    [0, 1],
    [0, 2],
    [2, 3],
  ]);
  const second = manifest([
    [0, 2],
    [1, 4],
    [2, 0],
  ]);
  const view = viewOf(
    [first, second],
    places({ 1: [5, 0], 2: [5, 1], 3: [2, 0], 4: [2, 1], 9: [7, 0] }, [2, 5]),
  );

  it('by class, then manifest, then row', () => {
    const cursor = new RankCursor(view);
    const order = Array.from({ length: view.documents }, (_, i) => {
      cursor.seek(i + 1);
      return [cursor.manifest, cursor.row];
    });
    expect(order).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
      [0, 2],
      [1, 2],
    ]);
  });

  it('each text with the rank of its best place, the others behind it', () => {
    expect([...view.rankOfBlob[1]!.slice(0, 2)]).toEqual([1, 2]);
    expect([...view.rankOfBlob[0]!.slice(0, 2)]).toEqual([5, 4]);
    expect(view.nextPlace[2]).toBe(3);
    expect(view.nextPlace[3]).toBe(0);
    expect([...view.lowestRank]).toEqual([4, 1]);
  });

  it('and nothing of segments that hold only what is hidden', () => {
    const other = viewOf([manifest([[0, 1]])], places({ 1: [5, 0], 9: [2, 0] }, [2, 5]));
    expect(other.rankOfBlob[0]).toBeNull();
    expect(other.lowestRank[0]).toBe(NO_RANK);
  });
});

describe('candidates of segments are merged by rank', () => {
  const segments = [
    [3, 7, 9, 1, 4],
    [2, 8],
    [20, 10],
  ];

  function merged(limit: number): { ranks: number[]; opened: number[] } {
    const opened: number[] = [];
    const merge = new RankMerge((segment) => {
      opened.push(segment);
      return { ranks: Uint32Array.from(segments[segment]!), count: segments[segment]!.length };
    });
    for (const [segment, ranks] of segments.entries()) merge.add(segment, Math.min(...ranks));
    const ranks: number[] = [];
    while (merge.peek(limit) !== NO_RANK) {
      ranks.push(merge.peek(limit));
      merge.advance();
    }
    return { ranks, opened };
  }

  it('all in order, however they lie in a segment', () => {
    expect(merged(NO_RANK).ranks).toEqual([1, 2, 3, 4, 7, 8, 9, 10, 20]);
  });

  it('a segment is opened only when its best rank is reached', () => {
    expect(merged(10)).toEqual({ ranks: [1, 2, 3, 4, 7, 8, 9], opened: [0, 1] });
  });
});
