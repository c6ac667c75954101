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
