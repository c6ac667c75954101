import { availableParallelism } from 'node:os';
import type { Clock } from '../base/clock.ts';
import type { Catalog } from '../catalog/index.ts';
import type { Config } from '../config/index.ts';
import { type CodeSearch, createCodeSearch, createZoektSearch } from '../search/index.ts';
import { createGraphSearch, type GraphSearch, graphWorkerFile } from '../symbols/index.ts';

export interface OpenSearchDeps {
  catalog: Catalog;
  clock: Clock;
  /** Where the worker of both lies compiled; default: beside its code. */
  workerFile?: URL | undefined;
}

export interface OpenedSearch {
  search: CodeSearch;
  /** Null where the engine is another one. */
  graph: GraphSearch | null;
}

/** The engine that the config names: ours over the index folder, or zoekt-webservers that somebody else runs. */
export async function openSearch(
  { search, index }: Config,
  { catalog, clock, workerFile = graphWorkerFile }: OpenSearchDeps,
): Promise<OpenedSearch> {
  if (search.engine === 'zoekt') {
    const zoekt = createZoektSearch(search.zoekt, {
      fetch,
      clock,
      repositories: () => catalog.repositories(),
    });
    return { search: zoekt, graph: null };
  }
  const opened = await createCodeSearch(
    { folder: index.folder, threads: search.threads || availableParallelism() },
    { clock, workerFile },
  );
  return { search: opened, graph: createGraphSearch(opened) };
}
