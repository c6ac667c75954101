import { z } from 'zod';
import type { DataFolderLayout } from '../data-folder.ts';
import { count } from '../quantity.ts';
import type { Secret } from '../secret-reference.ts';
import { type Meaning, secretReference } from './meaning.ts';

export const storagePart = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('sqlite').describe('One database file in the data folder.'),
    }),
    z.strictObject({
      kind: z.literal('postgres').describe('A PostgreSQL server, for several processes on several machines.'),
      url: secretReference().describe(
        'Where the connection URL is, for example env:PERISCOPE_DATABASE_URL; the URL is postgres://user:password@host:5432/database.',
      ),
      poolSizeMax: count(10, { most: 1000 }).describe('Connections that one process opens at most.'),
    }),
  ])
  .prefault({ kind: 'sqlite' });

/** storage's StorageOptions, but for the URL: it is a secret, fetched by the composition root when it opens the storage. */
export type StorageConfig =
  | { kind: 'sqlite'; file: string }
  | { kind: 'postgres'; url: Secret; poolSizeMax: number };

export function storageConfig(
  written: z.output<typeof storagePart>,
  layout: DataFolderLayout,
  meaning: Meaning,
): StorageConfig {
  if (written.kind === 'sqlite') return { kind: 'sqlite', file: layout.database };
  return { kind: 'postgres', url: meaning.secret(written.url), poolSizeMax: written.poolSizeMax };
}
