import type { OperationResult, Piece, Position, Row, ToolAnswer } from './types.ts';

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
  const last = kept.at(-1)?.row;
  const cursor = cut && last ? presentation.seal(last.position) : null;

  const lines = [head(kept.length)];
  for (const note of notes) lines.push(`Note: ${note}`);
  if (cut)
    lines.push(`CUT: ${kept.length}${totalOf(result)} shown; the end of this answer says how to go on.`);
  if (kept.length === 0 && !cut && result.empty !== '') lines.push(result.empty);
  lines.push(...textLines(kept));
  if (cut)
    lines.push(
      `CUT here.${cursor ? ` Call ${presentation.tool} again with {"cursor": "${cursor}"} for the rest.` : ''}`,
    );
  else if (result.goOn && kept.length > 0) lines.push(result.goOn);

  return {
    tool: presentation.tool,
    text: lines.join('\n'),
    result: { ...result.facts, [result.rowsName]: kept.map(({ row }) => row.value) },
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

/** A row that goes out, and those of its pieces that do. */
interface KeptRow {
  row: Row;
  text: string;
  pieces: Piece[];
}

function rowsWithin(rows: readonly Row[], tokens: number): KeptRow[] {
  const kept: KeptRow[] = [];
  const headings = new Set<string>();
  let used = 0;
  for (const row of rows) {
    const pieces = row.pieces?.slice(0, 1) ?? [];
    const heading = row.heading === undefined || headings.has(row.heading) ? '' : row.heading;
    const cost = [heading, row.text, ...pieces.map(({ text }) => text)].reduce(
      (sum, text) => sum + (text === '' ? 0 : estimateTokens(text) + 1),
      0,
    );
    if (used + cost > tokens) {
      // One row always goes out, however small the budget: an answer without content helps nobody.
      if (kept.length === 0) kept.push(cutRow(row, pieces, Math.max(tokens, LEAST_TOKENS)));
      return kept;
    }
    used += cost;
    if (row.heading !== undefined) headings.add(row.heading);
    kept.push({ row, text: row.text, pieces });
  }
  addPieces(kept, tokens - used);
  return kept;
}

/** The second piece of every row before the third of any. */
function addPieces(kept: readonly KeptRow[], tokens: number): void {
  let left = tokens;
  const most = Math.max(0, ...kept.map(({ row }) => row.pieces?.length ?? 0));
  for (let at = 1; at < most; at++) {
    for (const { row, pieces } of kept) {
      const piece = row.pieces?.[at];
      if (!piece) continue;
      const cost = estimateTokens(piece.text) + GAP_TOKENS;
      if (cost > left) continue;
      left -= cost;
      pieces.push(piece);
    }
  }
}

const LEAST_TOKENS = 50;
const GAP = '…';
const GAP_TOKENS = 2;

function cutRow(row: Row, pieces: readonly Piece[], tokens: number): KeptRow {
  const whole = [row.text, ...pieces.map(({ text }) => text)].join('\n');
  const text = Buffer.from(whole)
    .toString('utf8', 0, tokens * BYTES_PER_TOKEN)
    .replace(/\uFFFD$/, '');
  return { row, text: `${text} … (cut: ask with a larger max_tokens)`, pieces: [] };
}

/** Rows of one heading together, in the order of their first ones. */
function textLines(kept: readonly KeptRow[]): string[] {
  const sections = new Map<string | number, KeptRow[]>();
  for (const [index, one] of kept.entries()) {
    const key = one.row.heading ?? index;
    const section = sections.get(key);
    if (section) section.push(one);
    else sections.set(key, [one]);
  }
  return [...sections].flatMap(([key, section]) => [
    ...(typeof key === 'string' ? [key] : []),
    ...section.flatMap(({ text, pieces }) => [text, ...piecesInOrder(pieces)]),
  ]);
}

function piecesInOrder(pieces: readonly Piece[]): string[] {
  const ordered = [...pieces].sort((left, right) => left.from - right.from);
  return ordered.flatMap(({ text, from }, index) => {
    const before = ordered[index - 1];
    return !before || from <= before.to + 1 ? [text] : [GAP, text];
  });
}
