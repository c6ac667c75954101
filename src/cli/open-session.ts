import { randomUUID } from 'node:crypto';
import type { Caller } from '../access/index.ts';
import type { App } from '../app/index.ts';
import { PeriscopeError } from '../base/errors.ts';
import type { Config } from '../config/index.ts';
import type { CallerFor, RequestFacts } from '../mcp/index.ts';
import type { Operations, ProgramOperations } from '../operations/index.ts';
import { isListening } from './running-server.ts';
import { connectServer } from './server-client.ts';

/** The operations and who asks, wherever they run: in a server behind a URL, in the server of this data folder, or here. */
export interface Session {
  operations: Operations;
  uploadScip: ProgramOperations['uploadScip'];
  listTraces: ProgramOperations['listTraces'];
  /** Who asks, looked up anew: a revoked token fails here. */
  authenticate(): Promise<CallerFor>;
  close(): Promise<void>;
}

/**
 * PERISCOPE_URL with PERISCOPE_TOKEN leads to that server. Else a server that runs on this data folder is asked through its socket,
 * and without one the folder is opened here. With a token the asker is who the token says, else the operator's own shell.
 */
export async function openSession(config: Config, env: NodeJS.ProcessEnv): Promise<Session> {
  const token = env['PERISCOPE_TOKEN'];
  const url = env['PERISCOPE_URL'];
  // A variable that came out empty must not widen what is seen to what the operator sees.
  if (token === '' || (url !== undefined && token === undefined)) throw noToken();
  if (url && token) return remoteSession({ kind: 'url', url, token });
  const { socket, folder } = config.dataFolder;
  if (await isListening(socket))
    return remoteSession({ kind: 'socket', path: socket, ...(token ? { token } : {}) });
  if (config.hosts.length === 0) throw nothingToOpen(folder);
  // Loaded only here: a command that asks a running server starts in a fraction of the time.
  const { createApp } = await import('../app/index.ts');
  const app = await createApp(config, { discoverAtStart: true, background: false });
  return localSession(app, token);
}

async function remoteSession(address: Parameters<typeof connectServer>[0]): Promise<Session> {
  return { ...(await connectServer(address)), authenticate: async () => placeholderCaller };
}

async function localSession(app: App, token: string | undefined): Promise<Session> {
  return {
    operations: app.operations,
    uploadScip: app.programs.uploadScip,
    listTraces: app.programs.listTraces,
    authenticate: () => app.authenticate(token ? { kind: 'token', token } : { kind: 'local' }),
    close: () => app.close(),
  };
}

/** The server decides who asks; only conversation and signal travel. */
function placeholderCaller(facts: RequestFacts): Caller {
  return {
    subject: { kind: 'local', name: 'unknown' },
    onBehalfOf: null,
    account: '',
    groups: [],
    forgeAccounts: [],
    scopes: [],
    destination: 'local',
    conversation: { id: facts.conversation ?? randomUUID(), certainty: 'exact' },
    signal: facts.signal,
  };
}

function noToken(): PeriscopeError {
  return new PeriscopeError(
    'unauthenticated',
    'cli/no-token',
    'PERISCOPE_TOKEN is empty, or PERISCOPE_URL is set without it.',
    'Set PERISCOPE_TOKEN to a token, or unset both to ask as the operator of this machine.',
  );
}

export function nothingToOpen(dataFolder: string): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'cli/nothing-to-open',
    `No Periscope server runs on the data folder ${dataFolder}, and no config there names a host.`,
    'Start periscope up FOLDER..., or write hosts into periscope.yaml.',
  );
}
