import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import { compileRegex } from './regex.ts';
import { compareTextsWithGo, compareWithGo, emptyComparison } from './testing/go-comparison.ts';
import { readRecordedAnswers } from './testing/recorded-answers.ts';

it('agrees with the recorded answers of Go', () => {
  const comparison = emptyComparison();
  for (const [index, recorded] of readRecordedAnswers().entries()) {
    compareWithGo(recorded, comparison, { scans: index % 5 === 0 });
  }
  expect(comparison.disagreements).toEqual([]);
  expect(comparison.pairs).toBeGreaterThan(2000);
  expect(comparison.matchingLines).toBeGreaterThan(500);
  expect(comparison.bytesUncached).toBeGreaterThan(10_000);
});

it('agrees with the recorded answers of Go over several lines', () => {
  const comparison = emptyComparison();
  for (const recorded of readRecordedAnswers('texts')) compareTextsWithGo(recorded, comparison);
  expect(comparison.disagreements).toEqual([]);
  expect(comparison.pairs).toBeGreaterThan(1000);
  expect(comparison.matchingLines).toBeGreaterThan(300);
});

describe('agrees with V8 on patterns that both read alike', () => {
  for (const seed of [1, 2, 3, 4]) {
    it(`seed ${seed}`, () => {
      const random = new SeededRandom(seed);
      for (let round = 0; round < 400; round++) {
        const pattern = commonPattern(random, 3);
        const regex = compileRegex(pattern);
        for (let times = 0; times < 4; times++) {
          const line = Array.from({ length: random.below(12) }, () => random.pick(LETTERS)).join('');
          const ours = regex.ranges(Buffer.from(line)).map(({ start, end }) => `${start}-${end}`);
          expect({ pattern, line, ranges: ours }).toEqual({
            pattern,
            line,
            ranges: rangesOfV8(pattern, line),
          });
        }
      }
    });
  }
});

const LETTERS = ['a', 'b', 'c', 'é', '日', '😀', ' '];

/** No repetition of what can be empty, which V8 reads in its own way, and no \B, which it finds within surrogate pairs. */
function commonPattern(random: SeededRandom, depth: number): string {
  const pieces = Array.from({ length: 1 + random.below(3) }, () => {
    const atom = commonAtom(random, depth);
    return random.below(3) === 0
      ? atom + random.pick(['*', '+', '?', '*?', '+?', '??', '{1,2}', '{2}'])
      : atom;
  });
  const ends = random.below(6) === 0 ? random.pick(['^', '$', '\\b']) : '';
  const written = pieces.join('');
  return ends === '^' ? ends + written : written + ends;
}

function commonAtom(random: SeededRandom, depth: number): string {
  const kind = random.below(10);
  if (kind < 5 || depth === 0) return random.pick(LETTERS);
  if (kind === 5) return '.';
  if (kind === 6)
    return random.pick(['[ab]', '[^a]', '[a-cé]', '\\w', '\\W', '\\d|b']).replace('\\d|b', '[\\db]');
  // What is repeated must take a character, so each alternative begins with one.
  const alternatives = Array.from({ length: 1 + random.below(3) }, () => {
    return random.pick(LETTERS) + (random.below(2) === 0 ? commonPattern(random, depth - 1) : '');
  });
  return `(?:${alternatives.join('|')})`;
}

/** In bytes. Unlike Go, V8 tells an empty match right behind another match. */
function rangesOfV8(pattern: string, line: string): string[] {
  const ranges: string[] = [];
  let previousEnd = -1;
  for (const match of line.matchAll(new RegExp(pattern, 'gu'))) {
    const start = Buffer.byteLength(line.slice(0, match.index));
    const end = start + Buffer.byteLength(match[0]);
    if (end > start || start !== previousEnd) ranges.push(`${start}-${end}`);
    previousEnd = end;
  }
  return ranges;
}
