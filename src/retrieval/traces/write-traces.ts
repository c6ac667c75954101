import type { Kysely } from 'kysely';
import type { Schema } from '../../storage/index.ts';
import type { TraceAsker, TracedUse, TraceParameter } from './types.ts';

/** A search, cleaned: what stands in the storage. */
export interface KeptSearch {
  atMs: number;
  asker: TraceAsker;
  question: string;
  parameters: Readonly<Record<string, TraceParameter>>;
  narrowedTo: readonly number[] | null;
  ranking: string;
  /** Names, in the order of each citation's values. */
  features: readonly string[];
  citations: readonly {
    repositoryId: number;
    commit: string;
    path: string;
    lines: { start: number; end: number };
    score: number;
    values: readonly number[];
  }[];
}

/** Nine values each: far below what one statement of either database takes. */
const ROWS_AT_ONCE = 500;
/** A place may be cited by several searches of a conversation; the newest is meant. */
const LOOKED_AT_MAX = 100;

export async function writeSearches(db: Kysely<Schema>, searches: readonly KeptSearch[]): Promise<void> {
  const rows = [];
  for (const { atMs, asker, question, parameters, narrowedTo, ranking, features, citations } of searches) {
    const { id } = await db
      .insertInto('trace')
      .values({
        at_ms: atMs,
        account: asker.account,
        conversation: asker.conversation,
        question,
        parameters_json: JSON.stringify(parameters),
        narrowed_json: narrowedTo && JSON.stringify(narrowedTo),
        ranking,
        features_json: JSON.stringify(features),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    rows.push(
      ...citations.map(({ repositoryId, commit, path, lines, score, values }, position) => ({
        trace_id: id,
        position,
        repository_id: repositoryId,
        commit_id: commit,
        path,
        start_line: lines.start,
        end_line: lines.end,
        score,
        values_json: JSON.stringify(values),
      })),
    );
  }
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await db
      .insertInto('trace_citation')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .execute();
}

/** Gives how many were attached to a search of their conversation. */
export async function writeUses(
  db: Kysely<Schema>,
  uses: readonly (TracedUse & { atMs: number })[],
): Promise<number> {
  let attached = 0;
  for (const use of uses) {
    const cited = await db
      .selectFrom('trace')
      .innerJoin('trace_citation', 'trace_citation.trace_id', 'trace.id')
      .select(['trace.id', 'position', 'start_line', 'end_line'])
      .where('conversation', '=', use.asker.conversation)
      .where('account', '=', use.asker.account)
      .where('at_ms', '<=', use.atMs)
      .where('repository_id', '=', use.repositoryId)
      .where('path', '=', use.path)
      .orderBy('trace.id', 'desc')
      .orderBy('position')
      .limit(LOOKED_AT_MAX)
      .execute();
    const newest = cited.filter(({ id }) => id === cited[0]!.id);
    const positions = usedPositions(
      newest.map(({ position, start_line, end_line }) => ({ position, start: start_line, end: end_line })),
      use.lines,
    );
    if (positions.length === 0) continue;
    attached++;
    await db
      .insertInto('trace_use')
      .values(
        positions.map((position) => ({
          trace_id: newest[0]!.id,
          position,
          tool: use.tool,
          at_ms: use.atMs,
        })),
      )
      .onConflict((conflict) => conflict.columns(['trace_id', 'position', 'tool']).doNothing())
      .execute();
  }
  return attached;
}

/**
 * Which citations of one file a use of it took up: all of them for the whole file, else those that its lines touch. Lines that touch
 * none (files are read from the top) take up the nearest.
 */
export function usedPositions(
  citations: readonly { position: number; start: number; end: number }[],
  lines: { start: number; end: number } | null,
): number[] {
  if (lines === null) return citations.map(({ position }) => position);
  const distances = citations.map(({ start, end }) => Math.max(0, start - lines.end, lines.start - end));
  const nearest = Math.min(...distances);
  if (nearest === 0) return citations.flatMap(({ position }, at) => (distances[at] === 0 ? [position] : []));
  const at = distances.indexOf(nearest);
  return at === -1 ? [] : [citations[at]!.position];
}
