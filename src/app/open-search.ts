import { availableParallelism } from 'node:os';
import type { Clock } from '../base/clock.ts';
import type { Catalog } from '../catalog/index.ts';
import type { Config } from '../config/index.ts';
import { type CodeSearch, createCodeSearch, createZoektSearch } from '../search/index.ts';

export interface OpenSearchDeps {
  catalog: Catalog;
  clock: Clock;
  /** Where the search worker lies compiled; default: beside its code. */
  workerFile?: URL | undefined;
}

/** The engine that the config names: ours over the index folder, or zoekt-webservers that somebody else runs. */
export async function openSearch(
  { search, index }: Config,
  { catalog, clock, workerFile }: OpenSearchDeps,
): Promise<CodeSearch> {
  if (search.engine === 'zoekt')
    return createZoektSearch(search.zoekt, { fetch, clock, repositories: () => catalog.repositories() });
  return createCodeSearch(
    { folder: index.folder, threads: search.threads || availableParallelism() },
    { clock, ...(workerFile ? { workerFile } : {}) },
  );
}
