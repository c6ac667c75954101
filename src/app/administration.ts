import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import {
  type Audit,
  type Caller,
  callerOf,
  createAudit,
  createGate,
  createTokens,
  type Decision,
  localCaller,
  personCaller,
  type Tokens,
} from '../access/index.ts';
import { systemClock } from '../base/clock.ts';
import { ClosingStack } from '../base/closing-stack.ts';
import { PeriscopeError } from '../base/errors.ts';
import { repositoriesNamed } from '../catalog/index.ts';
import { type Config, commandLineHost } from '../config/index.ts';
import { createHosts } from '../hosts/index.ts';
import { openStorage, type Storage } from '../storage/index.ts';
import { createLogger } from './logger.ts';
import { storageOptions } from './storage-options.ts';

/** What an operator's command changes or looks up in the data folder, beside a running server or without one. */
export interface Administration {
  readonly tokens: Tokens;
  readonly audit: Audit;
  readonly storage: Storage;
  readonly caller: Caller;
  /** `who` is a name or the id of a token; `repository` is `owner/name` or `host/owner/name`. */
  explain(who: string, repository: string): Promise<Decision>;
  close(): Promise<void>;
}

export async function openAdministration(config: Config): Promise<Administration> {
  const clock = systemClock;
  const logger = createLogger(config.log);
  const closing = new ClosingStack();
  await mkdir(config.dataFolder.folder, { recursive: true, mode: 0o700 });
  const storage = closing.add(await openStorage(await storageOptions(config), { clock, logger }));
  const audit = closing.add(createAudit({ storage, clock, logger, retentionMs: config.audit.retentionMs }));
  const tokens = createTokens({ storage, clock, randomBytes, audit });
  // Repositories of folders that were named on a command line stay in the catalog, and so must their host.
  const named = config.hosts.some(({ name }) => name === commandLineHost);
  const commandLine = { kind: 'folder', name: commandLineHost, folders: [], depthMax: 0 } as const;
  const hosts = createHosts(named ? config.hosts : [...config.hosts, commandLine], {
    lsRemote: neverAsked,
    clock,
  });
  const gate = createGate(config.access, { hosts, clock });
  const conversation = { id: randomUUID(), certainty: 'exact' } as const;
  const signal = new AbortController().signal;

  return {
    tokens,
    audit,
    storage,
    caller: localCaller(conversation, signal),
    async explain(who, repository) {
      const token = (await tokens.list()).find(({ id }) => id === who);
      const caller = token ? callerOf(token, conversation, signal) : personCaller(who, conversation, signal);
      const found = await repositoriesNamed(storage.db, repository);
      if (found.length !== 1) throw notOneRepository(repository, found.length);
      return gate.explain(caller, found[0]!);
    },
    close: () => closing.close(),
  };
}

async function neverAsked(): Promise<never> {
  throw new Error('administration asks no remote');
}

function notOneRepository(asked: string, count: number): PeriscopeError {
  return new PeriscopeError(
    'not-found-or-no-access',
    'app/not-one-repository',
    count === 0 ? `The catalog has no repository "${asked}".` : `"${asked}" fits ${count} repositories.`,
    'Name it as host/owner/name; codesearch_repos lists them.',
  );
}
