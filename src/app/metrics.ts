import type { Catalog } from '../catalog/index.ts';
import type { InjectedMetric } from '../http/index.ts';
import type { Mirrors } from '../mirrors/index.ts';
import type { ScanPool } from '../search/index.ts';

/** What the parts count themselves, under the names that the metrics page shows. */
export function injectedMetrics(parts: {
  mirrors: Mirrors;
  catalog: Catalog;
  scans: ScanPool;
}): InjectedMetric[] {
  const { mirrors, catalog, scans } = parts;
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
    gauge('periscope_repositories', 'Repositories in the catalog.', () => catalog.repositories().length),
    gauge(
      'periscope_hosts_failing',
      'Hosts that cannot be asked.',
      () => catalog.hosts().filter(({ problem }) => problem !== null).length,
    ),
  ];
}
