import type { GraphAnswer, GraphNode, GraphRelation } from '../../symbols/index.ts';
import { namesOf } from '../addressing/repository-names.ts';
import { callSaid } from '../call-said.ts';
import { fileRows } from '../codesearch/file-rows.ts';
import { indexGapNotes } from '../codesearch/index-gaps.ts';
import { positionOf, type SearchPage } from '../codesearch/search-page.ts';
import type { SearchState } from '../codesearch/search-scopes.ts';
import { countsSaid } from '../codesearch/search-words.ts';
import { symbolGapNotes } from '../codesearch/symbol-gaps.ts';
import type { OperationContext, OperationResult, Position, Row } from '../types.ts';
import { drawnGraph } from './drawn-graph.ts';
import type { GraphFinder, GraphFindings, PreparedGraph } from './graph-finder.ts';
import { type FoundGroup, foundGroups, wantedLines } from './graph-places.ts';
import { graphRows, nodeValue } from './graph-rows.ts';
import { countedSaid, coverageSaid, missingSaid, nodeSaid } from './graph-said.ts';
import { shownControls } from './shown-controls.ts';
import { textHits } from './text-hits.ts';
import { unnamedSubtypesSaid } from './unnamed-subtypes.ts';

export interface GraphPage {
  prepared: PreparedGraph;
  findings: GraphFindings;
  page: SearchPage;
  state: SearchState;
  format: 'text' | 'graph';
}

type Context = OperationContext<unknown>;

const TARGETS_SAID_MAX = 3;
const CANDIDATES_SAID_MAX = 8;
const NAMED_MAX = 5;

/** One page of what was found, with what was looked through and what was not. */
export async function graphResult(
  { prepared, findings, page, state, format }: GraphPage,
  graph: GraphFinder,
  context: Context,
): Promise<OperationResult> {
  const names = namesOf(context.visible);
  const nameOf = (id: number) => {
    const repository = prepared.repositories.get(id);
    return repository ? names.shortest(repository) : '';
  };
  const { answer } = findings;
  const { relation } = prepared;
  const common = {
    facts: structuredFacts(prepared, findings, nameOf),
    notes: [
      ...prepared.notes,
      ...findings.notes,
      ...unnamedSubtypesSaid(relation, answer),
      ...gapNotes(findings, prepared, nameOf, context),
    ],
    state: `${state.repositories} ${state.indexed}`,
    repositories: [
      ...new Set(
        answer.nodes.flatMap(({ place }) => (place && prepared.repositories.get(place.repositoryId)) || []),
      ),
    ],
    more: answer.next !== null,
    tookUp: answer.targets.flatMap((at) => {
      const place = answer.nodes[at]?.place;
      if (!place) return [];
      const { repositoryId, path, startLine, endLine } = place;
      return [{ repositoryId, path, lines: { start: startLine, end: endLine } }];
    }),
  };
  const head = shownControls(headLines(prepared, findings, nameOf).join('\n'));
  const positionAt = (index: number): Position =>
    positionOf({ after: page.after, skip: index + 1, shown: null }, state);
  if (format === 'graph') {
    const drawn = drawnGraph(findings, { nameOf, positionAt, from: page.skip });
    const facts = { ...common.facts, ...drawn.facts };
    const rows = leadingOn(drawn.rows, answer, state);
    return { ...common, ...drawn, facts, head, rows, empty: emptySaid(prepared, answer) };
  }
  const groups = foundGroups(relation, findings);
  const left = groups.slice(page.skip);
  const slices = await graph.slices(wantedLines(left), prepared, context.signal);
  const readable = graphRows(left, {
    relation,
    nameOf,
    repositoryOf: (id) => prepared.repositories.get(id) ?? null,
    permalink: context.permalink,
    positionOf: (index) => positionAt(index + page.skip),
    slices,
  });
  const rows = leadingOn(readable, answer, state);
  const unread = left.length - rows.length;
  if (unread > 0) common.notes.push(unreadSaid(unread));
  if (rows.length > 0 || context.after) {
    return { ...common, head, rowsName: 'places', rows, empty: 'There is nothing more.' };
  }
  return nothingFound(
    prepared,
    groups,
    { ...common, head, rowsName: 'places', rows },
    answer,
    nameOf,
    context,
  );
}

function unreadSaid(count: number): string {
  return `Left out, because not readable from git now: ${count === 1 ? '1 place' : `${count} places`}.`;
}

/** Behind the last row that is shown a cursor leads on to what the engine has not looked at. */
function leadingOn(rows: readonly Row[], { next }: GraphAnswer, state: SearchState): Row[] {
  const last = rows.at(-1);
  if (!last || next === null) return [...rows];
  return [
    ...rows.slice(0, -1),
    { ...last, position: positionOf({ after: next, skip: 0, shown: null }, state) },
  ];
}

