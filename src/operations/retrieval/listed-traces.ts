import type { StoredTrace } from '../../retrieval/index.ts';

/** A kept search with the names that its repositories have now. */
export interface ListedTrace extends StoredTrace {
  /** `host/owner/name` by id; those that are gone have none. */
  repositories: Readonly<Record<number, string>>;
}

export function listedTrace(trace: StoredTrace, names: ReadonlyMap<number, string>): ListedTrace {
  const ids = [...trace.citations.map(({ repositoryId }) => repositoryId), ...(trace.narrowedTo ?? [])];
  const known = [...new Set(ids)].flatMap((id) => {
    const name = names.get(id);
    return name === undefined ? [] : [[id, name] as const];
  });
  return { ...trace, repositories: Object.fromEntries(known) };
}
