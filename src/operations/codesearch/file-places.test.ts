import { describe, expect, it } from 'vitest';
import type { FoundFile } from '../../search/index.ts';
import { filesByPlace, placeCount } from './file-places.ts';

const place = (written: string) => {
  const [repository, revision, path] = written.split(' ');
  return { repositoryId: Number(repository), revision: revision!, commit: `c${revision}`, path: path! };
};
const fileAt = ([own, ...others]: string[], alsoCount = others.length) =>
  ({
    ...place(own!),
    pathRanges: [{ start: 0, end: 1 }],
    also: others.map(place),
    alsoCount,
  }) as unknown as FoundFile;

describe('a file is told of once for each path in a repository, with the branches that have it there', () => {
  const check = (name: string, places: string[], expected: string[]) =>
    it(name, () => {
      const files = filesByPlace(fileAt(places));
      const told = files.map(({ repositoryId, path, revision, also, pathRanges }) =>
        [repositoryId, path, revision, ...also.map((one) => one.revision), pathRanges.length].join(' '),
      );
      expect(told).toEqual(expected);
    });
  check('alone', ['1 main a'], ['1 a main 1']);
  check('in two branches', ['1 main a', '1 dev a'], ['1 a main dev 1']);
  check(
    'copied and forked',
    ['1 main a', '1 main b', '2 main a', '1 dev b'],
    ['1 a main 1', '1 b main dev 0', '2 a main 1'],
  );
  it('and those that are not named count', () => expect(placeCount(fileAt(['1 m a', '1 d a'], 13))).toBe(13));
});
