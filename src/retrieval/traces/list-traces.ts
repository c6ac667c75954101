import type { Kysely, Selectable } from 'kysely';
import type { Schema } from '../../storage/index.ts';
import type { PlacesShown, StoredCitation, StoredTrace, TraceParameter, TraceQuery } from './types.ts';

const PAGE = 200;

/** Reads on towards older ones until there are as many as wanted that the reader may see. */
export async function listTraces(
  db: Kysely<Schema>,
  query: TraceQuery,
  { sees, mayShow }: { sees: ReadonlySet<number> | null; mayShow: PlacesShown | null },
): Promise<StoredTrace[]> {
  const found: StoredTrace[] = [];
  let beforeId = query.beforeId ?? Number.MAX_SAFE_INTEGER;
  while (found.length < query.limit) {
    const page = await pageBefore(db, query, beforeId);
    const seen = page.filter((trace) => sees === null || maySee(trace, sees));
    found.push(...(mayShow === null ? seen : await withShownPlaces(seen, mayShow, query)));
    beforeId = page.at(-1)?.id ?? 0;
    if (page.length < PAGE) break;
  }
  return found.slice(0, query.limit);
}

/**
 * Whole or not at all: a question belongs to the places that answered it, and tells of them. One that cites nothing may be about
 * anything, also about what the reader does not see.
 */
function maySee({ citations, narrowedTo }: StoredTrace, sees: ReadonlySet<number>): boolean {
  const cited = citations.map(({ repositoryId }) => repositoryId);
  return cited.length > 0 && [...cited, ...(narrowedTo ?? [])].every((id) => sees.has(id));
}

async function withShownPlaces(
  traces: readonly StoredTrace[],
  mayShow: PlacesShown,
  { used }: TraceQuery,
): Promise<StoredTrace[]> {
  const shown = (await mayShow(traces.flatMap(({ citations }) => citations))).values();
  return traces.flatMap((trace) => {
    const citations = trace.citations.filter(() => shown.next().value === true);
    if (citations.length === 0 && trace.citations.length > 0) return [];
    if (used && citations.every(({ usedBy }) => usedBy.length === 0)) return [];
    return [{ ...trace, citations }];
  });
}

async function pageBefore(
  db: Kysely<Schema>,
  { sinceMs, account, used }: TraceQuery,
  beforeId: number,
): Promise<StoredTrace[]> {
  let wanted = db
    .selectFrom('trace')
    .selectAll()
    .where('id', '<', beforeId)
    .orderBy('id', 'desc')
    .limit(PAGE);
  if (sinceMs !== undefined) wanted = wanted.where('at_ms', '>=', sinceMs);
  if (account !== undefined) wanted = wanted.where('account', '=', account);
  if (used)
    wanted = wanted.where('id', 'in', (from) => from.selectFrom('trace_use').select('trace_use.trace_id'));
  const traces = await wanted.execute();
  if (traces.length === 0) return [];
  const ids = traces.map(({ id }) => id);
  const citations = await db
    .selectFrom('trace_citation')
    .selectAll()
    .where('trace_id', 'in', ids)
    .orderBy('trace_id')
    .orderBy('position')
    .execute();
  const uses = await db
    .selectFrom('trace_use')
    .select(['trace_id', 'position', 'tool'])
    .where('trace_id', 'in', ids)
    .orderBy('at_ms')
    .orderBy('tool')
    .execute();
  const toolsAt = grouped(uses, placeKey);
  const citedBy = grouped(citations, ({ trace_id }) => String(trace_id));
  return traces.map((row) => traceOf(row, citedBy.get(String(row.id)) ?? [], toolsAt));
}

interface UseRow {
  trace_id: number;
  position: number;
  tool: string;
}

function traceOf(
  row: Selectable<Schema['trace']>,
  cited: readonly Selectable<Schema['trace_citation']>[],
  toolsAt: ReadonlyMap<string, readonly UseRow[]>,
): StoredTrace {
  const features = JSON.parse(row.features_json) as string[];
  return {
    id: row.id,
    atMs: row.at_ms,
    account: row.account,
    conversation: row.conversation,
    question: row.question,
    parameters: JSON.parse(row.parameters_json) as Record<string, TraceParameter>,
    narrowedTo: row.narrowed_json === null ? null : (JSON.parse(row.narrowed_json) as number[]),
    ranking: row.ranking,
    citations: cited.map((citation): StoredCitation => {
      const values = JSON.parse(citation.values_json) as number[];
      return {
        repositoryId: citation.repository_id,
        commit: citation.commit_id,
        path: citation.path,
        lines: { start: citation.start_line, end: citation.end_line },
        score: citation.score,
        features: Object.fromEntries(features.map((name, at) => [name, values[at] ?? 0])),
        usedBy: (toolsAt.get(placeKey(citation)) ?? []).map(({ tool }) => tool),
      };
    }),
  };
}

function placeKey({ trace_id, position }: { trace_id: number; position: number }): string {
  return `${trace_id}:${position}`;
}

function grouped<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}
