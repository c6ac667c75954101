import { z } from 'zod';
import { graphRelations } from '../../symbols/index.ts';
import { namesOf } from '../addressing/repository-names.ts';
import { fileRows } from '../codesearch/file-rows.ts';
import { pageOf, type SearchPage } from '../codesearch/search-page.ts';
import { noDigest } from '../codesearch/search-scopes.ts';
import { countsSaid } from '../codesearch/search-words.ts';
import { graphNotHere } from '../errors.ts';
import { graphResult } from '../graph/graph-answer.ts';
import type { GraphFinder, GraphFindings, PreparedGraph } from '../graph/graph-finder.ts';
import { textHits } from '../graph/text-hits.ts';
import { operation } from '../operation.ts';
import { answerParams, revisionParam } from '../parameters.ts';
import type { OperationContext, OperationResult } from '../types.ts';

const PLACES_MAX = 200;
const TOOL = 'graph';

const input = z.object({
  name: z
    .string()
    .max(1000)
    .optional()
    .describe(
      'Where to start: a symbol as it is written, "Session.refresh", "retry.Do"; with its repository behind, "Session@acme/payments"; a package, "express"; or a place that an answer showed, "payments/src/auth.ts:120".',
    ),
  relation: z
    .enum(graphRelations)
    .optional()
    .describe(
      'What to find. definitions: where it is defined. references: where it is used (default). callers, callees. supertypes: what it extends; subtypes: what extends or implements it. imports, importers: of a file. outline: the symbols of a file. dependents, dependencies: of a package or repository.',
    ),
  repo: z
    .array(z.string().max(2000))
    .max(50)
    .optional()
    .describe('Repository of the start: ["acme/payments"]. What uses it is found in all repositories.'),
  path: z
    .string()
    .max(4096)
    .optional()
    .describe('File of the start: "src/auth/session.ts", also with ":120" behind.'),
  line: z.int().min(1).optional().describe('Line of the start within path: what stands there is meant.'),
  column: z
    .int()
    .min(1)
    .optional()
    .describe('Byte within the line, counted from 1, where a line has several names.'),
  revision: revisionParam,
  direction: z
    .enum(['in', 'out'])
    .optional()
    .describe('in: towards the start (callers); out: away from it (callees). Turns relation round.'),
  depth: z
    .int()
    .min(1)
    .max(3)
    .default(1)
    .describe('Steps from the start: 2 also gives the callers of callers.'),
  kind: z
    .array(z.string().max(50))
    .max(20)
    .optional()
    .describe('Only symbols of these kinds: ["class", "interface", "function", "method"].'),
  within: z
    .array(z.string().max(2000))
    .max(50)
    .optional()
    .describe('Only what is found in these repositories: ["acme/web", "acme/tools-*"].'),
  file: z
    .array(z.string().max(500))
    .max(50)
    .optional()
    .describe(
      'Only what is found in such files, as globs, with ! in front to leave out: ["src/**", "!*_test.go"].',
    ),
  lang: z
    .array(z.string().max(100))
    .max(20)
    .optional()
    .describe('Only what is found in these languages: ["go"].'),
  limit: z.int().min(1).max(PLACES_MAX).default(50).describe('Most places in one answer.'),
  exact: z
    .boolean()
    .default(false)
    .describe('Look at everything and count it, instead of ending when enough is known.'),
  format: z
    .enum(['text', 'graph'])
    .default('text')
    .describe('text: places with their lines. graph: nodes and edges, for programs that draw.'),
  ...answerParams,
});

type Context = OperationContext<z.output<typeof input>>;

const countedShape = z.object({ count: z.int(), exact: z.boolean() });
const nodeShape = {
  kind: z.enum(['symbol', 'file', 'package']),
  name: z.string(),
  container: z.string().describe('Names around it and its own, with dots.'),
  symbolKind: z.string().nullable(),
  exported: z.boolean(),
  signature: z.string().nullable(),
  language: z.string().nullable(),
  ecosystem: z.string().nullable(),
  version: z.string().nullable(),
  place: z
    .object({
      repository: z.string(),
      revision: z.string(),
      commit: z.string(),
      path: z.string(),
      line: z.int(),
      startLine: z.int(),
      endLine: z.int(),
      alsoCount: z.int().describe('Other places of the same content.'),
    })
    .nullable()
    .describe('null: in no repository that you can read.'),
};
const edgeShape = {
  kind: z.string(),
  uses: z.int(),
  path: z.string().describe('Where the use stands.'),
  lines: z.array(z.int()),
  version: z.string().nullable(),
  scope: z.string().nullable(),
};
const sureShape = {
  depth: z.int(),
  confidence: z.enum(['certain', 'likely', 'possible']).nullable(),
  how: z.string().nullable(),
};

