import { z } from 'zod';
import { readQuestion } from '../../retrieval/index.ts';
import { namesOf } from '../addressing/repository-names.ts';
import { indexGapNotes } from '../codesearch/index-gaps.ts';
import type { SearchState } from '../codesearch/search-scopes.ts';
import { countSaid } from '../codesearch/search-words.ts';
import { cursorOutdated, meaningNotHere, questionMissing } from '../errors.ts';
import { operation } from '../operation.ts';
import {
  answerParams,
  fileFilterParam,
  languageFilterParam,
  repositoryFilterParam,
  revisionParam,
} from '../parameters.ts';
import type { MeaningQuery, PreparedMeaning } from '../retrieval/asked-meaning.ts';
import { exactInstead } from '../retrieval/exact-instead.ts';
import { FAR, isFar } from '../retrieval/far-answer.ts';
import type { MeaningFinder, MeaningFindings } from '../retrieval/meaning-finder.ts';
import { isReadable, meaningRows, wantedLines } from '../retrieval/meaning-rows.ts';
import {
  ALL_OFF,
  coverageNotes,
  coverageSaid,
  isAllOff,
  nextSaid,
  stageNotes,
  stagesSaid,
} from '../retrieval/meaning-said.ts';
import { takeFilters } from '../retrieval/question-filters.ts';
import { tracedMeaning } from '../retrieval/traced-meaning.ts';
import type { OperationContext, OperationResult, Position } from '../types.ts';

const TOOL = 'search';
const HITS_MAX = 50;
const LINES_OF_A_HIT = 60;
/** Whoever's model is external gets the most telling lines. */
const LINES_OF_A_HIT_EXTERNAL = 10;
const NAMED_MAX = 5;

const input = z.object({
  question: z
    .string()
    .max(4000)
    .optional()
    .describe(
      'What to find, in your own words: "where are expired sessions refreshed", "retry with backoff in the payment client". Needed unless cursor is given.',
    ),
  repo: repositoryFilterParam,
  file: fileFilterParam,
  lang: languageFilterParam,
  kind: z
    .array(z.string().max(50))
    .max(20)
    .optional()
    .describe('Only symbols of these kinds: ["function", "method", "class", "interface"].'),
  revision: revisionParam.describe('Branch, tag or commit to search. Default: the indexed branches.'),
  limit: z.int().min(1).max(HITS_MAX).default(10).describe('Most places in one answer.'),
  explain: z
    .boolean()
    .default(false)
    .describe('Also say what each stage of ranking took, and what was weighed of each place.'),
  ...answerParams,
});

type Context = OperationContext<z.output<typeof input>>;

const placeShape = {
  repository: z.string(),
  revision: z.string(),
  commit: z.string(),
  path: z.string(),
  startLine: z.int(),
  endLine: z.int(),
};

export const search = operation({
  name: TOOL,
  title: 'Search by meaning',
  description:
    'Finds the few places in all repositories that you may read which a question in your own words is about, and says why each was found. For what you cannot name: "where is X handled", "how do we do Y". Examples: {"question": "where are expired sessions refreshed"}, {"question": "retry with exponential backoff", "lang": ["go"]}, {"question": "validation of IBAN numbers", "repo": ["acme/*"], "kind": ["function", "method"]}, {"question": "how is a release tagged", "file": ["*.yml", "*.md"]}. For a name, a text or a path that you know, codesearch is exact.',
  readOnly: true,
  isSearch: true,
  needsRepository: false,
  localOnly: false,
  example: { question: 'where are expired sessions refreshed' },
  input,
  output: z.object({
    answeredBy: z
      .enum(['search', 'codesearch'])
      .describe('codesearch: the question looked like an exact text.'),
    question: z.string().optional(),
    hits: z
      .array(
        z.object({
          ...placeShape,
          permalink: z.string().nullable(),
          name: z.string().describe('Of the symbol; empty for a piece of a text.'),
          container: z.string().describe('Names around it and its own, with dots.'),
          kind: z.string().nullable(),
          language: z.string().nullable(),
          score: z.number(),
          because: z.array(z.record(z.string(), z.unknown())).describe('Why it was found.'),
          features: z.record(z.string(), z.number()).optional().describe('With explain: what was weighed.'),
          lines: z.array(z.object({ line: z.int(), text: z.string() })),
          slices: z
            .array(z.object({ startLine: z.int(), endLine: z.int() }))
            .describe('Further lines of the same symbol that were found.'),
          also: z.array(z.object(placeShape)).describe('Other places of the very same text.'),
          alsoCount: z.int(),
          similar: z.array(z.object(placeShape)).describe('Places that say nearly the same.'),
          similarCount: z.int(),
        }),
      )
      .optional(),
    near: z
      .boolean()
      .optional()
      .describe('false: no word of the question stands anywhere, and no vector is close.'),
    coverage: z
      .object({
        repositories: z.int(),
        documents: z.int(),
        unread: z.int().describe('Files that are not indexed yet.'),
        texts: z.int(),
        unchunked: z.int().describe('Texts that are not cut into chunks yet.'),
        chunks: z.int(),
        inTable: z
          .int()
          .nullable()
          .describe('Chunks with a static vector; null where that was not looked for.'),
        encoded: z.int().nullable().describe("Chunks with the encoder's vector."),
        unindexed: z.array(z.string()),
      })
      .optional(),
    stages: z
      .array(
        z.object({
          stage: z.string(),
          state: z.enum(['ran', 'off', 'left-out']),
          ms: z.number().optional().describe('With explain.'),
          count: z.int(),
          why: z.string().nullable(),
        }),
      )
      .optional(),
    files: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe('Files as codesearch gives them, where it answered.'),
    stopped: z.enum(['enough', 'budget', 'limit']).nullable().optional(),
  }),
  run,
});

