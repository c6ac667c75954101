import { describe, expect, it } from 'vitest';
import { bytesOfPath, shownPath } from './byte-path.ts';
import { SeededRandom } from './testing/seeded-random.ts';

describe('a path of any bytes is shown as text and read back as the same bytes', () => {
  const cases: [string, Buffer, string][] = [
    ['plain', Buffer.from('src/a.ts'), 'src/a.ts'],
    ['non-ASCII', Buffer.from('süß/日本.md'), 'süß/日本.md'],
    ['newline and tab', Buffer.from('a\nb\tc'), 'a\\x0ab\\x09c'],
    ['invalid UTF-8', Buffer.from([0x61, 0xff, 0xc3, 0x62]), 'a\\xff\\xc3b'],
    ['a name that looks like an escape', Buffer.from('a\\x41'), 'a\\x5cx41'],
    ['a control of two bytes', Buffer.from('a\u009bb'), 'a\\xc2\\x9bb'],
    ['what turns a text around', Buffer.from('a\u202eb.ts\u2069'), 'a\\xe2\\x80\\xaeb.ts\\xe2\\x81\\xa9'],
    ['what ends a line', Buffer.from('a\u2028b'), 'a\\xe2\\x80\\xa8b'],
    ['letters that are written from the right', Buffer.from('שלום/عربي.ts'), 'שלום/عربي.ts'],
    ['a plain backslash', Buffer.from('a\\b'), 'a\\b'],
    [
      'a look-alike escape beside an invalid byte',
      Buffer.from([0x5c, 0x78, 0x34, 0x31, 0xff]),
      '\\x5cx41\\xff',
    ],
  ];
  for (const [name, bytes, shown] of cases) {
    it(name, () => {
      expect(shownPath(bytes)).toBe(shown);
      expect(bytesOfPath(shown)).toEqual(bytes);
    });
  }

  it('holds for 20 000 seeded random byte strings', () => {
    const random = new SeededRandom(7);
    const alphabet = [0x5c, 0x78, 0x34, 0x31, 0x61, 0x0a, 0xff, 0xc3, 0xa4, 0xe2, 0x82, 0xac];
    for (let round = 0; round < 20_000; round++) {
      const bytes = Buffer.from(Array.from({ length: random.below(12) }, () => random.pick(alphabet)));
      expect(bytesOfPath(shownPath(bytes))).toEqual(bytes);
    }
  });
});
