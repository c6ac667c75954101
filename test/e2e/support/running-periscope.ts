import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { stringify } from 'yaml';
import type { Caller, Destination, Scope } from '../../../src/access/index.ts';
import { type App, createApp } from '../../../src/app/index.ts';
import { type Logger, silentLogger } from '../../../src/base/logger.ts';
import { bundleForNode } from '../../../src/base/testing/run-typescript.ts';
import { loadConfig } from '../../../src/config/index.ts';
import type { ToolAnswer } from '../../../src/operations/index.ts';

export interface RunningOptions {
  /** As periscope.yaml has it, `version` and `dataFolder` left off. */
  config: Record<string, unknown>;
  /** Also listen over HTTP. */
  serve?: boolean;
  /**
   * Everything is in the index before the first call. `once`: and stays as it was; `always`: and follows what changes, as in a
   * server.
   */
  indexed?: 'once' | 'always';
  /** Default: silent. */
  logger?: Logger;
}

/** A whole Periscope in this process, on a temporary data folder, with nothing imitated. */
export interface RunningPeriscope {
  app: App;
  dataFolder: string;
  configFile: string;
  url: string;
  token(
    subject: string,
    options?: { groups?: readonly string[]; destination?: Destination; scopes?: readonly Scope[] },
  ): Promise<{ token: string; id: string }>;
  /** One conversation of one token's holder. */
  conversation(token: string, id?: string): Promise<Conversation>;
  stop(): Promise<void>;
}

export interface Conversation {
  call(name: string, input: Record<string, unknown>): Promise<ToolAnswer>;
  caller: Caller;
}

export async function startPeriscope({
  config,
  serve = false,
  indexed,
  logger = silentLogger,
}: RunningOptions): Promise<RunningPeriscope> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'periscope-e2e-'));
  const configFile = path.join(dataFolder, 'periscope.yaml');
  writeFileSync(
    configFile,
    stringify({
      version: 1,
      http: { listen: { port: 0 } },
      // The encoder takes seconds to be made ready, and nothing here is about it.
      embedding: { model: 'static' },
      ...config,
      dataFolder,
    }),
  );
  const loaded = await loadConfig({ file: configFile, env: {}, cwd: dataFolder, homeFolder: homedir() });
  const app = await createApp(loaded, {
    discoverAtStart: true,
    background: indexed === 'always',
    logger,
    scanWorkerFile: await scanWorker(),
    buildWorkerFile: await workerOf('indexing/build-worker.ts'),
    factsWorkerFile: await workerOf('indexing/facts-worker.ts'),
    scipWorkerFile: await workerOf('indexing/scip-worker.ts'),
    searchWorkerFile: await workerOf('retrieval/thread/retrieval-worker.ts'),
    embeddingWorkerFile: await workerOf('indexing/embedding-worker.ts'),
    encoderWorkerFile: await workerOf('vectors/encoders/encoder-worker.ts'),
  });
  if (indexed === 'once') await app.indexing.indexAll({ signal: AbortSignal.timeout(60_000) });
  if (indexed === 'always') await untilIndexed(app);
  const url = serve ? (await app.serve()).url : '';
  let conversations = 0;

  return {
    app,
    dataFolder,
    configFile,
    url,
    async token(subject, options = {}) {
      const { token, summary } = await app.tokens.create(
        {
          label: 'test',
          subject: { kind: 'person', name: subject },
          groups: options.groups ?? [],
          scopes: options.scopes ?? ['read'],
          destination: options.destination ?? 'local',
          expiresMs: null,
        },
        app.localCaller(),
      );
      return { token, id: summary.id };
    },
    async conversation(token, id = `conversation-${++conversations}`) {
      const callerFor = await app.authenticate({ kind: 'token', token });
      const caller = callerFor({
        conversation: id,
        clientName: 'test',
        signal: new AbortController().signal,
      });
      return { caller, call: (name, input) => app.operations.handle({ name, input }, caller) };
    },
    async stop() {
      await app.close();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

async function untilIndexed({ catalog, indexing }: App): Promise<void> {
  const untilMs = Date.now() + 60_000;
  const isReady = ({ id }: { id: number }) => ['indexed', 'empty'].includes(indexing.status(id).state);
  while (!catalog.repositories().every(isReady)) {
    if (Date.now() > untilMs) throw new Error('the index was not made in a minute');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const workers = new Map<string, Promise<URL>>();

export function scanWorker(): Promise<URL> {
  return workerOf('search/scanning/scan-worker.ts');
}

/** Worker threads need a compiled file; the tests compile it themselves rather than depend on a build. */
function workerOf(source: string): Promise<URL> {
  let worker = workers.get(source);
  if (!worker) {
    const entry = path.resolve(import.meta.dirname, '../../../src', source);
    worker = bundleForNode(entry).then((file) => pathToFileURL(file));
    workers.set(source, worker);
  }
  return worker;
}
