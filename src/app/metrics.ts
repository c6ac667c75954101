import type { Catalog } from '../catalog/index.ts';
import type { InjectedMetric } from '../http/index.ts';
import type { createIndexing } from '../indexing/index.ts';
import type { Mirrors } from '../mirrors/index.ts';
import type { Retrieval, Traces } from '../retrieval/index.ts';
import type { ScanPool } from '../search/index.ts';

export interface CountedRetrieval extends Retrieval {
  counters(): QuestionCounters;
}

export interface QuestionCounters {
  asked: number;
  /** Answered without the encoder, which failed or took too long. */
  withoutEncoder: number;
}

export function countingRetrieval(retrieval: Retrieval): CountedRetrieval {
  const counted = { asked: 0, withoutEncoder: 0 };
  return {
    get ranking() {
      return retrieval.ranking;
    },
    async retrieve(request, signal) {
      const answer = await retrieval.retrieve(request, signal);
      counted.asked += 1;
      const isWithout = ({ stage, state }: (typeof answer.stages)[number]) =>
        stage === 'encode-question' && state === 'left-out';
      if (answer.stages.some(isWithout)) counted.withoutEncoder += 1;
      return answer;
    },
    counters: () => ({ ...counted }),
    close: () => retrieval.close(),
  };
}

/** What the parts count themselves, under the names that the metrics page shows. */
export function injectedMetrics(parts: {
  mirrors: Mirrors;
  catalog: Catalog;
  scans: ScanPool;
  indexing: ReturnType<typeof createIndexing>;
  /** Null where another engine does not search by meaning. */
  questions: (() => QuestionCounters) | null;
  traces: Pick<Traces, 'counters'>;
}): InjectedMetric[] {
  const { mirrors, catalog, scans, indexing, questions, traces } = parts;
  const embedding = () => indexing.progress().embedding;
  const counter = (name: string, help: string, read: () => number): InjectedMetric => ({
    name,
    help,
    kind: 'counter',
    read,
  });
  const gauge = (name: string, help: string, read: () => number): InjectedMetric => ({
    name,
    help,
    kind: 'gauge',
    read,
  });
  return [
    counter(
      'periscope_git_processes_total',
      'Git processes started.',
      () => mirrors.counters().processesStarted,
    ),
    counter('periscope_mirror_clones_total', 'Mirrors cloned.', () => mirrors.counters().clones),
    counter('periscope_mirror_fetches_total', 'Fetches of mirrors.', () => mirrors.counters().fetches),
    counter('periscope_blobs_read_total', 'Blobs read from git.', () => mirrors.counters().blobsRead),
    counter(
      'periscope_materialisations_total',
      'Directories written to disk.',
      () => mirrors.counters().materialisations,
    ),
    counter(
      'periscope_scan_threads_replaced_total',
      'Scan threads that did not stop and were replaced.',
      () => scans.replaced(),
    ),
    counter(
      'periscope_index_blobs_read_total',
      'Files read for the index.',
      () => indexing.counters().blobsRead,
    ),
    counter(
      'periscope_index_segments_built_total',
      'Segments of the index built.',
      () => indexing.counters().segmentsBuilt,
    ),
    counter('periscope_index_merges_total', 'Merges of segments.', () => indexing.counters().merges),
    counter(
      'periscope_index_publications_total',
      'Generations of the index published.',
      () => indexing.counters().publications,
    ),
    gauge('periscope_index_repositories_waiting', 'Repositories that are to be indexed.', () => {
      const { repositoriesTotal, repositoriesDone } = indexing.progress();
      return repositoriesTotal - repositoriesDone;
    }),
    gauge(
      'periscope_index_chunks',
      'Chunks that are to be found by meaning.',
      () => embedding()?.chunks ?? 0,
    ),
    gauge(
      'periscope_index_vectors_table',
      'Chunks with a vector of the table.',
      () => embedding()?.inTable ?? 0,
    ),
    gauge(
      'periscope_index_vectors_encoder',
      'Chunks with a vector of the encoder.',
      () => embedding()?.encoded ?? 0,
    ),
    counter(
      'periscope_encoder_chunks_total',
      'Chunks that the encoder has read.',
      () => indexing.counters().chunksEncoded,
    ),
    counter(
      'periscope_encoder_failures_total',
      'Times that the encoder failed and was left alone for a while.',
      () => indexing.counters().encoderFailures,
    ),
    counter(
      'periscope_meaning_questions_total',
      'Questions answered by meaning.',
      () => questions?.().asked ?? 0,
    ),
    counter(
      'periscope_meaning_questions_without_encoder_total',
      'Questions answered without the encoder, which failed or took too long.',
      () => questions?.().withoutEncoder ?? 0,
    ),
    counter(
      'periscope_traces_kept_total',
      'Searches by meaning that were kept.',
      () => traces.counters().kept,
    ),
    counter(
      'periscope_traces_dropped_total',
      'Searches by meaning, and uses of them, that could not be kept.',
      () => traces.counters().dropped,
    ),
    gauge('periscope_repositories', 'Repositories in the catalog.', () => catalog.repositories().length),
    gauge(
      'periscope_hosts_failing',
      'Hosts that cannot be asked.',
      () => catalog.hosts().filter(({ problem }) => problem !== null).length,
    ),
  ];
}
