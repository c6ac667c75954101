import { firstTables } from './0001-first-tables.ts';
import { traces } from './0002-traces.ts';
import type { Migration } from './migration.ts';

/** In order. A new one goes to the end and becomes the schema's version. */
export const allMigrations: readonly Migration[] = [firstTables, traces];
