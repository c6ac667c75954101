import { describe, expect, it } from 'vitest';
import { estimateTokens, present } from './present.ts';
import type { OperationResult } from './types.ts';

function result(rows: number, more = false): OperationResult {
  return {
    head: 'head',
    facts: { fact: 1 },
    rowsName: 'lines',
    rows: Array.from({ length: rows }, (_, index) => ({
      text: `row ${index} ${'x'.repeat(90)}`,
      value: index,
      position: { line: index + 1 },
    })),
    more,
    notes: ['of the operation'],
    empty: 'nothing there',
  };
}

const presentation = {
  tool: 'read_file',
  notes: ['of the handler'],
  tokens: 1000,
  seal: (after: object) => `C${JSON.stringify(after)}`,
};

describe('an answer keeps to its budget and says when it was cut', () => {
  it('a small one goes out whole, notes below the head', () => {
    const answer = present(result(2), presentation);
    expect(answer.text.split('\n').slice(0, 3)).toEqual([
      'head',
      'Note: of the handler',
      'Note: of the operation',
    ]);
    expect(answer).toMatchObject({
      cut: false,
      cursor: null,
      found: true,
      result: { fact: 1, lines: [0, 1] },
    });
  });

  it('a large one is within the budget, cut at top and bottom, with a cursor after the last row shown', () => {
    const answer = present(result(500), presentation);
    expect(estimateTokens(answer.text)).toBeLessThanOrEqual(1000);
    const shown = (answer.result['lines'] as number[]).length;
    expect(shown).toBeGreaterThan(20);
    expect(answer.cursor).toBe(`C{"line":${shown}}`);
    expect(answer.text.split('\n')[3]).toMatch(/^CUT: \d+ of 500 shown/);
    expect(answer.text.split('\n').at(-1)).toMatch(/^CUT here\. Call read_file again with \{"cursor"/);
  });

  it('the first row goes out even when it alone is too long, shortened to the budget', () => {
    const long = result(1);
    const answer = present(
      { ...long, rows: [{ ...long.rows[0]!, text: 'y'.repeat(100_000) }] },
      presentation,
    );
    expect(answer.found).toBe(true);
    expect(estimateTokens(answer.text)).toBeLessThanOrEqual(1100);
  });

  it('rows of one heading stand together, the best first', () => {
    const row = (heading: string, text: string) => ({ text, heading, value: text, position: {} });
    const rows = [row('a:', 'a1'), row('b:', 'b1'), row('a:', 'a2')];
    expect(present({ ...result(0), rows }, presentation).text).toContain('a:\na1\na2\nb:\nb1');
  });

  it('each row shows its best piece before any shows its second, pieces in their order', () => {
    const row = (name: string, tokens: number) => ({
      text: name,
      value: name,
      position: {},
      pieces: [
        { text: `${name} best`, from: 9, to: 9 },
        { text: `${name} next${'.'.repeat(4 * tokens)}`, from: 1, to: 2 },
        { text: `${name} last`, from: 3, to: 4 },
      ],
    });
    const rows = [row('a', 0), row('b', 3000), row('c', 0)];
    const { text, cut } = present({ ...result(0), rows }, presentation);
    expect(cut).toBe(false);
    expect(text).toContain('a\na next\na last\n…\na best\nb\nb last\n…\nb best\nc\nc next');
  });

  it('more rows than those at hand count as cut', () =>
    expect(present(result(2, true), presentation).cut).toBe(true));
  it('none at all says so', () => {
    const answer = present(result(0), presentation);
    expect(answer.found).toBe(false);
    expect(answer.text).toContain('nothing there');
  });
});
