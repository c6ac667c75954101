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
  type TokenSummary,
  type Tokens,
} from '../access/index.ts';
import { systemClock } from '../base/clock.ts';
import { ClosingStack } from '../base/closing-stack.ts';
import { repositoriesNamed } from '../catalog/index.ts';
import { type Config, commandLineHost } from '../config/index.ts';
import { createHosts } from '../hosts/index.ts';
import { openStorage, type Storage } from '../storage/index.ts';
import { notOneRepository } from './errors.ts';
import { createLogger } from './logger.ts';
import { storageOptions } from './storage-options.ts';

/** What an operator's command changes or looks up in the data folder, beside a running server or without one. */
export interface Administration {
  readonly tokens: Tokens;
  readonly audit: Audit;
  readonly storage: Storage;
  readonly caller: Caller;
  /** `who` is a name or the id of a token; `repository` is `owner/name` or `host/owner/name` at one of `hosts`. */
  explain(who: string, repository: string, hosts: readonly string[]): Promise<Explanation>;
  /** Writes into the audit, at once, what an operator's command did. */
  recordNow(operation: string, outcome: string, detail: Record<string, unknown>): Promise<void>;
  close(): Promise<void>;
}

export interface Explanation extends Decision {
  /** As `host/name`. */
  repository: string;
  /** Ids of the tokens that open what the name alone does not. */
  tokens: readonly string[];
}

/** Hosts whose repositories count when no server runs: those of the config, or else the folders of the last command line. */
export function hostsOfConfig(config: Config): string[] {
  return config.hosts.length > 0 ? config.hosts.map(({ name }) => name) : [commandLineHost];
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
  const caller = localCaller(conversation, signal);

  return {
    tokens,
    audit,
    storage,
    caller,
    async explain(who, asked, served) {
      const found = await repositoriesNamed(storage.db, asked, served);
      const shown = found.map(({ host, name }) => `${host}/${name}`);
      const [repository, another] = found;
      if (repository === undefined || another !== undefined) throw notOneRepository(asked, shown);
      const all = await tokens.list();
      const decide = (asker: Caller) => gate.explain(asker, repository);
      const told = { repository: shown[0]!, tokens: [] };
      const named = all.find(({ id }) => id === who);
      if (named) return { ...told, ...(await decide(callerOf(named, conversation, signal))) };
      const byName = await decide(personCaller(who, conversation, signal));
      if (byName.allowed) return { ...told, ...byName };
      // Groups may come with a token alone, so the name's own "no" is not the whole answer.
      const own = all.filter((token) => token.subject.name === who && isLive(token, clock.now()));
      const byToken = await Promise.all(
        own.map(async (token) => ({ token, ...(await decide(callerOf(token, conversation, signal))) })),
      );
      const opening = byToken.filter(({ allowed }) => allowed);
      if (opening.length === 0) return { ...told, ...byName };
      return {
        ...told,
        allowed: true,
        reason: opening[0]!.reason,
        tokens: opening.map(({ token }) => token.id),
      };
    },
    recordNow: (operation, outcome, detail) =>
      audit.recordNow({
        subject: caller.subject.name,
        onBehalfOf: null,
        operation,
        repositories: [],
        outcome,
        detail,
      }),
    close: () => closing.close(),
  };
}

async function neverAsked(): Promise<never> {
  throw new Error('administration asks no remote');
}

function isLive({ revokedMs, expiresMs }: TokenSummary, nowMs: number): boolean {
  return revokedMs === null && (expiresMs === null || expiresMs > nowMs);
}
