import { describe, expect, it } from 'vitest';
import type { SegmentEntry } from '../search/index.ts';
import { chooseMerge, mergeLimits } from './merge-choice.ts';

const MB = 2 ** 20;

/** Sizes in MB; a `v` before one is a segment of visited revisions, a `d` one that is half dead. */
function check(name: string, sizes: string, expected: string | null) {
  it(name, () => {
    const segments = sizes.split(' ').map((written, at): SegmentEntry => {
      const bytes = Number(written.replace(/^[vd]/, '')) * MB;
      return {
        file: `${at}:${written}`,
        blobs: 1,
        textBytes: bytes,
        fileBytes: bytes,
        blobIdEnd: 1,
        dictionaries: null,
        visited: written.startsWith('v'),
        facts: null,
        chunks: null,
      };
    });
    const dead = (segment: SegmentEntry) => (segment.file.includes('d') ? segment.textBytes / 2 : 0);
    const chosen = chooseMerge(segments, dead, mergeLimits);
    expect(chosen?.map(({ file }) => file.split(':')[1]).join(' ') ?? null).toBe(expected);
  });
}

describe('segments are merged when enough of a size have come together', () => {
  check('a few deltas beside large ones stay', '128 1 1 1 2 1', null);
  check('the ninth delta merges all of them', '128 1 1 1 2 1 3 1 1 1', '1 1 1 1 1 1 1 2 3');
  check('four of a middle size', '20 30 256 40 9', '9 20 30 40');
  check('no more than make one large segment', '150 150 150 150', '150 150 150');
  check('large ones stay as they are', '200 256 400 512 256', null);
  check('one that is half dead is written anew', '128 d100 1', 'd100');
  check('texts of visited revisions stay apart', '1 1 1 1 1 v1 v1 v1 v1', null);
});
