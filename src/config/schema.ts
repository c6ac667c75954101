import { z } from 'zod';
import { accessPart } from './parts/access-part.ts';
import { auditPart } from './parts/audit-part.ts';
import { catalogPart } from './parts/catalog-part.ts';
import { contentPart } from './parts/content-part.ts';
import { embeddingPart } from './parts/embedding-part.ts';
import { hostsPart } from './parts/hosts-part.ts';
import { httpPart } from './parts/http-part.ts';
import { indexPart } from './parts/index-part.ts';
import { logPart } from './parts/log-part.ts';
import { filePath } from './parts/meaning.ts';
import { mirrorsPart } from './parts/mirrors-part.ts';
import { operationsPart } from './parts/operations-part.ts';
import { retrievalPart } from './parts/retrieval-part.ts';
import { searchPart } from './parts/search-part.ts';
import { storagePart } from './parts/storage-part.ts';
import { tracesPart } from './parts/traces-part.ts';

/** Grows when a key changes its meaning or goes away; a new key does not need it. */
export const configVersion = 1;

export const roles = ['web', 'indexer', 'worker'] as const;
export type Role = (typeof roles)[number];

/** The config file as it is written. */
export const configSchema = z.strictObject({
  version: z.literal(configVersion).describe('Version of this file format. Must be 1.'),
  dataFolder: filePath()
    .optional()
    .describe(
      "Where the database, the mirrors and the operator's token are. On a local disk. Default: the environment variable PERISCOPE_DATA, else ~/.periscope.",
    ),
  roles: z
    .array(z.enum(roles))
    .min(1)
    .default([...roles])
    .describe(
      'What this process does: web answers, indexer fetches and indexes, worker runs jobs. Default: all of it.',
    ),
  hosts: hostsPart.describe(
    'Where repositories come from. Default: none; folders can be given to `periscope up` too.',
  ),
  access: accessPart.describe('Who may see what.'),
  http: httpPart.describe('How HTTP and MCP are served.'),
  operations: operationsPart.describe('The tools: size of answers, bounds, guards.'),
  mirrors: mirrorsPart.describe('Copies of remote repositories, and how git is run.'),
  catalog: catalogPart.describe('How hosts are asked for their repositories.'),
  content: contentPart.describe('How files are read.'),
  search: searchPart.describe('Exact search.'),
  retrieval: retrievalPart.describe('Search by meaning.'),
  embedding: embeddingPart.describe('What search by meaning compares questions with.'),
  index: indexPart.describe('What is indexed for exact search, and how.'),
  storage: storagePart.describe(
    'Where tokens, jobs, the catalog and the audit are kept. Default: `kind: sqlite`.',
  ),
  log: logPart.describe('The log.'),
  audit: auditPart.describe('The record of who asked what.'),
  traces: tracesPart.describe('Searches by meaning that are kept to learn from.'),
});

export type WrittenConfig = z.output<typeof configSchema>;
