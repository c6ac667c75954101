import { availableParallelism } from 'node:os';
import type { Clock } from '../base/clock.ts';
import type { Catalog } from '../catalog/index.ts';
import type { Config } from '../config/index.ts';
import {
  createCrossEncoder,
  createRetrieval,
  createVectorShelf,
  defaultWeights,
  type Retrieval,
  readWeights,
  retrievalWorkerFile,
  type VectorShelf,
} from '../retrieval/index.ts';
import { type CodeSearch, createCodeSearch, createZoektSearch, type IndexSearch } from '../search/index.ts';
import { createGraphSearch, type GraphSearch } from '../symbols/index.ts';
import type { QuestionEncoder } from '../vectors/index.ts';

export interface OpenSearchDeps {
  catalog: Catalog;
  clock: Clock;
  /** Null where the table alone embeds. */
  encoder: QuestionEncoder | null;
  /** Where the worker of all three lies compiled; default: beside its code. */
  workerFile?: URL | undefined;
}

export interface OpenedSearch {
  search: CodeSearch;
  /** Null where the engine is another one. */
  graph: GraphSearch | null;
  retrieval: Retrieval | null;
}

/** The engine that the config names: ours over the index folder, or zoekt-webservers that somebody else runs. */
export async function openSearch(
  { search, index, retrieval }: Config,
  { catalog, clock, encoder, workerFile = retrievalWorkerFile }: OpenSearchDeps,
): Promise<OpenedSearch> {
  if (search.engine === 'zoekt') {
    const zoekt = createZoektSearch(search.zoekt, {
      fetch,
      clock,
      repositories: () => catalog.repositories(),
    });
    return { search: zoekt, graph: null, retrieval: null };
  }
  const opened = await createCodeSearch(
    { folder: index.folder, threads: search.threads || availableParallelism() },
    { clock, workerFile },
  );
  const vectors = createVectorShelf({ folder: index.vectorFolder }, { clock });
  return {
    search: opened,
    graph: createGraphSearch(opened),
    retrieval: openRetrieval(retrieval, { index: opened, vectors, encoder }),
  };
}

function openRetrieval(
  { stages, fusionK, weightsFile, encodeMs, crossEncoder }: Config['retrieval'],
  { index, vectors, encoder }: { index: IndexSearch; vectors: VectorShelf; encoder: QuestionEncoder | null },
): Retrieval {
  const weights = weightsFile === null ? defaultWeights : readWeights(weightsFile);
  return createRetrieval(
    {
      ranking: { ...stages, fusionK, weights },
      encodeMs,
      ...(crossEncoder ? { rerankedMax: crossEncoder.chunksMax } : {}),
    },
    { index, vectors, encoder, crossEncoder: crossEncoder && createCrossEncoder(crossEncoder) },
  );
}
