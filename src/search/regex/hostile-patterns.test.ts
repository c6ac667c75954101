import { describe, expect, it, vi } from 'vitest';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import { compileRegex } from './regex.ts';
import { requiredLiterals } from './required-literals.ts';
import { WorkMeter } from './work-meter.ts';

/** Twice the text may cost this much more work. */
const LINEAR = 2.2;

describe('work grows with the text, whatever the pattern', () => {
  check('(a+)+$', (size) => `${'a'.repeat(size)}b`);
  check('(a|aa)+$', (size) => `${'a'.repeat(size)}b`);
  check('(a{1,20}){1,20}$', (size) => `${'a'.repeat(size)}b`);
  check('x*x*y', (size) => 'x'.repeat(size));
  check('(x*)*(x*)*y', (size) => 'x'.repeat(size));
  check('.*.*=.*', (size) => 'x'.repeat(size));
  check('(.{0,30}){30}c', randomLetters, 300);
  check('(a?){200}a{200}', (size) => 'a'.repeat(size), 2_000);
  // An exponential number of states: the cache does not pay, and threads are stepped without it.
  check('[ab]*a[ab]{200}c', randomLetters, 4_000);

  function check(pattern: string, textOf: (size: number) => string, size = 20_000) {
    it(pattern, () => {
      const work = [size, 2 * size].map((length) => {
        const regex = compileRegex(pattern, { cacheBytes: 1 << 16 });
        return regex.scan(Buffer.from(textOf(length)), { rangesPerLine: 1 }).work;
      });
      expect(work[1]! / work[0]!).toBeLessThan(LINEAR);
    });
  }
});

it('finding all ranges may cost the square of a line, and is cut short', () => {
  const line = Buffer.from('a'.repeat(100_000));
  const meter = new WorkMeter();
  const { ranges, complete } = compileRegex('a.*b|a').findRanges(
    line,
    0,
    line.length,
    Number.POSITIVE_INFINITY,
    meter,
  );
  expect(complete).toBe(false);
  expect(ranges.length).toBeGreaterThan(10);
  expect(meter.done).toBeLessThan(70 * line.length);
});

it('a cache that does not pay is given up', () => {
  const regex = compileRegex('[ab]*a[ab]{30}c', { cacheBytes: 1 << 16 });
  regex.scan(Buffer.from(randomLetters(100_000)));
  const { statesBuilt, bytesUncached } = regex.statistics;
  expect(bytesUncached).toBeGreaterThan(50_000);
  expect(statesBuilt).toBeLessThan(20_000);
});

it('a cache that pays is used', () => {
  const regex = compileRegex('[ab]{3}c');
  regex.scan(Buffer.from(randomLetters(100_000)));
  expect(regex.statistics).toMatchObject({ bytesUncached: 0 });
  expect(regex.statistics.statesBuilt).toBeLessThan(20);
});

describe('large patterns are compiled or refused', () => {
  const refused = { code: 'search/regex-too-large' };
  it('a literal of 1 MB', () => expectRefused('a'.repeat(1 << 20)));
  it('1 MB of parentheses', () => expectRefused('('.repeat(1 << 20)));
  it('more than 1 MB', () => expectRefused('a'.repeat((1 << 20) + 1)));
  it('many large classes', () => expectRefused('\\pL{1000}'));
  it('counts that multiply', () => expectRefused('(.{30}){33}'.repeat(20)));
  it('ten thousand words', () => {
    const words = Array.from(
      { length: 10_000 },
      (_, index) => `w${((index * 2654435761) >>> 0).toString(36)}`,
    );
    const regex = compileRegex(words.join('|'));
    expect(regex.test(Buffer.from(`see ${words[7777]}.`))).toBe(true);
    expect(regex.test(Buffer.from('see w.'))).toBe(false);
  });

  function expectRefused(pattern: string) {
    expect(() => compileRegex(pattern)).toThrow(expect.objectContaining(refused));
  }
});

it('what a long text demands is told without comparing all of it with all at each of its letters', () => {
  const random = new SeededRandom(1);
  const text = Array.from({ length: 2000 }, () => String.fromCharCode(97 + random.below(26))).join('');
  const regex = compileRegex(text, { literal: true, ignoreCase: true });
  const comparisons = vi.spyOn(String.prototype, 'includes');
  const query = requiredLiterals(regex, { foldAscii: true });
  const { length } = comparisons.mock.calls;
  comparisons.mockRestore();
  expect(query).toMatchObject({ kind: 'all' });
  expect(length).toBeLessThan(300 * text.length);
});

function randomLetters(size: number): string {
  const random = new SeededRandom(size);
  return Array.from({ length: size }, () => random.pick(['a', 'b'])).join('');
}
