import { describe, expect, it } from 'vitest';
import type { QueryNode } from '../queries/types.ts';
import { type ServedRepository, scopedQuery } from './zoekt-request.ts';

const query: QueryNode = {
  kind: 'text',
  where: 'either',
  pattern: { source: 'a', literal: true, ignoreCase: false },
};

describe('a request names the repositories that it is about', () => {
  it('by their numbers where each has its own', () => {
    const { request } = scopedQuery(query, [served('x/a', 1), served('x/b', 2)]);
    expect(request).toEqual({ Q: '( case:yes regex:"a" )', RepoIDs: [1, 2] });
  });
  it('by their names where numbers are missing', () => {
    const { request } = scopedQuery(query, [served('x/a', 1), served('x.b', 0)]);
    expect(request).toEqual({ Q: 'repo:"^(?:x/a|x\\\\.b)$" ( case:yes regex:"a" )' });
  });
  it('by their names where numbers are shared', () => {
    const { request } = scopedQuery(query, [served('x/a', 1), served('x/b', 1)]);
    expect(request).not.toHaveProperty('RepoIDs');
  });
  it('by name and branch where a branch is wanted', () => {
    const { request } = scopedQuery(query, [served('x/a', 1), { ...served('x/b', 2), branch: 'dev' }]);
    expect(request!.Q).toBe(
      '( repo:"^(?:x/a)$" or ( repo:"^(?:x/b)$" branch:"dev" ) ) ( case:yes regex:"a" )',
    );
  });
  it('and is none where nothing is asked for', () => {
    expect(scopedQuery(query, []).request).toBeNull();
    expect(scopedQuery({ kind: 'any', of: [] }, [served('x/a', 1)]).request).toBeNull();
  });
});

function served(name: string, id: number): ServedRepository {
  const repository = { id, host: 'forge', name, archived: false, fork: false };
  const branches = [{ name: 'main', commit: 'c' }];
  return {
    repository,
    branch: null,
    zoekt: { id, name, branches, committedMs: 0, indexedMs: 0, documents: 1 },
  };
}
