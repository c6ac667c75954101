import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseQuery } from './parse-query.ts';
import { fieldNamed, nearField, queryFields } from './query-fields.ts';

const options = {
  mode: 'auto',
  case: 'auto',
  nowMs: Date.parse('2024-06-15'),
  repositorySets: { backend: ['acme/*'] },
} as const;

describe('every filter stands on the page for users, and its example works', () => {
  const page = readFileSync(new URL('../../../docs/query-language.md', import.meta.url), 'utf8');
  for (const { name, aliases, values, about, example } of queryFields) {
    it(name, () => {
      const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``;
      const also = aliases.map((alias) => code(`${alias}:`)).join(' ');
      expect(page).toContain(`| ${code(`${name}:`)} | ${also} | ${values} | ${about} | ${code(example)} |`);
      expect(parseQuery(example, options).notes.filter((note) => note.startsWith('took'))).toEqual([]);
    });
  }
});

it('examples of the page are read without a fault', () => {
  const page = readFileSync(new URL('../../../docs/query-language.md', import.meta.url), 'utf8');
  const examples = page.split('```')[1]!.trim().split('\n');
  expect(examples.length).toBeGreaterThan(4);
  for (const example of examples) expect(parseQuery(example, options).notes).toEqual([]);
});

it('names of filters in any case, those of one letter in small letters alone', () => {
  expect(fieldNamed('Repo')?.name).toBe('repo');
  expect(fieldNamed('r')?.name).toBe('repo');
  expect(fieldNamed('R')).toBeUndefined();
  expect(fieldNamed('constructor')).toBeUndefined();
});

it('a slip leads to the filter that was meant', () => {
  for (const [written, expected] of [
    ['filee', 'file'],
    ['flie', 'file'],
    ['rpeo', 'repo'],
    ['langauge', 'language'],
    ['std', null],
    ['http', null],
    ['cache', null],
  ] as const)
    expect(`${written} ${nearField(written)}`).toBe(`${written} ${expected}`);
});
