import { z } from 'zod';
import type { Repository } from '../../catalog/index.ts';
import { indexNote, indexOf, indexWords } from '../codesearch/index-state.ts';
import { globsFit, isGlob } from '../codesearch/name-globs.ts';
import { ageOf } from '../freshness.ts';
import { operation } from '../operation.ts';
import { answerParams } from '../parameters.ts';
import type { OperationContext, Row } from '../types.ts';
import { dayOf, shortCommit, sizeOf } from './place.ts';

const ROWS_MAX = 100;
/** A mirror that has to be looked into takes a few milliseconds; these go side by side. */
const LOOKS_AT_ONCE = 16;

export const codesearchRepos = operation({
  name: 'codesearch_repos',
  title: 'List repositories',
  description:
    'List the repositories that you may read, with default branch, last commit, freshness, size and what of them is indexed for codesearch. Start here when you do not know where something lives. Examples: {} for all, {"query": "payment"} for names that hold it, {"query": "acme/*"} for a glob.',
  readOnly: true,
  isSearch: false,
  needsRepository: false,
  localOnly: false,
  example: { query: 'payment' },
  input: z.object({
    query: z
      .string()
      .max(500)
      .optional()
      .describe('Part of a name, or a glob over "owner/name". Default: all.'),
    archived: z
      .boolean()
      .optional()
      .describe('true: only archived ones; false: none of them. Default: both.'),
    limit: z.int().min(1).max(ROWS_MAX).default(50).describe('Repositories in one answer.'),
    ...answerParams,
  }),
  output: z.object({
    total: z.int(),
    repositories: z.array(
      z.object({
        name: z.string(),
        host: z.string(),
        defaultBranch: z.string().nullable(),
        commit: z.string().nullable(),
        committedMs: z.number().nullable(),
        fetchedMs: z.number().nullable(),
        sizeBytes: z.number().nullable(),
        archived: z.boolean(),
        fork: z.boolean(),
        problem: z.string().nullable(),
        index: z
          .object({
            state: z.enum(['indexed', 'behind', 'pending', 'indexing', 'never', 'failed', 'empty']),
            commit: z.string().nullable(),
            indexedMs: z.number().nullable(),
            documents: z.int(),
            skipped: z.record(z.string(), z.int()).describe('Files that are not searchable, by reason.'),
            maskedSpans: z.int().describe('Credentials masked.'),
            branches: z.array(z.object({ branch: z.string(), commit: z.string() })),
            symbols: z
              .object({
                withSymbols: z.int(),
                pending: z.int().describe('Files whose symbols are still to be extracted.'),
                skipped: z.record(z.string(), z.int()).describe('Files without symbols, by reason.'),
              })
              .nullable()
              .describe('Of the indexed files of the default branch; null where none are extracted.'),
            embedding: z
              .object({
                chunks: z.int(),
                inTable: z.int().describe('Found by meaning, by vectors that come at once.'),
                encoded: z.int().describe('Read by the encoder, too, which works in the background.'),
              })
              .nullable()
              .describe('For search by meaning, as of some seconds ago; null where nothing is embedded.'),
            problem: z.string().nullable(),
          })
          .nullable()
          .describe('For codesearch; null where the search engine has an index of its own.'),
      }),
    ),
  }),
  async run(context) {
    const { query, archived, limit } = context.input;
    const fits = nameFilter(query);
    const found = context.visible
      .filter(
        (repository) => fits(repository) && (archived === undefined || repository.archived === archived),
      )
      .sort((left, right) => compare(left.name, right.name) || compare(left.host, right.host));
    const from = Number(context.after?.['from'] ?? 0);
    const page = found.slice(from, from + limit);
    const rows: Row[] = [];
    for (let at = 0; at < page.length; at += LOOKS_AT_ONCE) {
      const looks = page.slice(at, at + LOOKS_AT_ONCE).map((repository) => describe(repository, context));
      for (const look of await Promise.all(looks))
        rows.push({ ...look, position: { from: from + rows.length + 1 } });
    }
    return {
      head: `${found.length} ${found.length === 1 ? 'repository' : 'repositories'}${query ? ` matching "${query}"` : ' that you can read'}${archived === undefined ? '' : archived ? ', archived' : ', not archived'}${found.length === 0 ? '.' : ':'}`,
      facts: { total: found.length },
      rowsName: 'repositories',
      rows,
      more: from + page.length < found.length,
      total: found.length,
      notes: [...context.hostProblems(), ...indexNote(found, context.indexing)],
      empty:
        query || archived !== undefined
          ? 'No repository that you can read fits. Call codesearch_repos without parameters to see all of them.'
          : 'There is no repository that you can read. Ask the operator for access.',
    };
  },
});

async function describe(repository: Repository, context: OperationContext<unknown>) {
  const peek = await context.mirrorOf(repository).peek(context);
  const symbols = (await context.indexing?.symbolCoverage(repository.id)) ?? null;
  const embedding = (await context.indexing?.embeddingCoverage(repository.id)) ?? null;
  const value = {
    name: repository.name,
    host: repository.host,
    defaultBranch: peek.defaultBranch ?? repository.defaultBranch,
    commit: peek.lastCommit?.commit ?? null,
    committedMs: peek.lastCommit?.committedMs ?? null,
    fetchedMs: peek.fetchedMs,
    sizeBytes: peek.sizeBytes,
    archived: repository.archived,
    fork: repository.fork,
    problem: peek.problem,
    index: indexOf(repository, peek.lastCommit?.commit ?? null, context.indexing, { symbols, embedding }),
  };
  const parts = [repository.name, value.defaultBranch ?? 'no default branch'];
  if (peek.lastCommit)
    parts.push(`last commit ${dayOf(peek.lastCommit.committedMs)} ${shortCommit(peek.lastCommit.commit)}`);
  else parts.push(peek.empty ? 'empty' : 'not fetched yet');
  if (value.sizeBytes !== null) parts.push(sizeOf(value.sizeBytes));
  if (value.fetchedMs !== null) parts.push(`fetched ${ageOf(context.nowMs - value.fetchedMs)} ago`);
  if (repository.archived) parts.push('archived');
  if (repository.fork) parts.push('fork');
  if (value.index) parts.push(...indexWords(value.index, context.nowMs));
  if (value.problem) parts.push(`PROBLEM: ${value.problem}`);
  return { text: parts.join('  '), value };
}

function nameFilter(query: string | undefined): (repository: Repository) => boolean {
  const wanted =
    query
      ?.trim()
      .replace(/^@(?:repo:)?/, '')
      .toLowerCase() ?? '';
  if (wanted === '') return () => true;
  if (isGlob(wanted)) return globsFit([wanted]);
  return ({ name, host, aliases }) =>
    [`${host}/${name}`, ...aliases].some((candidate) => candidate.toLowerCase().includes(wanted));
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
