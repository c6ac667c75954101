import type { Catalog, Repository } from '../catalog/index.ts';

/** What asking all hosts brought, for people: repositories as `host/name`. */
export interface Discovery {
  repositories: number;
  added: string[];
  gone: string[];
  renamed: { from: string; to: string }[];
  /** Hosts that gave no list, and single repositories that cannot be served. */
  problems: string[];
}

export async function discoverNow(
  catalog: Catalog,
  { signal, discovers }: { signal: AbortSignal; discovers: boolean },
): Promise<Discovery> {
  const before = byId(catalog.repositories());
  const statuses = await catalog.discover({ signal });
  const after = byId(catalog.repositories());
  const problems = statuses.flatMap(({ host, problem, problems: single }) => [
    ...(problem ? [`${host}: ${problem}`] : []),
    ...single.map(({ what, why, next }) => `Left out: ${what}: ${why} ${next}`),
  ]);
  if (!discovers)
    problems.push('This server asks no host itself: what its indexer found is loaded. Run discover there.');
  return {
    repositories: after.size,
    added: [...after].filter(([id]) => !before.has(id)).map(([, name]) => name),
    gone: [...before].filter(([id]) => !after.has(id)).map(([, name]) => name),
    renamed: [...after].flatMap(([id, to]) => {
      const from = before.get(id);
      return from === undefined || from === to ? [] : [{ from, to }];
    }),
    problems,
  };
}

function byId(repositories: readonly Repository[]): Map<number, string> {
  return new Map(repositories.map(({ id, host, name }) => [id, `${host}/${name}`]));
}