async function run(context: Context): Promise<OperationResult> {
  const { asked: filtered, taken, left } = takeFilters(askedOf(context));
  if (filtered.question === '') throw questionMissing();
  let asked: MeaningQuery = { ...askedOf(context), ...filtered };
  const reading = readQuestion(asked.question);
  const notes = filterNotes(taken, left);
  if (reading.kind === 'exact' && context.after === null && asked.kind.length === 0) {
    const exact = await exactInstead(asked, reading, context);
    if (exact !== null) return { ...exact, notes: [...notes, ...exact.notes] };
    const instead =
      reading.otherwise === asked.question
        ? 'searched by meaning instead'
        : 'searched by meaning with its message alone';
    notes.push(`The question looks like ${reading.looks}, which stands nowhere just so: ${instead}.`);
  }
  if (reading.kind === 'exact') asked = { ...asked, question: reading.otherwise };
  const { meaning: finder } = context;
  if (!finder) throw meaningNotHere();
  const prepared = await finder.prepare(asked, context.visible, context.signal);
  const state = finder.stateOf(prepared);
  const skip = skipOf(context.after, state);
  const findings = await finder.find(prepared, asked.limit, context.signal);
  return meaningResult({ prepared, findings, state, skip, notes }, finder, context);
}

function askedOf({ input: given }: Context): MeaningQuery {
  const question = given.question?.trim() ?? '';
  if (question === '') throw questionMissing();
  return {
    question,
    repo: given.repo ?? [],
    file: given.file ?? [],
    lang: given.lang ?? [],
    kind: given.kind ?? [],
    revision: given.revision,
    limit: given.limit,
  };
}

function filterNotes(taken: readonly string[], left: readonly string[]): string[] {
  return [
    ...(taken.length > 0 ? [`Taken out of the question as filters: ${taken.join(', ')}.`] : []),
    ...(left.length > 0
      ? [`Left out of account: ${left.join(', ')}. Write it as a glob, or in the parameters.`]
      : []),
  ];
}

/** A cursor leads on in the very answer that it is from, and in no other. */
function skipOf(after: Position | null, { repositories, indexed }: SearchState): number {
  if (after === null) return 0;
  if (after['repositories'] !== repositories || after['indexed'] !== indexed) throw cursorOutdated(TOOL);
  return Number(after['skip'] ?? 0);
}

interface MeaningPage {
  prepared: PreparedMeaning;
  findings: MeaningFindings;
  state: SearchState;
  skip: number;
  notes: readonly string[];
}

