import { describe, expect, it } from 'vitest';
import type { FoundBecause, StageRun } from '../../retrieval/index.ts';
import { isFar } from './far-answer.ts';

function check(title: string, words: Partial<StageRun>, because: FoundBecause[], expected: boolean): void {
  it(title, () => {
    const run = { stage: 'keywords', state: 'ran', ms: 0, count: 0, why: null, ...words } as const;
    expect(isFar({ stages: [run], hits: [{ because }] })).toBe(expected);
  });
}

describe('an answer is far from its question', () => {
  check(
    'without any of its words, by what only resembles it',
    {},
    [{ by: 'table', rank: 1, cosine: 0.48 }],
    true,
  );
  check('not with a word of it', { count: 3 }, [{ by: 'table', rank: 1, cosine: 0.3 }], false);
  check('not where a vector is close', {}, [{ by: 'table', rank: 1, cosine: 0.7 }], false);
  check(
    'not where nobody looked for words',
    { state: 'off' },
    [{ by: 'table', rank: 1, cosine: 0.3 }],
    false,
  );
});
