import { describe, expect, it } from 'vitest';
import { packAnswer, unpackAnswer } from './packed-answer.ts';
import type { FoundFile, FoundLine, SearchAnswer } from './types.ts';

describe('an answer comes out of its thread as it was', () => {
  it('with all lines of all blocks: none, cut ones, such with many ranges, of any characters', () => {
    const files = [
      file('a.ts', []),
      file('b.ts', [[], [line(1, '', [])]]),
      file('ü/😀.ts', [
        [line(7, 'const 😀 = "ä";', [{ start: 0, end: 5 }]), { ...line(8, 'next', []), matched: false }],
        [{ ...line(2_000_000_000, 'cut \ud83d', [range(0, 1), range(2, 3)]), cut: true }],
      ]),
      file('d.ts', [[line(1, 'last\t\u0000\n', [range(0, 0)])]]),
    ];
    const answer = { generation: 3, files, next: null } as unknown as SearchAnswer;
    const expected = structuredClone(answer);
    expect(unpackAnswer(structuredClone(packAnswer(answer)))).toEqual(expected);
  });
});

function file(path: string, blocks: FoundLine[][]): Partial<FoundFile> {
  return { path, blocks, lineCount: 5 };
}

function line(number: number, text: string, ranges: FoundLine['ranges']): FoundLine {
  return { number, text, ranges, matched: true, cut: false };
}

function range(start: number, end: number): { start: number; end: number } {
  return { start, end };
}
