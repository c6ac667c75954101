import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../../base/clock.ts';
import { ClosingStack } from '../../base/closing-stack.ts';
import { silentLogger } from '../../base/logger.ts';
import { bundleForNode } from '../../base/testing/run-typescript.ts';
import { type Catalog, createCatalog, type Repository } from '../../catalog/index.ts';
import { createContentPolicies } from '../../content/index.ts';
import { createHosts } from '../../hosts/index.ts';
import { createEvents, createJobs } from '../../jobs/index.ts';
import { createMirrors, type Mirrors } from '../../mirrors/index.ts';
import { createGitFixture, type GitFixture } from '../../mirrors/testing/git-fixture.ts';
import { createSecretScanner } from '../../secrets/index.ts';
import { openStorage, type Storage } from '../../storage/index.ts';
import { createIndexing, type IndexingDeps, type IndexingRole } from '../create-indexing.ts';
import type { IndexingOptions } from '../types.ts';

export interface TestIndexing {
  readonly folder: string;
  readonly indexFolder: string;
  readonly repositoriesFolder: string;
  /** A bare repository of the folder host. */
  repository(name: string): GitFixture;
  /** Lists repositories anew. */
  discover(): Promise<readonly Repository[]>;
  named(name: string): Repository;
  catalog: Catalog;
  mirrors: Mirrors;
  storage: Storage;
  /** An indexer of this index; several are as several processes. */
  open(changes?: Partial<IndexingOptions & IndexingRole & IndexingDeps>): ReturnType<typeof createIndexing>;
  close(): Promise<void>;
}

let workerFile: Promise<string> | null = null;

let factsWorker: Promise<string> | null = null;
let scipWorker: Promise<string> | null = null;
let embeddingWorker: Promise<string> | null = null;

/** The embedding-worker as a file that a thread can run. */
export async function embeddingWorkerFile(): Promise<URL> {
  embeddingWorker ??= bundleForNode(path.resolve(import.meta.dirname, '../embedding-worker.ts'));
  return pathToFileURL(await embeddingWorker);
}

/** One that some texts end. */
export async function mortalFactsWorkerFile(): Promise<URL> {
  return pathToFileURL(await bundleForNode(path.resolve(import.meta.dirname, 'mortal-facts-worker.ts')));
}

/** The facts-worker as a file that a thread can run. */
export async function factsWorkerFile(): Promise<URL> {
  factsWorker ??= bundleForNode(path.resolve(import.meta.dirname, '../facts-worker.ts'));
  return pathToFileURL(await factsWorker);
}

/** The scip-worker as a file that a thread can run. */
export async function scipWorkerFile(): Promise<URL> {
  scipWorker ??= bundleForNode(path.resolve(import.meta.dirname, '../scip-worker.ts'));
  return pathToFileURL(await scipWorker);
}

/** The build-worker as a file that a thread can run. */
export async function buildWorkerFile(): Promise<URL> {
  workerFile ??= bundleForNode(path.resolve(import.meta.dirname, '../build-worker.ts'));
  return pathToFileURL(await workerFile);
}

const options: Omit<IndexingOptions & IndexingRole, 'folder' | 'vectorFolder'> = {
  branches: [],
  fileBytesMax: 1024 * 1024,
  trigramsMax: 20_000,
  workers: 1,
  memoryBytesMax: 800 * 1024 * 1024,
  visitedBytesMax: 100 * 1024 * 1024,
  sweepIntervalMs: 0,
  symbols: false,
  symbolWorkers: 1,
  embedding: null,
  writes: true,
  background: false,
};

/** Real repositories, mirrors, catalog and database in a temporary folder, and indexers over them. */
export async function openTestIndexing(
  given: { folder?: string; workerFile?: URL; factsWorkerFile?: URL; embeddingWorkerFile?: URL } = {},
): Promise<TestIndexing> {
  const folder = given.folder ?? mkdtempSync(path.join(tmpdir(), 'periscope-indexing-'));
  const repositories = path.join(folder, 'repositories');
  const indexFolder = path.join(folder, 'index');
  mkdirSync(repositories, { recursive: true });
  const clock = systemClock;
  const logger = silentLogger;
  const closing = new ClosingStack();
  const storage = closing.add(
    await openStorage({ kind: 'sqlite', file: path.join(folder, 'periscope.db') }, { clock, logger }),
  );
  const mirrors = closing.add(
    createMirrors(
      {
        folder: path.join(folder, 'mirrors'),
        worktreeFolder: path.join(folder, 'worktrees'),
        fetchTtlMs: 60_000,
        fetchTimeoutMs: 20_000,
        cloneTimeoutMs: 20_000,
        readTimeoutMs: 20_000,
        diskBytesMax: 0,
        worktreesMax: 8,
        worktreeBytesMax: 64 * 1024 * 1024,
        batchProcessesMax: 4,
        processesMax: 4,
      },
      { clock, logger },
    ),
  );
  const hosts = createHosts([{ kind: 'folder', name: 'local', folders: [repositories], depthMax: 3 }], {
    lsRemote: mirrors.lsRemote,
    clock,
    excluded: [],
  });
  const catalog = closing.add(
    await createCatalog(
      { discoveryIntervalMs: 0, discoveryTimeoutMs: 20_000, reloadIntervalMs: 0 },
      { storage, hosts, mirrors, clock, logger },
    ),
  );
  const events = createEvents({ keepMax: 1000 }, { storage, clock });
  const limits = { depthMax: 1000, finishedMax: 10, retryFirstMs: 10, retryMostMs: 100, closeWaitMs: 2000 };
  const newJobs = () =>
    closing.add(createJobs(limits, { storage, clock, logger, events, owner: 'test', random: Math.random }));
  const jobs = newJobs();
  const scanner = createSecretScanner();
  const worker = given.workerFile ?? (await buildWorkerFile());
  const opened: ReturnType<typeof createIndexing>[] = [];
  let serial = 0;

  return {
    folder,
    indexFolder,
    repositoriesFolder: repositories,
    catalog,
    mirrors,
    storage,
    repository: (name) => createGitFixture({ folder: path.join(repositories, name), bare: true }),
    async discover() {
      await catalog.discover({ signal: new AbortController().signal });
      return catalog.repositories();
    },
    named: (name) => catalog.repositories().find((repository) => repository.name === name)!,
    open(changes = {}) {
      serial += 1;
      const indexing = createIndexing(
        { ...options, folder: indexFolder, vectorFolder: path.join(indexFolder, 'vectors'), ...changes },
        {
          catalog,
          policies: createContentPolicies({ scanner }),
          storage,
          // Each one that works in the background is as a process of its own.
          jobs: changes.background ? newJobs() : jobs,
          clock,
          logger,
          owner: `test ${process.pid} ${serial}`,
          maskKey: scanner.version,
          workerFile: worker,
          ...(given.factsWorkerFile ? { factsWorkerFile: given.factsWorkerFile } : {}),
          ...(given.embeddingWorkerFile ? { embeddingWorkerFile: given.embeddingWorkerFile } : {}),
          ...changes,
        },
      );
      opened.push(indexing);
      return indexing;
    },
    async close() {
      for (const indexing of opened) await indexing.close();
      await closing.close();
      if (given.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
