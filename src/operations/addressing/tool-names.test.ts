import { describe, expect, it } from 'vitest';
import { operationNames } from '../registry.ts';
import { routeName } from './tool-names.ts';

describe('names that agents know lead to the tool that does what they mean', () => {
  const check = (name: string, input: unknown, expected: [string, unknown] | null) =>
    it(name, () => {
      const routed = routeName(name, input, operationNames);
      expect(routed && [routed.name, routed.input]).toEqual(expected);
    });
  check('read_file', { a: 1 }, ['read_file', { a: 1 }]);
  check('mcp__periscope__read_file', {}, ['read_file', {}]);
  check('periscope.readFile', {}, ['read_file', {}]);
  check('grep', { pattern: 'x', glob: '*.ts' }, [
    'codesearch',
    { pattern: 'x', glob: '*.ts', mode: 'regex' },
  ]);
  check('ripgrep', { pattern: 'a.b', fixed_strings: true }, [
    'codesearch',
    { pattern: 'a.b', fixed_strings: true },
  ]);
  check('search_code', { q: 'x' }, ['codesearch', { q: 'x' }]);
  check('find_references', { symbol: 'x', repo: 'a' }, [
    'graph',
    { symbol: 'x', repo: 'a', relation: 'references' },
  ]);
  check('go_to_definition', { name: 'x' }, ['graph', { name: 'x', relation: 'definitions' }]);
  check('findSymbol', { name: 'x' }, ['graph', { name: 'x', relation: 'definitions' }]);
  check('call_hierarchy', { name: 'x', direction: 'outgoing' }, [
    'graph',
    { name: 'x', direction: 'outgoing', relation: 'callers' },
  ]);
  check('grep', { query: 'x', repo: 'a', path: 'src', include: '*.ts' }, [
    'scan_directory',
    { pattern: 'x', repo: 'a', path: 'src', file: '*.ts' },
  ]);
  check('grep', { pattern: 'x', repo: 'a/*', path: 'src' }, [
    'codesearch',
    { pattern: 'x', repo: 'a/*', path: 'src', mode: 'regex' },
  ]);
  check('glob', { pattern: '**/*.ts' }, ['list_directory', { file: '**/*.ts' }]);
  check('list_repos', {}, ['codesearch_repos', {}]);
  check('git_blame', { path: 'a' }, ['history', { path: 'a', kind: 'blame' }]);
  check('git_show', { kind: 'commits' }, ['history', { kind: 'commits' }]);
  check('toString', {}, null);
  check('delete_file', {}, null);
});

it('a rerouted name is told', () =>
  expect(routeName('grep', {}, operationNames)?.note).toContain('codesearch'));
