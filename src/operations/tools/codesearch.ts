import { z } from 'zod';
import { PeriscopeError } from '../../base/errors.ts';
import type { SearchAnswer } from '../../search/index.ts';
import { namesOf } from '../addressing/repository-names.ts';
import type { CodeFindings, CodeQuery, PreparedSearch } from '../codesearch/code-finder.ts';
import { searchCommits } from '../codesearch/commit-search.ts';
import { repairsOf } from '../codesearch/empty-answer.ts';
import { CONTEXT_MAX, FILES_MAX, LINES_PER_FILE_EXTERNAL } from '../codesearch/external-bounds.ts';
import { type AnswerFacts, searchResult } from '../codesearch/search-answer.ts';
import {
  findPage,
  firstPage,
  listsRepositories,
  pageOf,
  type SearchPage,
} from '../codesearch/search-page.ts';
import { isWhole } from '../codesearch/search-words.ts';
import { nothingPositive, queryMissing } from '../errors.ts';
import { operation } from '../operation.ts';
import {
  answerParams,
  fileFilterParam,
  languageFilterParam,
  repositoryFilterParam,
  revisionParam,
} from '../parameters.ts';
import type { OperationContext, OperationResult } from '../types.ts';

const QUERY_LENGTH_MAX = 10_000;
const NAMES_MAX = 1000;
const LINES_PER_FILE = 20;
/** What is known by then is sent ahead of an answer that takes longer. */
const FIRST_FILES_MS = 100;

const input = z.object({
  query: z
    .string()
    .max(QUERY_LENGTH_MAX)
    .optional()
    .describe(
      'What to find. Words are ANDed within a file, "..." is a phrase, /.../ a regular expression (RE2), also or, -word, ( ). Filters: repo: file: lang: case:yes branch: type:file|repo|commit|diff author: before: after: archived: fork: select:repo count:. Needed unless file, lang or cursor is given.',
    ),
  mode: z
    .enum(['auto', 'literal', 'regex'])
    .default('auto')
    .describe(
      'auto reads the query language; literal takes the whole query as text, regex as one regular expression.',
    ),
  repo: repositoryFilterParam,
  file: fileFilterParam,
  lang: languageFilterParam,
  case: z
    .enum(['auto', 'yes', 'no'])
    .default('auto')
    .describe('Whether letter case counts. auto: only where the query has a capital.'),
  revision: revisionParam.describe('Branch, tag or commit to search. Default: the indexed branches.'),
  context: z.int().min(0).max(CONTEXT_MAX).default(2).describe('Lines to show before and after each match.'),
  max_files: z
    .int()
    .min(1)
    .max(NAMES_MAX)
    .default(FILES_MAX)
    .describe(`Most files in one answer; at most ${FILES_MAX} with their lines.`),
  output: z
    .enum(['lines', 'files', 'count', 'repos'])
    .optional()
    .describe(
      'lines: the matching lines. files: paths alone. count: how many. repos: which repositories. Default: lines.',
    ),
  exact: z
    .boolean()
    .default(false)
    .describe('Count everything, instead of ending when enough good files are known.'),
  ...answerParams,
});

type Context = OperationContext<z.output<typeof input>>;

const countedShape = z.object({ count: z.int(), exact: z.boolean() });
const placeShape = { repository: z.string(), revision: z.string(), commit: z.string(), path: z.string() };
const rangesShape = z.array(z.object({ start: z.int(), end: z.int() }));

export const codesearch = operation({
  name: 'codesearch',
  title: 'Search the code of every repository',
  description:
    'Exact search over every repository that you may read, in milliseconds: text, regular expressions, file, language and repository filters. Examples: {"query": "retryLimit"}, {"query": "func \\\\w+Token\\\\(", "mode": "regex"}, {"query": "test(", "lang": ["go"]}, {"query": "timeout file:*.yaml repo:acme/*"}, {"query": "\\"connection refused\\"", "repo": ["payments"], "context": 5}, {"query": "TODO", "output": "count"}, {"query": "type:commit rollback author:ada"}.',
  readOnly: true,
  isSearch: true,
  needsRepository: false,
  localOnly: false,
  example: { query: 'retryLimit', file: ['*.ts'] },
  input,
  output: z.object({
    reading: z.string().describe('How the query was understood.'),
    output: z.enum(['lines', 'files', 'count', 'repos', 'commits']),
    files: z
      .array(
        z.object({
          ...placeShape,
          oid: z.string(),
          language: z.string().nullable(),
          score: z.number(),
          permalink: z.string().nullable(),
          lineCount: z.int(),
          lineCountExact: z.boolean(),
          matchedPath: z.boolean(),
          pathRanges: rangesShape,
          blocks: z.array(
            z.object({
              permalink: z.string().nullable(),
              lines: z.array(
                z.object({
                  line: z.int(),
                  text: z.string(),
                  matched: z.boolean(),
                  ranges: rangesShape.describe('Bytes of the line, as UTF-8.'),
                  cut: z.boolean(),
                }),
              ),
            }),
          ),
          also: z.array(z.object(placeShape)).describe('Other places of the same content.'),
          alsoCount: z.int(),
        }),
      )
      .optional(),
    repositories: z.array(z.object({ repository: z.string(), files: z.int(), lines: z.int() })).optional(),
    commits: z.array(z.record(z.string(), z.unknown())).optional(),
    fileCount: countedShape.optional().describe('Copies counted once; for count and repos each by itself.'),
    contentCount: countedShape.optional().describe('For count and repos: the files without copies.'),
    lineCount: countedShape.optional(),
    facets: z
      .object({
        repositories: z.array(z.object({ repository: z.string(), files: z.int() })),
        languages: z.array(z.object({ language: z.string(), files: z.int() })),
        folders: z.array(z.object({ repository: z.string(), folder: z.string(), files: z.int() })),
      })
      .optional(),
    searched: z
      .object({
        repositories: z.int(),
        documents: z.int(),
        unindexed: z.array(z.string()),
        skipped: z.record(z.string(), z.int()),
        pending: z.int(),
      })
      .optional(),
    stopped: z.enum(['enough', 'budget', 'limit']).nullable().optional(),
    repositoriesSearched: z.int().optional(),
  }),
  run,
});

