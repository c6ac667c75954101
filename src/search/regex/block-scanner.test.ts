import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import { compileRegex, type Regex, type RegexOptions } from './regex.ts';

/** Bytes of a block; texts of the tests lie around its borders. */
const BLOCK = 65_536;

describe('blocks, lanes and shortcuts do not show', () => {
  const patterns = {
    'four lanes': '[ab]{3}c|\\bd$',
    'an anchored pattern': '^ab',
    'many matching lines': 'a|b',
    'every line': '',
    'a literal': 'foo',
    'literals in any case': '(?i)fooba[rz]',
    'rare first bytes': '[^\\x00-\\x7F]',
    'a long window': '[a-c]{12}',
    'a word after a skip': '\\B[a-c]{7}\\b',
    'the ends of the text': '\\A.|.\\z',
  };
  const caches: Record<string, RegexOptions> = { 'normal cache': {}, 'tiny cache': { cacheBytes: 0 } };
  for (const [name, pattern] of Object.entries(patterns)) {
    for (const [cache, options] of Object.entries(caches)) {
      for (const [lineBreak, shown] of [
        ['\n', 'LF'],
        ['\r\n', 'CRLF'],
      ] as const) {
        it(`${name}, ${cache}, ${shown}`, () => {
          const regex = compileRegex(pattern, options);
          for (const seed of [1, 2]) expectOneByOne(regex, randomText(seed, lineBreak), lineBreak);
        });
      }
    }
  }
});

describe('lines around and beyond the size of a block', () => {
  for (const length of [BLOCK - 2, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK - 1, 2 * BLOCK, 3 * BLOCK + 7]) {
    for (const lineBreak of ['\n', '\r\n']) {
      it(`${length} bytes and ${JSON.stringify(lineBreak)}`, () => {
        const long = 'é'.repeat((length - 2) / 2).padEnd(length - 2, 'x');
        const text = Buffer.from(
          ['x', `${long}yz`.slice(-length), 'yz', 'z', `y${long}`, ''].join(lineBreak),
        );
        for (const pattern of ['yz$', '^y', 'x$', 'é$', '^[^z]*$', 'y.*x'])
          expectOneByOne(compileRegex(pattern), text, lineBreak);
      });
    }
  }

  it('a character torn by the border of a piece is one', () => {
    for (let padding = 0; padding < 4; padding++) {
      const text = Buffer.from(`${'a'.repeat(padding)}${'😀'.repeat(BLOCK / 2)}`);
      expect(compileRegex('^a*😀+$').scan(text, { rangesPerLine: 0 }).lines).toHaveLength(1);
      expect(compileRegex('\\x{FFFD}').scan(text).lines).toHaveLength(0);
    }
  });

  it('bad bytes at the border of a piece stay bad', () => {
    const text = Buffer.alloc(3 * BLOCK, 0xbf);
    expect(compileRegex('^\\x{FFFD}+$').scan(text, { rangesPerLine: 1 }).lines[0]!.ranges).toEqual([
      { start: 0, end: text.length },
    ]);
  });

  it('a carriage return at the border of a piece belongs to its line break', () => {
    const text = Buffer.from(`${'a'.repeat(BLOCK - 1)}\r\nb`);
    expect(compileRegex('a$').scan(text).lines[0]!.end).toBe(BLOCK - 1);
  });
});

describe('a line of 100 MB', () => {
  const text = Buffer.alloc(100_000_000, 'ab');
  text.write('needle', text.length - 6);

  it('is matched to its end', () => {
    const [line] = compileRegex('needle$').scan(text, { rangesPerLine: 1 }).lines;
    expect(line).toMatchObject({ number: 1, start: 0, end: text.length });
    expect(line!.ranges).toEqual([{ start: text.length - 6, end: text.length }]);
  });

  it('is left in the middle when time is up', () => {
    let asked = 0;
    const outcome = compileRegex('needle$').scan(text, { deadline: { expired: () => ++asked === 3 } });
    expect(outcome).toMatchObject({ lines: [], ended: 'deadline', bytesRead: 0 });
    expect(outcome.work).toBeLessThan(2_000_000);
  });

  it('is left in the middle of its ranges when time is up', () => {
    let asked = 0;
    const outcome = compileRegex('a').scan(text, { deadline: { expired: () => ++asked === 3 } });
    expect(outcome).toMatchObject({ lines: [], ended: 'deadline' });
  });
});

it('a scan that runs out of time tells what it has found', () => {
  const text = Buffer.from('needle\nhay\n'.repeat(300_000));
  const outcome = compileRegex('needle').scan(text, { rangesPerLine: 0, deadline: { expired: () => true } });
  expect(outcome.ended).toBe('deadline');
  expect(outcome.bytesRead).toBeLessThan(1_000_000);
  expect(outcome.lines.length).toBeGreaterThan(1000);
});

it('a regex goes on working after a scan was left', () => {
  const regex = compileRegex('[ab]*a[ab]{200}c');
  const text = Buffer.alloc(1_000_000, 'ab');
  expect(regex.scan(text, { deadline: { expired: () => true } }).ended).toBe('deadline');
  expect(regex.test(Buffer.from(`${'a'.repeat(201)}c`))).toBe(true);
  expect(
    regex.scan(Buffer.from(`${'b'.repeat(201)}c\n${'a'.repeat(201)}c\n`)).lines.map(({ number }) => number),
  ).toEqual([2]);
});

/** Lines of a few letters, some words among them, over several blocks. */
function randomText(seed: number, lineBreak: string): Buffer {
  const random = new SeededRandom(seed);
  const pieces = ['a', 'b', 'c', ' ', 'ab', 'x', 'foo', 'FOOBAZ', 'é', 'cabcabcabcab', 'd'];
  const parts: string[] = [];
  for (let size = 0; size < (seed === 1 ? 6000 : 1.5 * BLOCK); ) {
    let line = '';
    for (let left = random.below(random.below(8) === 0 ? 60 : 10); left > 0; left--) {
      line += random.below(30) === 0 ? random.pick(pieces) : random.pick(['x', 'y', 'z', 'a']);
    }
    parts.push(line);
    size += line.length + lineBreak.length;
  }
  return Buffer.from(parts.join(lineBreak));
}

/** The scan finds exactly the lines that match when they are tried one by one. */
function expectOneByOne(regex: Regex, text: Buffer, lineBreak: string): void {
  const expected: string[] = [];
  let number = 1;
  for (let start = 0; start < text.length; number++) {
    const at = text.indexOf(lineBreak, start);
    const end = at < 0 ? text.length : at;
    if (regex.test(text, start, end)) expected.push(`${number}:${start}-${end}`);
    start = end + lineBreak.length;
  }
  const found = regex.scan(text, { rangesPerLine: 0 }).lines;
  expect(found.map(({ number, start, end }) => `${number}:${start}-${end}`)).toEqual(expected);
}
