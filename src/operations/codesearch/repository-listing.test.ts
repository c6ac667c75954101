import { expect, it } from 'vitest';
import { memoryCodeSearch } from '../testing/memory-code-search.ts';
import { visibleRepository } from '../testing/visible-repository.ts';
import { listedRepositories } from './repository-listing.ts';

it('repositories are listed with how much they hold, and no document is looked at', async () => {
  const [pay, bill, docs] = ['acme/pay', 'acme/bill', 'acme/docs'].map((name) => visibleRepository(name));
  const search = memoryCodeSearch([
    { repositoryId: pay!.id, path: 'a', text: 'a' },
    { repositoryId: bill!.id, path: 'a', text: 'a' },
    { repositoryId: bill!.id, path: 'b', text: 'b' },
  ]);
  const query = { kind: 'not', of: { kind: 'archived', is: true } } as const;
  const request = {
    query,
    scope: [pay!, bill!, docs!, visibleRepository('acme/old', { archived: true })],
    revisions: new Map<number, string>(),
    output: 'repos',
    filesMax: 10,
    linesPerFileMax: 1,
    contextLines: 0,
    lineBytesMax: 100,
    exact: true,
    after: null,
    budgetMs: 1000,
  } as const;
  const answer = await listedRepositories(request, search, new AbortController().signal);
  expect(answer.repositories).toEqual([
    { repositoryId: bill!.id, files: 2, lines: 0 },
    { repositoryId: pay!.id, files: 1, lines: 0 },
  ]);
  expect(answer).toMatchObject({
    fileCount: { count: 3, exact: true },
    searched: { repositories: 2, documents: 3, unindexed: [docs!.id] },
    statistics: { candidates: 0 },
  });
});
