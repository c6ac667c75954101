import type { Catalog } from '../catalog/index.ts';
import type { InjectedMetric } from '../http/index.ts';
import type { createIndexing } from '../indexing/index.ts';
import type { Mirrors } from '../mirrors/index.ts';
import type { ScanPool } from '../search/index.ts';

/** What the parts count themselves, under the names that the metrics page shows. */
export function injectedMetrics(parts: {
  mirrors: Mirrors;
  catalog: Catalog;
  scans: ScanPool;
  indexing: ReturnType<typeof createIndexing>;
}): InjectedMetric[] {
  const { mirrors, catalog, scans, indexing } = parts;
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
    gauge('periscope_repositories', 'Repositories in the catalog.', () => catalog.repositories().length),
    gauge(
      'periscope_hosts_failing',
      'Hosts that cannot be asked.',
      () => catalog.hosts().filter(({ problem }) => problem !== null).length,
    ),
  ];
}
