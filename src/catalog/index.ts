export type { Catalog, CatalogOptions, HostStatus, Repository } from './types.ts';
