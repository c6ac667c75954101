import type { OperationResult, Position, Row, ToolAnswer } from './types.ts';

/** Roughly what a model's tokeniser makes of code and prose. */
const BYTES_PER_TOKEN = 4;

export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

export interface Presentation {
  tool: string;
  notes: readonly string[];
  tokens: number;
  /** Makes the cursor that continues after a row. */
  seal(after: Position): string;
}

/** Head, notes and as many rows as the budget takes, best first; says at the top and at the bottom when it was cut. */
export function present(result: OperationResult, presentation: Presentation): ToolAnswer {
  const notes = [...presentation.notes, ...result.notes];
  const head = (shown: number) => (typeof result.head === 'string' ? result.head : result.head(shown));
  const fixed = estimateTokens(head(result.rows.length) + notes.join(''));
  const kept = rowsWithin(result.rows, presentation.tokens - fixed - CUT_NOTE_TOKENS);
  const cut = result.more || kept.length < result.rows.length;
  const last = kept.at(-1);
  const cursor = cut && last ? presentation.seal(last.position) : null;

  const lines = [head(kept.length)];
  for (const note of notes) lines.push(`Note: ${note}`);
  if (cut)
    lines.push(`CUT: ${kept.length}${totalOf(result)} shown; the end of this answer says how to go on.`);
  if (kept.length === 0 && !cut && result.empty !== '') lines.push(result.empty);
  for (const row of kept) lines.push(row.text);
  if (cut)
    lines.push(
      `CUT here.${cursor ? ` Call ${presentation.tool} again with {"cursor": "${cursor}"} for the rest.` : ''}`,
    );
  else if (result.goOn && kept.length > 0) lines.push(result.goOn);

  return {
    tool: presentation.tool,
    text: lines.join('\n'),
    result: { ...result.facts, [result.rowsName]: kept.map(({ value }) => value) },
    notes,
    cut,
    cursor,
    found: kept.length > 0,
  };
}

function totalOf(result: OperationResult): string {
  const total = result.total ?? (result.more ? null : result.rows.length);
  return total === null ? '' : ` of ${total}`;
}

const CUT_NOTE_TOKENS = 120;

function rowsWithin(rows: readonly Row[], tokens: number): readonly Row[] {
  let used = 0;
  for (let count = 0; count < rows.length; count++) {
    const row = rows[count]!;
    used += estimateTokens(row.text) + 1;
    if (used <= tokens) continue;
    // One row always goes out, however small the budget: an answer without content helps nobody.
    return count === 0 ? [cutRow(row, Math.max(tokens, LEAST_TOKENS))] : rows.slice(0, count);
  }
  return rows;
}

const LEAST_TOKENS = 50;

function cutRow(row: Row, tokens: number): Row {
  const text = Buffer.from(row.text)
    .toString('utf8', 0, tokens * BYTES_PER_TOKEN)
    .replace(/\uFFFD$/, '');
  return { ...row, text: `${text} … (cut: ask with a larger max_tokens)` };
}
