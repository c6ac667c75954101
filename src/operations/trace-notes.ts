import type { Caller } from '../access/index.ts';
import type { TracedUse, TraceRecorder } from '../retrieval/index.ts';
import type { OperationResult, Target } from './types.ts';

/** Reading on from a place means that the search which cited it was of use. */
const takingUp: ReadonlySet<string> = new Set(['read_file', 'fetch_file', 'graph']);
/** A name may be defined in hundreds of places; who follows one of that many has not followed a citation. */
const TAKEN_UP_MAX = 10;

/** Hands on what of an answered call is kept to learn from: a search by meaning, or that a place was taken up. */
export function noteTraces(
  traces: TraceRecorder,
  {
    tool,
    caller,
    target,
    result,
  }: { tool: string; caller: Caller; target: Target | null; result: OperationResult },
): void {
  const asker = { account: caller.account, conversation: caller.conversation.id };
  if (result.traced) traces.record({ ...result.traced, asker, shownTexts: [shownText(result)] });
  if (!takingUp.has(tool)) return;
  const tookUp = target ? [placeOf(target, result)] : (result.tookUp ?? []).slice(0, TAKEN_UP_MAX);
  for (const place of tookUp) traces.used({ ...place, asker, tool });
}

function placeOf({ repository, path }: Target, { rows }: OperationResult): Omit<TracedUse, 'asker' | 'tool'> {
  const numbers = rows.flatMap(({ value }) => lineNumber(value) ?? []);
  const [first] = numbers;
  const lines = first === undefined ? null : { start: first, end: numbers.at(-1)! };
  return { repositoryId: repository.id, path, lines };
}

/** Rows of read_file are lines with their number; those of fetch_file are bare, for a whole file. */
function lineNumber(value: unknown): number | null {
  return typeof value === 'object' && value !== null && 'line' in value && typeof value.line === 'number'
    ? value.line
    : null;
}

/** The lines of every row that has some. */
function shownText({ rows }: OperationResult): string {
  return rows
    .flatMap(({ value }) =>
      typeof value === 'object' && value !== null && 'lines' in value && Array.isArray(value.lines)
        ? value.lines.map((line: { text?: unknown }) => String(line?.text ?? ''))
        : [],
    )
    .join('\n');
}