function headLines(
  prepared: PreparedGraph,
  findings: GraphFindings,
  nameOf: (id: number) => string,
): string[] {
  const { relation, said, depth } = prepared;
  const { answer, shown } = findings;
  const { targets, ambiguous, nodes, count, coverage } = answer;
  const meant = targets.filter((at) => shown[at]).map((at) => nodes[at]!);
  const isListed = relation === 'definitions' || relation === 'outline';
  const [only] = meant;
  const of = !isListed && only && meant.length === 1 ? nodeSaid(only) : said;
  const steps = depth > 1 ? `, within ${depth} steps` : '';
  const lines = [`${countedSaid(relation, count, of)}${steps} (${coverageSaid(coverage)})`];
  if (isListed) return lines;
  if (ambiguous) return [...lines, ...candidateLines(prepared, findings, nameOf)];
  for (const node of meant.slice(0, TARGETS_SAID_MAX)) lines.push(`  ${targetSaid(node, nameOf)}`);
  if (meant.length > TARGETS_SAID_MAX)
    lines.push(`  and ${meant.length - TARGETS_SAID_MAX} more of the same name`);
  return lines;
}

function targetSaid(node: GraphNode, nameOf: (id: number) => string): string {
  const parts = [nodeSaid(node)];
  if (node.place) {
    const { repositoryId, revision, path, line } = node.place;
    parts.push(`${nameOf(repositoryId)}@${revision}:${path}${node.kind === 'symbol' ? `:${line}` : ''}`);
  }
  if (node.signature) parts.push(node.signature);
  return parts.join('  ');
}

/** What a name may mean, with what tells it apart, and how to ask for one of it. */
function candidateLines(
  { relation, name }: PreparedGraph,
  { answer, shown }: GraphFindings,
  nameOf: (id: number) => string,
): string[] {
  const { ambiguous, nodes, targets } = answer;
  const candidates = ambiguous!.candidates.filter((at) => shown[at]);
  const taken = new Set(targets);
  const { count, exact } = ambiguous!.count;
  const lines = [
    `"${name ?? ''}" may mean ${exact ? '' : 'at least '}${count} definitions; those marked * were taken:`,
  ];
  for (const at of candidates.slice(0, CANDIDATES_SAID_MAX))
    lines.push(`${taken.has(at) ? '*' : ' '} ${targetSaid(nodes[at]!, nameOf)}`);
  if (count > CANDIDATES_SAID_MAX) lines.push('  … "relation": "definitions" lists them all');
  const all = candidates.map((at) => nodes[at]!);
  // Of one that only its file tells apart the parameters are many: the shortest question teaches best.
  const ways = all.map((node) => howToAsk(node, relation, all, nameOf)).sort((x, y) => x.length - y.length);
  if (ways[0] !== undefined) lines.push(`To ask for one of them: ${ways[0]}`);
  return lines;
}

/** As few parameters as tell it from the others. */
function howToAsk(
  node: GraphNode,
  relation: GraphRelation,
  candidates: readonly GraphNode[],
  nameOf: (id: number) => string,
): string {
  const asked: Record<string, unknown> = { name: node.container };
  const others = candidates.filter(
    (one) => one !== node && `.${one.container}`.endsWith(`.${node.container}`),
  );
  const { place } = node;
  if (place && others.length > 0) {
    asked['repo'] = [nameOf(place.repositoryId)];
    if (others.some((one) => one.place?.repositoryId === place.repositoryId)) asked['path'] = place.path;
    if (others.some((one) => one.place?.repositoryId === place.repositoryId && one.place.path === place.path))
      asked['line'] = place.line;
  }
  return JSON.stringify({ ...asked, relation })
    .replaceAll('":', '": ')
    .replaceAll(',"', ', "');
}

function structuredFacts(
  { relation, said, depth }: PreparedGraph,
  { answer, shown }: GraphFindings,
  nameOf: (id: number) => string,
) {
  const { targets, ambiguous, nodes, count, coverage, stopped } = answer;
  const { withFacts, ...covered } = coverage;
  const valuesOf = (positions: readonly number[]) =>
    positions.filter((at) => shown[at]).map((at) => nodeValue(nodes[at]!, { nameOf }));
  return {
    relation,
    of: said,
    depth,
    count,
    targets: relation === 'definitions' || relation === 'outline' ? [] : valuesOf(targets),
    ambiguous: ambiguous && { count: ambiguous.count, candidates: valuesOf(ambiguous.candidates) },
    coverage: { ...covered, withSymbols: withFacts, unindexed: coverage.unindexed.map(nameOf) },
    stopped,
  };
}

