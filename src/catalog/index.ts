/**
 * Catalog: what there is. Every repository of every host with its id, its names and how it is read.
 *
 * Offers `createCatalog`: the list from the database at once, hosts asked on demand and at an interval, the last good answer of a host
 * that fails kept, ids that are never reused, former names that still lead to their repository, and the Mirror of each repository.
 * Any number of processes share one list; one of them asks the hosts and the others follow.
 * Does not know: who may see a repository (access filters the list), what is in one (content), or how a host is asked (hosts).
 *
 * Start at create-catalog.ts; record-listing.ts writes a host's answer, stored-repositories.ts reads the list back.
 */
export { type CatalogDeps, createCatalog } from './create-catalog.ts';
export { type MirrorSweepOptions, startMirrorSweep } from './mirror-sweep.ts';
export { repositoriesNamed } from './stored-repositories.ts';
export type { Catalog, CatalogOptions, HostStatus, Repository } from './types.ts';
