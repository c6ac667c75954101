import { PeriscopeError } from '../base/errors.ts';
import type { Config } from '../config/index.ts';

/** Nobody waits for a single answer of an evaluation: the encoder is to be measured, also while it loads its model. */
const ENCODE_MS = 60_000;

/**
 * The config that an evaluation opens the index with. Unless folders are named it asks no host and writes no list: it takes the
 * repositories of `served` hosts as the last server or command listed them.
 */
export function evaluationConfig(
  config: Config,
  { served, named }: { served: readonly string[]; named: boolean },
): Config {
  const retrieval = { ...config.retrieval, encodeMs: Math.max(ENCODE_MS, config.retrieval.encodeMs) };
  if (named) return { ...config, retrieval };
  const known = new Set(config.hosts.map(({ name }) => name));
  // Wherever its repositories lie: without the role that lists, these folders are not looked into.
  const listed = served
    .filter((name) => !known.has(name))
    .map((name) => ({ kind: 'folder', name, folders: ['/'], depthMax: 0 }) as const);
  return { ...config, retrieval, hosts: [...config.hosts, ...listed], roles: [] };
}

export function foldersBesideServer(dataFolder: string): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'cli/folders-beside-server',
    `A Periscope server runs on the data folder ${dataFolder}, and its index is what is asked.`,
    'Leave the folders out, or stop the server first.',
  );
}