function gapNotes(
  { answer, gaps }: GraphFindings,
  { exact }: PreparedGraph,
  nameOf: (id: number) => string,
  { limits }: Context,
): string[] {
  const { coverage, stopped, problems } = answer;
  const { unindexed } = coverage;
  const notes = symbolGapNotes(coverage);
  if (unindexed.length > 0) {
    const named = unindexed.slice(0, NAMED_MAX).map(nameOf).join(', ');
    const more = unindexed.length > NAMED_MAX ? ` and ${unindexed.length - NAMED_MAX} more` : '';
    notes.push(`Not indexed yet, and so not looked into: ${named}${more}.`);
  }
  notes.push(...indexGapNotes(gaps, { nameOf, isLacking: unindexed.length > 0 }));
  if (stopped === 'budget')
    notes.push(
      `The ${limits.searchTimeMs / 1000} s of this question were over before everything was looked at. Narrow it with repo, within or file.`,
    );
  if (stopped === 'limit')
    notes.push(
      exact
        ? 'A bound was met before everything was looked at. Narrow it with repo, within or file.'
        : 'Ended when much was looked at: "exact": true looks at everything.',
    );
  for (const problem of problems) notes.push(`Not everything could be looked at: ${problem}`);
  return notes;
}

/** Of these an empty answer is an answer: what is known lies in one place. */
const tellsOfItself: ReadonlySet<GraphRelation> = new Set<GraphRelation>([
  'callees',
  'supertypes',
  'imports',
  'dependencies',
  'dependents',
  'outline',
]);

/** Says what is not known, which names are near, and where the name stands as text. */
async function nothingFound(
  prepared: PreparedGraph,
  groups: readonly FoundGroup[],
  result: Omit<OperationResult, 'empty'>,
  answer: GraphAnswer,
  nameOf: (id: number) => string,
  context: Context,
): Promise<OperationResult> {
  const { relation } = prepared;
  const empty = emptySaid(prepared, answer);
  const isKnown = answer.targets.length > 0 && answer.coverage.start === null;
  const name = groups.length > 0 ? null : await nameAsked(prepared, context);
  if (name === null || (isKnown && tellsOfItself.has(relation))) return { ...result, empty };
  const last = lastPart(name);
  const deps = { code: context.code, visible: context.visible, nowMs: context.nowMs, signal: context.signal };
  const hits = await textHits(last, deps);
  const { near } = answer;
  const told = [empty];
  if (near.length > 0)
    told.push(
      `${isOfPackages(relation) ? 'Packages' : 'Names'} like it: ${near.join(', ')}. Call again with ${callSaid({ name: near[0], relation })}.`,
    );
  if (hits === null) return { ...result, empty: told.join('\n') };
  told.push(
    `As text "${last}" stands in ${countsSaid(hits.answer)}: codesearch shows all with ${callSaid({ query: last, mode: 'literal' })}.`,
  );
  const rows: Row[] = fileRows(hits.answer.files, {
    nameOf,
    repositoryOf: (id) => hits.repositories.get(id) ?? null,
    permalink: context.permalink,
    positionOf: () => ({}),
    namesAlone: false,
  });
  const named = hits.answer.files.flatMap(({ repositoryId }) => hits.repositories.get(repositoryId) ?? []);
  return {
    ...result,
    notes: [...result.notes, ...told],
    rowsName: 'textHits',
    rows,
    more: false,
    repositories: [...new Set([...(result.repositories ?? []), ...named])],
    empty,
  };
}

function isOfPackages(relation: GraphRelation): boolean {
  return relation === 'dependents' || relation === 'dependencies';
}

function emptySaid({ relation, said, name, unread }: PreparedGraph, answer: GraphAnswer): string {
  const { start } = answer.coverage;
  const missing = start === 'no-file' && unread !== undefined ? unread : missingSaid(start);
  if (missing !== null) return `${said} has no symbols to tell of: ${missing}.`;
  if (answer.targets.length === 0 && name !== null) return `No definition of ${said} is known.`;
  if (answer.targets.length === 0) return `Nothing is known of ${said} that could have ${relation}.`;
  return `As far as the structure of what was read tells, there are none.`;
}

/** The word that was asked about: of a place the longest of its line. */
async function nameAsked(
  { name, starts, repositories }: PreparedGraph,
  { content, mirrorOf, signal }: Context,
): Promise<string | null> {
  if (name !== null) return name;
  const start = starts[0]?.start;
  if (start?.by !== 'place') return null;
  const repository = repositories.get(start.repositoryId);
  if (!repository) return null;
  const mirror = mirrorOf(repository);
  const { commit } = await mirror.resolve(start.revision, { signal });
  const document = await content
    .open(mirror, commit, start.path, { signal, firstLine: start.line })
    .catch(() => null);
  if (document?.kind !== 'text') return null;
  const [line = ''] = document.lines(start.line, 1, LINE_BYTES_MAX).lines;
  const words = line.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  return words.reduce<string | null>((best, word) => (word.length > (best?.length ?? 2) ? word : best), null);
}

const LINE_BYTES_MAX = 4000;

function lastPart(name: string): string {
  return (
    name
      .split(/::|->|[.#]/)
      .filter((part) => part !== '')
      .at(-1) ?? name
  );
}
