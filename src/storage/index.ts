export type { Schema } from './schema.ts';
export type { Lease, Storage, StorageOptions } from './types.ts';