async function run(context: Context): Promise<OperationResult> {
  const asked = askedOf(context);
  const { prepared, note } = await prepareOrRepair(asked, context);
  const facts = factsFor(prepared, context);
  const { target, leavesOutAlone } = prepared.parsed;
  if (leavesOutAlone && asked.repo.length === 0) throw nothingPositive(asked.query);
  if (target === 'commit' || target === 'diff') return searchCommits(prepared, context, facts.nameOf);

  const page = pageOf(context.after, facts.state);
  const found =
    (await firstFiles(prepared, facts, context)) ?? (await findPage(prepared, page, context.code, context));
  const result = searchResult(prepared, found.findings, found.page, facts);
  const notes = [...(note ? [note] : []), ...result.notes];
  if (result.rows.length > 0 || context.after) return { ...result, notes };
  return { ...result, notes, empty: await emptyText(prepared, found.findings.answer, context) };
}

function askedOf({ input: given, destination }: Context): CodeQuery {
  const query = given.query ?? '';
  const isBlank = given.mode === 'literal' ? query === '' : query.trim() === '';
  if (isBlank && !given.file?.length && !given.lang?.length) throw queryMissing();
  return {
    query,
    mode: given.mode,
    case: given.case,
    repo: given.repo ?? [],
    file: given.file ?? [],
    lang: given.lang ?? [],
    revision: given.revision,
    output: given.output ?? null,
    filesMax: given.max_files,
    linesPerFileMax: destination === 'external' ? LINES_PER_FILE_EXTERNAL : LINES_PER_FILE,
    contextLines: given.context,
    exact: given.exact,
    after: null,
    budgetMs: null,
  };
}

interface Prepared {
  prepared: PreparedSearch;
  note: string | null;
}

/** What is no regular expression but stands in files as it is was meant as text. */
async function prepareOrRepair(asked: CodeQuery, context: Context): Promise<Prepared> {
  try {
    return { prepared: await prepareBounded(asked, context), note: null };
  } catch (fault) {
    const isSyntax = fault instanceof PeriscopeError && fault.code.startsWith('search/regex');
    if (!isSyntax || asked.mode !== 'regex') throw fault;
    const prepared = await prepareBounded({ ...asked, mode: 'literal' }, context);
    const { filesFound } = await context.code.search(prepared, context);
    if (filesFound === 0) throw fault;
    return { prepared, note: `Searched as text, because as a regular expression: ${fault.message}` };
  }
}

async function prepareBounded(asked: CodeQuery, context: Context): Promise<PreparedSearch> {
  const prepared = await context.code.prepare(asked, context.visible, context);
  // A row costs a token at least, so more than these can never go out.
  const most = prepared.output === 'lines' ? FILES_MAX : context.limits.tokens;
  return { ...prepared, asked: { ...asked, filesMax: Math.min(asked.filesMax, most) } };
}

function factsFor(prepared: PreparedSearch, context: Context): AnswerFacts {
  const names = namesOf(context.visible);
  const byId = new Map(prepared.repositories.map((one) => [one.id, one]));
  return {
    nameOf(id) {
      const repository = byId.get(id);
      return repository ? names.shortest(repository) : '';
    },
    permalink: context.permalink,
    state: context.code.stateOf(prepared),
    budgetMs: context.limits.searchTimeMs,
    isEmpty: context.code.isEmpty,
  };
}

/** For who listens: what is found in a moment. That is the answer itself, unless more time was wanted. */
async function firstFiles(
  prepared: PreparedSearch,
  facts: AnswerFacts,
  context: Context,
): Promise<{ findings: CodeFindings; page: SearchPage } | null> {
  if (!context.sendFirst || context.after || listsRepositories(prepared)) return null;
  const asked: CodeQuery = { ...prepared.asked, exact: false, budgetMs: FIRST_FILES_MS };
  const quick: PreparedSearch = { ...prepared, asked };
  const findings = await context.code.search(quick, context);
  const { stopped } = findings.answer;
  if (stopped === null || (stopped === 'enough' && !prepared.asked.exact))
    return { findings, page: firstPage };
  if (findings.filesFound > 0) context.sendFirst(searchResult(quick, findings, firstPage, facts));
  return null;
}

async function emptyText(prepared: PreparedSearch, answer: SearchAnswer, context: Context): Promise<string> {
  if (context.visible.length === 0)
    return 'There is no repository that you can read. Ask the operator for access.';
  const repairs = await repairsOf(prepared.asked, context.code, context.visible, context);
  const lines = [nothingSaid(answer), ...repairs];
  if (repairs.length === 0)
    lines.push('Try a shorter text or another spelling; codesearch_repos shows what there is.');
  return lines.join('\n');
}

function nothingSaid(answer: SearchAnswer): string {
  if (answer.searched.documents === 0) return 'Nothing was searched: no file that is indexed fits.';
  return isWhole(answer)
    ? 'Nothing in what was searched matches.'
    : 'Nothing was found, and not everything was searched: see the notes above.';
}
