import { availableParallelism } from 'node:os';
import type { Clock } from '../base/clock.ts';
import type { Catalog } from '../catalog/index.ts';
import type { Config } from '../config/index.ts';
import {
  type CrossEncoder,
  createCrossEncoder,
  createLocalCrossEncoder,
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
import {
  createCandidateEncoder,
  createLocalPairReader,
  type EmbedderSource,
  type QuestionEncoder,
} from '../vectors/index.ts';

export interface OpenSearchDeps {
  catalog: Catalog;
  clock: Clock;
  /** Null where the table alone embeds. */
  encoder: { source: EmbedderSource; questions: QuestionEncoder } | null;
  /** Whether weights that cannot be read are a reason not to start; else only search by meaning fails. */
  strict: boolean;
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
  config: Config,
  { catalog, clock, encoder, strict, workerFile = retrievalWorkerFile }: OpenSearchDeps,
): Promise<OpenedSearch> {
  const { search, index } = config;
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
  const open = () => openRetrieval(config, { index: opened, vectors, encoder });
  return {
    search: opened,
    graph: createGraphSearch(opened),
    retrieval: strict ? open() : orFailing(open),
  };
}

/** A command that asks nothing by meaning goes on. */
function orFailing(open: () => Retrieval): Retrieval {
  try {
    return open();
  } catch (fault) {
    return {
      get ranking(): never {
        throw fault;
      },
      retrieve: () => Promise.reject(fault),
      close: async () => {},
    };
  }
}

function openRetrieval(
  { retrieval, embedding }: Config,
  {
    index,
    vectors,
    encoder,
  }: { index: IndexSearch; vectors: VectorShelf; encoder: OpenSearchDeps['encoder'] },
): Retrieval {
  const { stages, fusionK, weightsFile, encodeMs, crossEncoder } = retrieval;
  const weights = weightsFile === null ? defaultWeights : readWeights(weightsFile);
  return createRetrieval(
    {
      ranking: { ...stages, fusionK, weights },
      encodeMs,
      embeddedMax: embedding.chunksMax || Number.MAX_SAFE_INTEGER,
      ...(crossEncoder ? { rerankedMax: crossEncoder.chunksMax } : {}),
    },
    {
      index,
      vectors,
      encoder: encoder?.questions ?? null,
      candidates: encoder && createCandidateEncoder({}, encoder.source),
      crossEncoder: crossEncoder && openCrossEncoder(crossEncoder),
    },
  );
}

function openCrossEncoder(reranker: NonNullable<Config['retrieval']['crossEncoder']>): CrossEncoder {
  if (reranker.dialect !== 'local') return createCrossEncoder(reranker);
  const { folder, timeoutMs } = reranker;
  return createLocalCrossEncoder({ timeoutMs }, createLocalPairReader({ folder }));
}