async function meaningResult(
  { prepared, findings, state, skip, notes }: MeaningPage,
  finder: MeaningFinder,
  context: Context,
): Promise<OperationResult> {
  const { answer, repositories, gaps } = findings;
  const names = namesOf(context.visible);
  const nameOf = (id: number) => {
    const repository = repositories.get(id);
    return repository ? names.shortest(repository) : '';
  };
  const rest = answer.hits.slice(skip);
  const slices = await finder.slices(wantedLines(rest), repositories, context.signal);
  const left = rest.filter((hit) => isReadable(hit, slices));
  const rows = meaningRows(left, {
    nameOf,
    repositoryOf: (id) => repositories.get(id) ?? null,
    permalink: context.permalink,
    positionOf: (index) => ({
      repositories: state.repositories,
      indexed: state.indexed,
      skip: answer.hits.indexOf(left[index]!) + 1,
    }),
    slices,
    explains: context.input.explain,
    linesMax: context.destination === 'external' ? LINES_OF_A_HIT_EXTERNAL : LINES_OF_A_HIT,
  });
  const unindexed = answer.coverage.unindexed.filter((id) => !finder.isEmpty(id));
  const shown = { ...answer, coverage: { ...answer.coverage, unindexed } };
  const { question } = prepared.asked;
  const [best] = left;
  const far = isFar(answer);
  const told = answer.hits.flatMap(({ place, also, similar }) => [place, ...also, ...similar]);
  return {
    head: [
      ...(far && best ? [FAR] : []),
      `${countSaid({ count: answer.hits.length, exact: true }, 'place')} for ${JSON.stringify(question)}${prepared.where} (${coverageSaid(shown, prepared.repositories.length)})`,
      ...(best && !far ? [nextSaid(best, nameOf(best.place.repositoryId))] : []),
      ...(context.input.explain ? [stagesSaid(answer.stages)] : []),
    ].join('\n'),
    facts: {
      answeredBy: TOOL,
      question,
      near: !far,
      coverage: {
        ...shown.coverage,
        repositories: prepared.repositories.length,
        unindexed: unindexed.map(nameOf),
      },
      stages: context.input.explain ? answer.stages : answer.stages.map(({ ms: _, ...stage }) => stage),
      stopped: answer.stopped,
    },
    rowsName: 'hits',
    rows,
    more: false,
    total: answer.hits.length,
    notes: [
      ...notes,
      ...prepared.notes,
      ...findings.notes,
      ...(unindexed.length > 0 ? [unindexedSaid(unindexed.map(nameOf))] : []),
      ...coverageNotes(answer.coverage),
      ...indexGapNotes(gaps, { nameOf, isLacking: unindexed.length > 0 }),
      ...stageNotes(answer.stages, finder.encoderProblem),
      ...answer.problems,
      ...(rest.length > left.length ? [unreadSaid(rest.length - left.length)] : []),
      ...(answer.stopped === 'budget'
        ? [
            `The ${context.limits.searchTimeMs / 1000} s of this question were over before every stage had run.`,
          ]
        : []),
    ],
    empty: skip > 0 ? 'There is nothing more.' : emptySaid(prepared, shown, context),
    repositories: [...new Set(told.flatMap(({ repositoryId }) => repositories.get(repositoryId) ?? []))],
    state: `${state.repositories} ${state.indexed}`,
    // Later pages are of the same search.
    ...(skip === 0 ? { traced: tracedMeaning(prepared, answer, repositories) } : {}),
  };
}

function unindexedSaid(names: readonly string[]): string {
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : '';
  return `Not indexed yet, and so not looked into: ${names.slice(0, NAMED_MAX).join(', ')}${more}.`;
}

function unreadSaid(count: number): string {
  return `Left out, because not readable from git now: ${countSaid({ count, exact: true }, 'place')}.`;
}

function emptySaid(
  { asked }: PreparedMeaning,
  { coverage, stages }: Pick<MeaningFindings['answer'], 'coverage' | 'stages'>,
  { visible }: Context,
): string {
  if (visible.length === 0) return 'There is no repository that you can read. Ask the operator for access.';
  if (isAllOff(stages)) return ALL_OFF;
  const { chunks, unread, unchunked, unindexed } = coverage;
  const isWhole = unread + unchunked + unindexed.length === 0;
  if (chunks === 0 && isWhole) return 'Nothing was searched: no file that is indexed fits.';
  const filters = [asked.repo, asked.file, asked.lang, asked.kind].some((list) => list.length > 0);
  const words = 'English words work best, such as the code would have them';
  const way = filters ? `Leave filters out, or use other words. ${words}` : `Use other words. ${words}`;
  return isWhole
    ? `Nothing in what was searched has any of these words or is near in meaning. ${way}.`
    : `Nothing was found, and not everything was searched: see the notes above. ${way}.`;
}
