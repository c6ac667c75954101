import { describe, expect, it } from 'vitest';
import { contains } from './code-point-set.ts';
import { foldCase, unicodeProperty } from './unicode-tables.ts';

describe('properties hold what V8 says', () => {
  for (const name of ['L', 'Lu', 'Cn', 'Nd', 'Greek', 'Han', 'Emoji_Presentation']) {
    it(name, () => {
      const set = unicodeProperty(name);
      // Only general categories and scripts have names in RE2.
      if (name === 'Emoji_Presentation') return expect(set).toBeUndefined();
      const form = name.length > 2 ? `Script=${name}` : `gc=${name}`;
      const member = new RegExp(`\\p{${form}}`, 'u');
      for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 37) {
        if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
        const expected = member.test(String.fromCodePoint(codePoint));
        if (contains(set!, codePoint) !== expected) expect({ codePoint }).toEqual({ expected });
      }
    });
  }
});

describe('names are compared loosely', () => {
  for (const [name, same] of [
    ['greek', 'Greek'],
    ['OLD ITALIC', 'Old_Italic'],
    ['lu', 'Lu'],
    ['Uppercase_Letter', 'Lu'],
  ] as const) {
    it(`${name} is ${same}`, () => expect(unicodeProperty(name)).toEqual(unicodeProperty(same)));
  }
  it('ASCII and Any are known', () => {
    expect(unicodeProperty('ASCII')).toEqual([0, 0x7f]);
    expect(unicodeProperty('any')).toEqual([0, 0x10ffff]);
  });
  it('others are not', () => expect(unicodeProperty('constructor')).toBeUndefined());
});

describe('case folds by simple mappings only', () => {
  check('k', 'Kk\u212a');
  check('s', 'Ssſ');
  check('σ', 'Σςσ');
  check('ß', 'ßẞ');
  check('ǅ', 'Ǆǅǆ');
  check('i', 'Ii');
  check('İ', 'İ');
  check('ı', 'ı');
  check('1', '1');

  function check(character: string, expected: string) {
    it(character, () => {
      const codePoint = character.codePointAt(0)!;
      const folded = foldCase([codePoint, codePoint]);
      const members: string[] = [];
      for (let i = 0; i < folded.length; i += 2) {
        for (let member = folded[i]!; member <= folded[i + 1]!; member++)
          members.push(String.fromCodePoint(member));
      }
      expect(members.sort()).toEqual([...expected].sort());
    });
  }
});
