import type { Repository } from '../../catalog/index.ts';

let nextId = 1;

/** A repository as the catalog tells of it, for what needs its names alone. */
export function visibleRepository(name: string, rest: Partial<Repository> = {}): Repository {
  return {
    id: nextId++,
    host: 'git.example',
    name,
    aliases: [],
    defaultBranch: 'main',
    archived: false,
    fork: false,
    visibility: 'private',
    webUrl: null,
    location: { kind: 'folder', gitDir: `/r/${name}/.git`, workTree: null, root: '/r' },
    ...rest,
  };
}
