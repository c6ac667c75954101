import { describe, expect, it } from 'vitest';
import { PeriscopeError } from '../base/errors.ts';
import { parseInput } from './input.ts';
import { operations } from './registry.ts';

const byName = new Map(operations.map((operation) => [operation.name, operation]));

function parsed(tool: string, raw: unknown): Record<string, unknown> | string {
  try {
    const { input, notes } = parseInput(byName.get(tool)!, raw);
    return notes.length > 0 ? { ...input, notes } : input;
  } catch (error) {
    return error instanceof PeriscopeError ? `${error.code} ${error.message}` : String(error);
  }
}

describe('parameters are read as people and models write them', () => {
  const check = (name: string, tool: string, raw: unknown, expected: Record<string, unknown>) =>
    it(name, () => expect(parsed(tool, raw)).toMatchObject(expected));
  check(
    'as declared',
    'read_file',
    { repo: 'a', path: 'b', offset: 3 },
    { repo: 'a', path: 'b', offset: 3, limit: 200 },
  );
  check(
    'numbers as strings',
    'read_file',
    { repo: 'a', path: 'b', offset: '3', limit: '7' },
    { offset: 3, limit: 7 },
  );
  check('a line as links write it', 'graph', { repo: 'a', path: 'b', line: 'L757' }, { line: 757 });
  check(
    'other names',
    'read_file',
    { repository: 'a', file_path: 'b', ref: 'v1' },
    { repo: 'a', path: 'b', revision: 'v1' },
  );
  check(
    'an end line for a count',
    'read_file',
    { repo: 'a', path: 'b', start_line: 10, end_line: 19 },
    { offset: 10, limit: 10 },
  );
  check('a misspelt key', 'read_file', { repo: 'a', pathh: 'b' }, { path: 'b' });
  check('null is absent', 'read_file', { repo: 'a', path: 'b', revision: null }, { repo: 'a', path: 'b' });
  check('the whole input as JSON text', 'read_file', '{"repo":"a","path":"b"}', { repo: 'a', path: 'b' });
  check(
    'one glob',
    'scan_directory',
    { repo: 'a', pattern: 'x', file: '*.{ts,tsx}' },
    { file: ['*.{ts,tsx}'] },
  );
  check(
    'globs with commas',
    'scan_directory',
    { repo: 'a', pattern: 'x', file: '*.ts, *.js' },
    { file: ['*.ts', '*.js'] },
  );
  check(
    'a list as JSON text',
    'scan_directory',
    { repo: 'a', pattern: 'x', file: '["*.ts"]' },
    { file: ['*.ts'] },
  );
  check(
    'booleans as strings',
    'scan_directory',
    { repo: 'a', pattern: 'x', literal: 'true' },
    { literal: true },
  );
  check('a number where text is meant', 'scan_directory', { repo: 'a', pattern: 404 }, { pattern: '404' });
  check(
    'what nobody knows is left out and said',
    'read_file',
    { repo: 'a', path: 'b', colour: 'red' },
    {
      notes: ['read_file has no parameter "colour"; left out.'],
    },
  );
  check(
    'numbers beyond their bounds are taken as the bound, and said',
    'read_file',
    { repo: 'a', path: 'b', offset: 0, limit: 1_000_000 },
    { offset: 1, limit: 2000, notes: ['offset 0 was taken as 1.', 'limit 1000000 was taken as 2000.'] },
  );
  check(
    'switches by their opposite name',
    'scan_directory',
    { repo: 'a', pattern: 'x', case_sensitive: false },
    {
      ignore_case: true,
    },
  );
  check('recursive is a depth', 'list_directory', { repo: 'a', recursive: true }, { depth: 20 });
  check(
    'other words for a value',
    'history',
    { repo: 'a', kind: 'log', max_count: 3 },
    { kind: 'commits', limit: 3 },
  );
  check(
    'a search as it is called elsewhere',
    'codesearch',
    { pattern: 'x', path: 'src', type: 'go', output_mode: 'files_with_matches', '-i': true, head_limit: 5 },
    { query: 'x', file: ['src'], lang: ['go'], output: 'files', case: 'no', max_files: 5 },
  );
  check(
    'repositories as a list or with commas',
    'codesearch',
    { q: 'x', repos: 'a, b/*' },
    { query: 'x', repo: ['a', 'b/*'] },
  );
  check('an expression named as such', 'codesearch', { regex: 'a.b' }, { query: 'a.b', mode: 'regex' });
  check('a switch for expressions', 'codesearch', { query: 'a.b', regex: true }, { mode: 'regex' });
  check('text as it is', 'codesearch', { query: 'a.b', fixed_strings: true }, { mode: 'literal' });
  check('letter case as a switch', 'codesearch', { query: 'x', case_sensitive: 'true' }, { case: 'yes' });
  check('letter case as a word', 'codesearch', { query: 'x', case: 'insensitive' }, { case: 'no' });
  check('one repository in a list', 'read_file', { repo: ['a'], path: 'b' }, { repo: 'a' });
  it('what cannot be read is told with every fault and a call that works', () => {
    const told = parsed('read_file', { repo: ['a', 'b'], path: 'b', offset: 'many' });
    expect(told).toContain('operations/invalid-input');
    expect(told).toContain('repo: takes one text');
    expect(told).toContain('offset');
  });
  it('no text, however long, and no number of keys makes a long answer', () => {
    const long = 'x'.repeat(1_000_000);
    const keys = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${long}${index}`, 1]));
    for (const raw of [{ repo: long }, { repo: 'a', path: long }, { repo: 'a', ...keys }, { [long]: long }]) {
      expect(JSON.stringify(parsed('read_file', raw)).length).toBeLessThan(2000);
    }
    expect(
      parsed('read_file', Object.fromEntries(Array.from({ length: 61 }, (_, index) => [index, 1]))),
    ).toContain('more than 60');
  });
  it('a NUL is refused wherever it stands', () => {
    expect(parsed('read_file', { repo: 'a', path: 'a\0b' })).toContain('path: holds a NUL');
    expect(parsed('scan_directory', { repo: 'a', pattern: 'x', file: ['a\0'] })).toContain(
      'file: holds a NUL',
    );
  });
  it('a list instead of an object is refused', () =>
    expect(parsed('read_file', [1])).toContain('operations/invalid-input'));
});

describe('an error gives the very same call, mended', () => {
  const check = (input: Record<string, unknown>, expected: string) =>
    it(JSON.stringify(input), () => {
      const call = () => parseInput(byName.get('graph')!, input);
      expect(call).toThrow(PeriscopeError);
      try {
        call();
      } catch (error) {
        expect((error as PeriscopeError).next).toContain(`for example ${expected}.`);
      }
    });
  check({ name: 'Find', relation: 'callerz' }, '{"name": "Find", "relation": "callers"}');
  check({ name: 'Find', relation: 'blub' }, '{"name": "Find"}');
  check({ name: 'Find', format: 'json', depth: 2 }, '{"name": "Find", "depth": 2}');
  check({ relation: 'blub' }, JSON.stringify(byName.get('graph')!.example));
});
