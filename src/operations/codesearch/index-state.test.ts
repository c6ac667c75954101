import { describe, expect, it } from 'vitest';
import type {
  EmbeddingCoverage,
  Indexing,
  RepositoryIndexStatus,
  SymbolCoverage,
} from '../../indexing/index.ts';
import { visibleRepository } from '../testing/visible-repository.ts';
import { indexNote, indexOf, indexWords } from './index-state.ts';

const repository = visibleRepository('acme/payments');
const indexed: RepositoryIndexStatus = {
  repositoryId: repository.id,
  state: 'indexed',
  indexedCommit: 'a'.repeat(40),
  headCommit: 'a'.repeat(40),
  indexedMs: 60_000,
  documents: 10,
  skipped: {},
  maskedSpans: 0,
  branches: [{ branch: 'main', commit: 'a'.repeat(40) }],
  problem: null,
};

function indexingOf(status: Partial<RepositoryIndexStatus>): Indexing {
  return { status: () => ({ ...indexed, ...status }) } as unknown as Indexing;
}

describe('what codesearch has of a repository is told in words', () => {
  const check = (
    name: string,
    status: Partial<RepositoryIndexStatus>,
    expected: string,
    {
      head = 'a',
      symbols = null,
      embedding = null,
    }: { head?: string; symbols?: SymbolCoverage | null; embedding?: EmbeddingCoverage | null } = {},
  ) =>
    it(name, () => {
      const value = indexOf(repository, head.repeat(40), indexingOf(status), { symbols, embedding });
      expect(indexWords(value!, 120_000).join('; ')).toBe(expected);
    });
  const nothing = { indexedCommit: null, indexedMs: null, branches: [] };
  check('all of it', {}, 'indexed 60 s ago');
  check('an older commit', {}, 'index behind: at aaaaaaaaaa, 60 s ago', { head: 'b' });
  check('a change on its way', { state: 'pending' }, 'indexed at aaaaaaaaaa 60 s ago, a change waits');
  check('nothing yet', { ...nothing, state: 'pending' }, 'waits to be indexed');
  check('nothing yet, in work', { ...nothing, state: 'indexing' }, 'being indexed');
  check('nothing at all', { ...nothing, state: 'never' }, 'not indexed');
  check('no commit', { ...nothing, state: 'empty' }, 'nothing to index');
  check(
    'a failure',
    { state: 'failed', problem: 'The disk is full.' },
    'indexed at aaaaaaaaaa 60 s ago, indexing anew failed; INDEX PROBLEM: The disk is full.',
  );
  check(
    'what is left out, masked and kept beside the default branch',
    {
      skipped: { binary: 3, 'opted-out': 1, pending: 0 },
      maskedSpans: 2,
      branches: [...indexed.branches, { branch: 'release/1', commit: 'c'.repeat(40) }],
    },
    'indexed 60 s ago; not searchable: 3 binary, 1 opted-out; 2 credentials masked; branches indexed: main, release/1',
  );
  check('all vectors', {}, 'indexed 60 s ago; found by meaning: 100 %; encoded: 100 %', {
    embedding: { chunks: 9, inTable: 9, encoded: 9 },
  });
  check('no encoder', {}, 'indexed 60 s ago; found by meaning: 100 %; encoded: 0 %', {
    embedding: { chunks: 9, inTable: 9, encoded: 0 },
  });
  check('no chunk at all', {}, 'indexed 60 s ago; found by meaning: no chunks', {
    embedding: { chunks: 0, inTable: 0, encoded: 0 },
  });
  check('vectors on their way', {}, 'indexed 60 s ago; found by meaning: 66 %; encoded: 33 %', {
    embedding: { chunks: 9, inTable: 6, encoded: 3 },
  });
  check('symbols that are there', {}, 'indexed 60 s ago', {
    symbols: { withSymbols: 4, pending: 0, skipped: { 'no-language': 6 } },
  });
  check(
    'symbols that are missing',
    {},
    'indexed 60 s ago; symbols of 3 files are still to come; no symbols: 2 too-large, 1 failed',
    { symbols: { withSymbols: 4, pending: 3, skipped: { 'no-language': 6, 'too-large': 2, failed: 1 } } },
  );
  it('another engine tells nothing here', () =>
    expect(indexOf(repository, null, null, { symbols: null, embedding: null })).toBeNull());
});

it('how far the index is, is told over what is listed', () => {
  const other = visibleRepository('acme/billing');
  const indexing = {
    status: (id: number) =>
      id === other.id ? { ...indexed, indexedCommit: null, state: 'pending' } : indexed,
  } as unknown as Indexing;
  expect(indexNote([repository, other], indexing)).toEqual([
    'codesearch has 1 of these 2 repositories so far (50 %).',
  ]);
  expect(indexNote([repository], indexing)).toEqual([]);
});
