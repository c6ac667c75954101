import type { ScopeRepository } from '../engine/types.ts';

export interface ZoektNamesOptions {
  /** What the servers put in front of every name, such as a folder of mirrors. */
  pathPrefix: string;
  /** How names of a host begin behind it. Default: the host's name and a slash. */
  hostPrefixes: Readonly<Record<string, string>>;
}

/** Which repository a name of zoekt's stands for. */
export interface ZoektNames {
  /** Null for names that no repository has, or several. */
  repositoryOf(zoektName: string): ScopeRepository | null;
}

/**
 * `repositories` are all that there are, whoever may see them: a name that two of them would have stands for neither, so that nothing
 * of a hidden one is ever taken for a visible one's.
 */
export function zoektNames(options: ZoektNamesOptions, repositories: readonly ScopeRepository[]): ZoektNames {
  const byName = new Map<string, ScopeRepository | null>();
  for (const repository of repositories) {
    const prefix = options.hostPrefixes[repository.host] ?? `${repository.host}/`;
    const name = prefix + repository.name;
    byName.set(name, byName.has(name) ? null : repository);
  }
  return {
    repositoryOf(zoektName) {
      const bare = zoektName.startsWith(options.pathPrefix)
        ? zoektName.slice(options.pathPrefix.length)
        : zoektName;
      const name = byName.has(bare) ? bare : bare.replace(/\.git$/, '');
      return byName.get(name) ?? null;
    },
  };
}
