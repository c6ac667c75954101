import type { Schema } from './schema.ts';

/** All tables: the schema's, and the one that says which migrations have run, known to storage alone. */
export interface Tables extends Schema {
  migration: { version: number; name: string; applied_ms: number };
}
