/**
 * Hosts: what there is to mirror or to read, as a folder tree, a list of git URLs or (later) a forge tells it.
 *
 * Offers `createHosts`: one `Host` per configured entry, which lists its repositories, says how git reaches them, and makes links
 * for people. A repository that was seen but cannot be served is a problem in the listing, never a gap and never a thrown error.
 * Does not know: ids and history of the list (catalog keeps them), who asks (access), or git itself (mirrors start it; a host that
 * needs a remote's refs is given `lsRemote`).
 *
 * Start at host-registry.ts, then folder/folder-host.ts and git/git-host.ts. Each kind is a folder with the same roles:
 * `<kind>-host.ts` (the Host), `<kind>-listing.ts` (its list), then its own pure parts. docs/adding-a-host.md tells how to add one.
 */
export { HostUnavailable } from './errors.ts';
export { createHosts, type HostsDeps } from './host-registry.ts';
export type {
  Host,
  HostKind,
  HostListing,
  HostOptions,
  HostPermissions,
  HostProblem,
  HostRepository,
  LsRemote,
  PermalinkSubject,
  RemoteAccess,
  RepositoryLocation,
} from './types.ts';
