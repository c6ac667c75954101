import { describe, expect, it } from 'vitest';
import { languageDefinitions } from '../languages/language-list.ts';
import { draftFacts } from './facts-draft.ts';

describe('what a scanner finds becomes facts', () => {
  it('gives each symbol the innermost range around it as its parent, and none that is its own range', () => {
    const draft = draftFacts('a { b { c } } d');
    const kind = 'key' as const;
    draft.symbol({ name: 'c', kind, nameStart: 8, nameEnd: 9, start: 8, end: 9 });
    draft.symbol({ name: 'a', kind, nameStart: 0, nameEnd: 1, start: 0, end: 13 });
    draft.symbol({ name: 'b', kind, nameStart: 4, nameEnd: 5, start: 4, end: 11 });
    draft.symbol({ name: 'b2', kind, nameStart: 4, nameEnd: 5, start: 4, end: 11 });
    draft.symbol({ name: 'd', kind, nameStart: 14, nameEnd: 15, start: 14, end: 15 });
    draft.references.push({ name: 'x', kind: 'use', start: 8 }, { name: 'y', kind: 'use', start: 12 });
    const { symbols, references } = draft.finish();
    expect(symbols.map(({ name, parent }) => [name, parent])).toEqual([
      ['a', -1],
      ['b', 0],
      ['b2', 0],
      ['c', 2],
      ['d', -1],
    ]);
    expect(references.map(({ name, from }) => [name, from])).toEqual([
      ['x', 3],
      ['y', 0],
    ]);
  });

  it('keeps signatures within 200 bytes, whatever the characters', () => {
    const text = `${'ü'.repeat(150)}😀${'ß'.repeat(100)}`;
    const draft = draftFacts(text);
    draft.symbol({ name: 'x', kind: 'key', nameStart: 0, nameEnd: 1, start: 0, end: text.length });
    const { signatureStart, signatureEnd } = draft.finish().symbols[0]!;
    expect(Buffer.byteLength(text.slice(signatureStart, signatureEnd))).toBe(200);
  });

  it('leaves the depth of symbols within what can be walked up', () => {
    const depth = 5000;
    const draft = draftFacts(' '.repeat(depth * 2 + 1));
    for (let i = 0; i < depth; i++) {
      draft.symbol({ name: 'x', kind: 'key', nameStart: i, nameEnd: i + 1, start: i, end: depth * 2 - i });
    }
    const { symbols } = draft.finish();
    let levels = 0;
    for (let at = symbols.length - 1; at >= 0; at = symbols[at]!.parent) levels++;
    expect(levels).toBeLessThan(200);
  });
});

describe('data stays small', () => {
  const rows: [string, string][] = [
    ['json', `{${Array.from({ length: 9000 }, (_, i) => `"key${i}": "${'x'.repeat(50)}"`).join(',\n')}}`],
    ['yaml', Array.from({ length: 9000 }, (_, i) => `key${i}: ${'x'.repeat(50)}`).join('\n')],
    ['toml', Array.from({ length: 9000 }, (_, i) => `key${i} = "${'x'.repeat(50)}"`).join('\n')],
    ['markdown', Array.from({ length: 9000 }, (_, i) => `# heading ${i}\n${'x'.repeat(50)}`).join('\n')],
    [
      'xml',
      `<a>${Array.from({ length: 9000 }, (_, i) => `<b id="b${i}">${'x'.repeat(50)}</b>`).join('\n')}</a>`,
    ],
    ['html', Array.from({ length: 9000 }, (_, i) => `<b id="b${i}">${'x'.repeat(50)}</b>`).join('\n')],
    ['css', Array.from({ length: 9000 }, (_, i) => `.b${i} { color: red; margin: 0 }`).join('\n')],
  ];
  for (const [folder, text] of rows) {
    it(`${folder}: at most 2000 symbols of a file`, () => {
      const definition = languageDefinitions.get(folder)!.definition;
      if (!('scan' in definition)) throw new Error('a scanner was expected');
      expect(definition.scan(text).symbols.length).toBeLessThanOrEqual(2000);
      expect(definition.scan(text).symbols.length).toBeGreaterThan(1000);
    });
  }
});
