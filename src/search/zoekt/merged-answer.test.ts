import { expect, it } from 'vitest';
import type { SearchRequest } from '../engine/types.ts';
import { mergedAnswer } from './merged-answer.ts';
import { readSearchAnswer } from './zoekt-answers.ts';

const repository = { id: 1, host: 'forge', name: 'acme/api', archived: false, fork: false };
const zoekt = {
  id: 0,
  name: 'acme/api',
  branches: [{ name: 'main', commit: 'c' }],
  committedMs: 0,
  indexedMs: 0,
  documents: 1,
};
const request: SearchRequest = {
  query: { kind: 'everything' },
  scope: [repository],
  revisions: new Map(),
  output: 'lines',
  filesMax: 10,
  linesPerFileMax: 10,
  contextLines: 0,
  lineBytesMax: 400,
  exact: false,
  after: null,
  budgetMs: 1000,
};

function merged(files: object[], stats: object = {}) {
  const answer = readSearchAnswer({ Result: { FileCount: files.length, ...stats, Files: files } });
  const answers = [{ repositories: [{ repository, zoekt, branch: null }], answer, fault: null }];
  return mergedAnswer(answers, { request, skip: 0, generation: 1 });
}

const own = { FileName: 'a.ts', Repository: 'acme/api', Version: 'c', Branches: ['main'] };

it('what a server answers beyond what it was asked for is dropped, and not counted', () => {
  const hidden = { ...own, Repository: 'secret/vault' };
  const within = {
    ...own,
    FileName: 'lib/b.ts',
    SubRepositoryName: 'secret/vault',
    SubRepositoryPath: 'lib',
  };
  const answer = merged([own, hidden, within]);
  expect(answer.files.map(({ path }) => path)).toEqual(['a.ts']);
  expect(answer.fileCount).toEqual({ count: 1, exact: true });
  expect(answer.facets.repositories).toEqual([{ repositoryId: 1, files: 1 }]);
});

it('counts are "at least" where zoekt has left something out, and the reason is guessed by the time', () => {
  const skipped = merged([own], { FileCount: 5, FilesSkipped: 3 });
  expect(skipped).toMatchObject({ fileCount: { count: 5, exact: false }, stopped: 'limit' });
  expect(merged([own], { ShardsSkipped: 3, Duration: 999e6 })).toMatchObject({ stopped: 'budget' });
  expect(merged([own], { FileCount: 5 })).toMatchObject({
    fileCount: { count: 5, exact: true },
    lineCount: { exact: false },
  });
  expect(merged([own], { Crashes: 1 }).problems[0]).toContain('1 of its shards');
});
