import type { Host, OptionsOf, RemoteAccess, RepositoryLocation } from '../types.ts';
import { listGitUrls } from './git-listing.ts';
import { gitPermalink } from './git-permalink.ts';

/** Repositories from a list of https and ssh URLs. The list is the configuration itself: listing asks no remote and cannot hang. */
export function createGitHost(options: OptionsOf<'git'>): Host {
  const { listing, remotes } = listGitUrls(options);

  return {
    name: options.name,
    kind: 'git',
    list: async () => listing,
    remoteAccess(location): RemoteAccess | null {
      const remote = location.kind === 'remote' ? remotes.get(location.url) : undefined;
      if (!remote) return null;
      return {
        origin: remote.origin,
        username: remote.user ?? options.username,
        secret: remote.scheme === 'ssh' ? null : options.secret,
        sshKeyFile: options.sshKeyFile,
        sshKnownHostsFile: options.sshKnownHostsFile,
        caFile: options.caFile,
        proxy: options.proxy,
        allowInsecureHttp: options.allowInsecureHttp,
      };
    },
    permalink: gitPermalink,
    serves: (location: RepositoryLocation) => location.kind === 'remote' && remotes.has(location.url),
  };
}