export const graph = operation({
  name: TOOL,
  title: 'Walk from a symbol to what uses it',
  description:
    'Who defines, calls, extends, imports or depends on something, across all repositories that you may read, by structure instead of text. Examples: {"name": "Session.refresh", "relation": "callers"}, {"name": "retryLimit"} for its uses, {"name": "Handler@acme/payments", "relation": "subtypes"}, {"repo": ["payments"], "path": "src/auth.ts", "line": 120, "relation": "definitions"} for what stands there, {"repo": ["payments"], "path": "src/auth.ts", "relation": "outline"}, {"name": "express", "relation": "dependents"}, {"name": "main", "repo": ["payments"], "relation": "callees", "depth": 2}. Uses that are not certain say so.',
  readOnly: true,
  isSearch: true,
  needsRepository: false,
  localOnly: false,
  example: { name: 'Session.refresh', relation: 'callers' },
  input,
  output: z.object({
    relation: z.enum(graphRelations).optional(),
    of: z.string().optional().describe('What was asked about.'),
    depth: z.int().optional(),
    count: countedShape.optional(),
    targets: z
      .array(z.union([z.object(nodeShape), z.string()]))
      .optional()
      .describe('What the start means; with format graph their ids.'),
    ambiguous: z
      .object({ count: countedShape, candidates: z.array(z.object(nodeShape)) })
      .nullable()
      .optional(),
    places: z
      .array(
        z.object({
          repository: z.string().nullable(),
          revision: z.string().nullable(),
          commit: z.string().nullable(),
          path: z.string().nullable(),
          permalink: z.string().nullable(),
          ...sureShape,
          found: z.array(
            z.object({
              ...nodeShape,
              edge: z.object({ ...edgeShape, of: z.string() }).nullable(),
              lines: z.array(z.object({ line: z.int(), text: z.string() })),
            }),
          ),
        }),
      )
      .optional(),
    nodes: z
      .array(z.object({ id: z.string(), ...nodeShape }))
      .optional()
      .describe('With format graph.'),
    edges: z
      .array(z.object({ from: z.string(), to: z.string(), ...edgeShape, ...sureShape }))
      .optional()
      .describe('With format graph: from uses to.'),
    textHits: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe('Files as codesearch gives them, where the structure tells nothing.'),
    coverage: z
      .object({
        documents: z.int(),
        withSymbols: z.int(),
        withoutLanguage: z.int(),
        skipped: z.record(z.string(), z.int()),
        pending: z.int(),
        unindexed: z.array(z.string()),
        start: z.string().nullable(),
      })
      .optional(),
    stopped: z.enum(['enough', 'budget', 'limit']).nullable().optional(),
  }),
  run,
});

async function run(context: Context): Promise<OperationResult> {
  const { graph: finder, input: given } = context;
  if (!finder) return withoutGraph(context);
  const bounds = { depth: given.depth, placesMax: given.limit, exact: given.exact };
  const prepared = await finder.prepare(
    {
      relation: given.relation,
      direction: given.direction,
      name: given.name,
      repo: given.repo,
      path: given.path,
      line: given.line,
      column: given.column,
      revision: given.revision,
      kind: given.kind,
      within: given.within,
      file: given.file,
      lang: given.lang,
    },
    bounds,
    context.visible,
    context.signal,
  );
  const state = finder.stateOf(prepared);
  const { findings, page } = await findPage(
    prepared,
    pageOf(context.after, state, TOOL),
    finder,
    context.signal,
  );
  const isSame = findings.answer.generation === state.generation;
  const made = isSame ? state : { ...state, indexed: noDigest, generation: findings.answer.generation };
  return graphResult({ prepared, findings, page, state: made, format: given.format }, finder, context);
}

/** Waves that hold nothing but what has been opted out since are passed over. */
const EMPTY_WAVES_MAX = 5;

async function findPage(
  prepared: PreparedGraph,
  page: SearchPage,
  finder: GraphFinder,
  signal: AbortSignal,
): Promise<{ findings: GraphFindings; page: SearchPage }> {
  let from = page;
  for (let waves = 1; ; waves++) {
    const findings = await finder.find(prepared, from.after, signal);
    const { next } = findings.answer;
    if (holdsSomething(findings) || next === null || waves === EMPTY_WAVES_MAX)
      return { findings, page: from };
    from = { after: next, skip: 0, shown: null };
  }
}

function holdsSomething({ answer, shown }: GraphFindings): boolean {
  return (
    answer.edges.some(({ from, to }) => shown[from] && shown[to]) ||
    (answer.edges.length === 0 && answer.targets.some((at) => shown[at]))
  );
}

/** Another search engine has no graph: then the text is what there is. */
async function withoutGraph(context: Context): Promise<OperationResult> {
  const name = context.input.name?.split(/[.#:@]+/)[0] ?? '';
  const hits = name === '' ? null : await textHits(name, context);
  if (hits === null) throw graphNotHere();
  const names = namesOf(context.visible);
  return {
    head: `${countsSaid(hits.answer)} for text ${JSON.stringify(name)}`,
    facts: { of: name },
    rowsName: 'textHits',
    rows: fileRows(hits.answer.files, {
      nameOf: (id) => names.shortest(hits.repositories.get(id)!),
      repositoryOf: (id) => hits.repositories.get(id) ?? null,
      permalink: context.permalink,
      positionOf: () => ({}),
      namesAlone: false,
    }),
    more: false,
    notes: [
      ...hits.notes,
      `This server's search engine has no graph of symbols: these are the places of the text.`,
    ],
    empty: '',
    repositories: [...hits.repositories.values()].filter(({ id }) =>
      hits.answer.files.some(({ repositoryId }) => repositoryId === id),
    ),
  };
}
