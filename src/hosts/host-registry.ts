import type { Clock } from '../base/clock.ts';
import { createFolderHost } from './folder/folder-host.ts';
import { createGitHost } from './git/git-host.ts';
import type { Host, HostKind, HostOptions, LsRemote, OptionsOf } from './types.ts';

export interface HostsDeps {
  lsRemote: LsRemote;
  clock: Clock;
  /** Folders that are never served, wherever they lie: the data folder holds mirrors of every repository. Default none. */
  excluded?: readonly string[];
}

/** The one list of host kinds. A factory takes what it needs of the deps. */
const hostKinds: { [Kind in HostKind]: (options: OptionsOf<Kind>, deps: HostsDeps) => Host } = {
  folder: createFolderHost,
  git: createGitHost,
};

/** Hosts in the order of the configuration. Nothing is looked at or asked before `list`. */
export function createHosts(options: readonly HostOptions[], deps: HostsDeps): Host[] {
  return options.map((host) => createHost(host, deps));
}

function createHost<Kind extends HostKind>(options: OptionsOf<Kind>, deps: HostsDeps): Host {
  const create: (options: OptionsOf<Kind>, deps: HostsDeps) => Host = hostKinds[options.kind as Kind];
  return create(options, deps);
}
