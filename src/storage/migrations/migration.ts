import { type CreateTableBuilder, type Kysely, type RawBuilder, sql } from 'kysely';
import type { StorageOptions } from '../types.ts';

/** A step forward. It is never changed once released, and never undone: whoever goes back restores the copy made before it. */
export interface Migration {
  /** The schema's version after it, counted from 1 without gaps. */
  version: number;
  name: string;
  up(db: Kysely<unknown>, types: ColumnTypes): Promise<void>;
}

/** What the two databases call differently. */
export interface ColumnTypes {
  /** Adds `id`, given out by the database from 1 on and never twice, `max` inclusive. */
  identity<T extends string>(table: CreateTableBuilder<T>, max?: number): CreateTableBuilder<T, 'id'>;
  /** Ordered by its bytes. */
  text: 'text' | RawBuilder<unknown>;
}

export function columnTypes(kind: StorageOptions['kind']): ColumnTypes {
  if (kind === 'sqlite') {
    return {
      text: 'text',
      identity: (table, max) =>
        table.addColumn('id', 'integer', (column) => {
          const id = column.primaryKey().autoIncrement();
          return max === undefined ? id : id.check(sql`id <= ${sql.lit(max)}`);
        }),
    };
  }
  return {
    text: sql`text collate "C"`,
    identity: (table, max) =>
      table.addColumn('id', 'bigint', (column) => {
        const id = column.primaryKey().generatedByDefaultAsIdentity();
        return max === undefined ? id : id.check(sql`id <= ${sql.lit(max)}`);
      }),
  };
}
