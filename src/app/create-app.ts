import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { availableParallelism, hostname } from 'node:os';
import {
  type Audit,
  type Caller,
  callerOf,
  createAudit,
  createConversations,
  createGate,
  createTokens,
  type Gate,
  localCaller,
  type Tokens,
} from '../access/index.ts';
import { systemClock } from '../base/clock.ts';
import { ClosingStack } from '../base/closing-stack.ts';
import { PeriscopeError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { periscopeVersion } from '../base/version.ts';
import { type Catalog, createCatalog, startMirrorSweep } from '../catalog/index.ts';
import type { Config, Role } from '../config/index.ts';
import { createContent, createContentPolicies } from '../content/index.ts';
import { createHosts } from '../hosts/index.ts';
import { type Credential, createHttpMetrics, createHttpServer, createSocketServer } from '../http/index.ts';
import { createIndexing, type Indexing } from '../indexing/index.ts';
import { createEvents, createJobs } from '../jobs/index.ts';
import { type CallerFor, createMcpEndpoint } from '../mcp/index.ts';
import { createMirrors, type MirrorCounters } from '../mirrors/index.ts';
import {
  createOperations,
  type Operations,
  type ProgramOperations,
  type RankingTrials,
} from '../operations/index.ts';
import { createTraces, type RankingSettings } from '../retrieval/index.ts';
import { createScanPool } from '../search/index.ts';
import { createSecretScanner } from '../secrets/index.ts';
import { openStorage, type Storage } from '../storage/index.ts';
import { type Discovery, discoverNow } from './discovery.ts';
import { alreadyRuns } from './errors.ts';
import { createLogger } from './logger.ts';
import { countingRetrieval, injectedMetrics } from './metrics.ts';
import { openEncoder } from './open-encoder.ts';
import { openSearch } from './open-search.ts';
import { storageOptions } from './storage-options.ts';

export interface AppOptions {
  /**
   * Ask every host before anything is answered; else the last good lists are served at once. A server leaves it to `serve`, which
   * first makes sure that no other one runs on the data folder.
   */
  discoverAtStart: boolean;
  /** Keep mirrors fresh in the background: for servers, not for a single command. */
  background: boolean;
  /** Default: made from the config. */
  logger?: Logger;
  /** Where worker code lies compiled; tests that run from source say it. */
  scanWorkerFile?: URL;
  buildWorkerFile?: URL;
  /** The compiled facts-worker of indexing/. Default: the one beside that code. */
  factsWorkerFile?: URL;
  scipWorkerFile?: URL;
  searchWorkerFile?: URL;
  embeddingWorkerFile?: URL;
  encoderWorkerFile?: URL;
}

export interface App {
  readonly operations: Operations;
  /** What programs are offered beside the tools. */
  readonly programs: ProgramOperations;
  readonly trials: RankingTrials;
  /** How `search` ranks; null where another engine does not search by meaning. Fails where its weights cannot be read. */
  readonly ranking: RankingSettings | null;
  readonly tokens: Tokens;
  readonly gate: Gate;
  readonly catalog: Catalog;
  readonly audit: Audit;
  readonly storage: Storage;
  readonly indexing: Indexing;
  /** Work that git was given so far. */
  mirrorCounters(): MirrorCounters;
  /** Who a credential stands for, looked up anew at each call. Fails with `unauthenticated`. */
  authenticate(credential: Credential): Promise<CallerFor>;
  /** The operator's own shell. */
  localCaller(): Caller;
  /** Asks every host now and says what changed. */
  discover(signal: AbortSignal): Promise<Discovery>;
  /**
   * Listens on the data folder's socket, asks every host unless that is done, and listens on the configured address. Fails before
   * anything is changed when another server runs on the data folder; who asks over the socket meanwhile waits.
   */
  serve(): Promise<{ url: string; port: number }>;
  /** In reverse order of building; open calls are cancelled after a grace. */
  close(): Promise<void>;
}

/** The composition root: builds every long-lived object, top to bottom, and closes them in reverse. */
export async function createApp(config: Config, options: AppOptions): Promise<App> {
  const closing = new ClosingStack();
  try {
    return await build(config, options, closing);
  } catch (fault) {
    await closing.close();
    throw fault;
  }
}

async function build(config: Config, options: AppOptions, closing: ClosingStack): Promise<App> {
  const clock = systemClock;
  const logger = options.logger ?? createLogger(config.log);
  await mkdir(config.dataFolder.folder, { recursive: true, mode: 0o700 });

  const storage = closing.add(await openStorage(await storageOptions(config), { clock, logger }));
  const audit = closing.add(createAudit({ storage, clock, logger, retentionMs: config.audit.retentionMs }));
  const tokens = createTokens({ storage, clock, randomBytes, audit });
  const owner = `${hostname()}:${process.pid}:${randomUUID()}`;
  const mirrors = closing.add(
    createMirrors(config.mirrors, {
      clock,
      logger,
      lease: (name, ttlMs) => storage.acquireLease(`mirror:${name}`, { owner, ttlMs }),
    }),
  );
  const excluded = [config.dataFolder.folder];
  const hosts = createHosts(config.hosts, { lsRemote: mirrors.lsRemote, clock, excluded });
  const does = (role: Role) => config.roles.includes(role);
  const catalog = closing.add(
    await createCatalog(
      { ...config.catalog, discovers: does('indexer') },
      { storage, hosts, mirrors, clock, logger },
    ),
  );
  const events = createEvents({ keepMax: 100_000 }, { storage, clock });
  const jobs = closing.add(
    createJobs(jobLimits, { storage, clock, logger, events, owner, random: Math.random }),
  );
  if (options.background) {
    const roles = { enqueues: does('indexer'), works: does('worker') };
    const intervalMs = config.catalog.discoveryIntervalMs;
    closing.add(startMirrorSweep({ intervalMs, concurrency: 4, ...roles }, { catalog, jobs, logger }));
  }
  const gate = createGate(config.access, { hosts, clock });
  const secrets = createSecretScanner();
  const policies = createContentPolicies({ scanner: secrets });
  const content = createContent(config.content, policies);
  const scans = closing.add(
    createScanPool({
      // More than there are cores: the system shares time between them, so that one long scan never holds up all others.
      workersMax: Math.max(4, availableParallelism()),
      batchesMax: 64,
      graceMs: 2000,
      ...(options.scanWorkerFile ? { workerFile: options.scanWorkerFile } : {}),
    }),
  );
  // Another engine has an index of its own.
  const ownIndex = config.search.engine === 'native';
  const encoder = ownIndex ? openEncoder(config, { clock, workerFile: options.encoderWorkerFile }) : null;
  if (encoder) closing.add(encoder);
  const indexing = closing.add(
    createIndexing(
      {
        ...config.index,
        workers: config.index.workers || Math.min(4, availableParallelism()),
        symbolWorkers: config.index.symbolWorkers || Math.min(2, availableParallelism()),
        writes: ownIndex && options.background && does('indexer'),
        background: ownIndex && options.background,
        embedding: config.embedding.model === 'off' ? null : { chunksMax: config.embedding.chunksMax },
      },
      {
        catalog,
        policies,
        storage,
        jobs,
        clock,
        logger,
        owner,
        maskKey: secrets.version,
        encoder: encoder?.source ?? null,
        ...(options.embeddingWorkerFile ? { embeddingWorkerFile: options.embeddingWorkerFile } : {}),
        ...(options.buildWorkerFile ? { workerFile: options.buildWorkerFile } : {}),
        ...(options.factsWorkerFile ? { factsWorkerFile: options.factsWorkerFile } : {}),
        ...(options.scipWorkerFile ? { scipWorkerFile: options.scipWorkerFile } : {}),
      },
    ),
  );
  const {
    search,
    graph,
    retrieval: found,
  } = await openSearch(config, {
    catalog,
    clock,
    encoder,
    strict: options.background,
    workerFile: options.searchWorkerFile,
  });
  closing.add(search);
  const retrieval = found && closing.add(countingRetrieval(found));
  const cursorKey = await storage.metaOnce('cursor-key', () => randomBytes(32).toString('base64url'));
  const traces = closing.add(
    createTraces(config.traces, {
      storage,
      clock,
      logger,
      secrets,
      nameOf: (id) => {
        const repository = catalog.repositories().find((one) => one.id === id);
        return repository ? `${repository.host}/${repository.name}` : null;
      },
    }),
  );
  const bare = createOperations(
    { ...config.operations, search: config.search },
    {
      gate,
      catalog,
      content,
      scans,
      search,
      graph,
      retrieval,
      traces,
      indexing: ownIndex ? indexing : null,
      policyOf: policies.policyOf,
      audit,
      clock,
      cursorKey,
    },
  );
  const metrics = closing.add(
    createHttpMetrics(
      injectedMetrics({ mirrors, catalog, scans, indexing, traces, questions: retrieval?.counters ?? null }),
    ),
  );
  const operations = metrics.counting(bare);

  const conversations = createConversations({
    clock,
    idleMs: config.operations.guards.conversationIdleMs,
    max: config.operations.guards.conversationsMax,
  });
  const authenticate = async (credential: Credential): Promise<CallerFor> => {
    const summary = credential.kind === 'token' ? await tokens.authenticate(credential.token) : null;
    return ({ conversation, clientName, signal }) => {
      const identified = conversations.identify({
        explicit: conversation,
        tokenId: summary?.id ?? 'local',
        clientName: clientName ?? '',
      });
      return summary ? callerOf(summary, identified, signal) : localCaller(identified, signal);
    };
  };

  let asked: Promise<unknown> | null = null;
  // No signal of its own: the catalog bounds the time of each host, and closing ends it.
  const askHostsOnce = () => (asked ??= catalog.discover({ signal: new AbortController().signal }));
  if (options.discoverAtStart) await askHostsOnce();
  const discover = (signal: AbortSignal) => discoverNow(catalog, { signal, discovers: does('indexer') });

  return {
    operations,
    programs: bare,
    trials: bare,
    get ranking() {
      return retrieval?.ranking ?? null;
    },
    tokens,
    gate,
    catalog,
    audit,
    storage,
    indexing,
    mirrorCounters: () => mirrors.counters(),
    authenticate,
    localCaller: () => localCaller({ id: randomUUID(), certainty: 'exact' }, new AbortController().signal),
    discover,
    serve: async () => {
      let url: string | null = null;
      let listed = () => {};
      const afterLists = new Promise<void>((resolve) => {
        listed = resolve;
      });
      const mcp = closing.add(
        createMcpEndpoint({ version: periscopeVersion, ...mcpLimits }, { operations, logger }),
      );
      const common = {
        version: periscopeVersion,
        bodyBytesMax: config.http.bodyBytesMax,
        requestTimeoutMs: config.http.requestTimeoutMs,
        ...httpLimits,
      };
      const deps = {
        operations,
        programs: bare,
        zoekt: {
          searchCode: bare.searchCode,
          listRepositories: bare.listRepositories,
          readWhole: bare.readWhole,
          revisionsOf: (id: number) => search.revisions(id),
        },
        mcp,
        authenticate,
        readiness: () => readiness(catalog),
        metrics,
        logger,
      };
      const local = { about: () => ({ url, hosts: hosts.map(({ name }) => name) }), discover };
      const socket = closing.add(
        createSocketServer(
          { ...common, path: config.dataFolder.socket },
          { ...deps, local, authenticate: (credential) => afterLists.then(() => authenticate(credential)) },
        ),
      );
      const server = closing.add(
        createHttpServer({ ...common, ...config.http, ...config.http.listen }, deps),
      );
      // The socket first: who holds it is the one that may write what the hosts have.
      await socket.listen().catch((fault: unknown) => {
        const taken = fault instanceof PeriscopeError && fault.code === 'http/address-in-use';
        throw taken ? alreadyRuns(config.dataFolder.folder) : fault;
      });
      try {
        await askHostsOnce();
        const listening = await server.listen();
        url = listening.url;
        return listening;
      } finally {
        listed();
      }
    },
    close: () => closing.close(),
  };
}

const jobLimits = {
  depthMax: 20_000,
  finishedMax: 1000,
  retryFirstMs: 1000,
  retryMostMs: 300_000,
  closeWaitMs: 5000,
};
const mcpLimits = { keepAliveMs: 15_000, subscriptionsMax: 1000 };
const httpLimits = { requestsInFlightMax: 1000, tokenRecheckMs: 3000, closeGraceMs: 5000 };

function readiness(catalog: Catalog) {
  const waiting = catalog
    .hosts()
    .filter(({ lastGoodMs, problem }) => lastGoodMs === null && problem === null);
  return {
    ready: waiting.length === 0,
    missing: waiting.length === 0 ? [] : ['the first list of every host'],
  };
}
