import { describe, expect, it } from 'vitest';
import { inShellWords, textForShell } from './shell-wording.ts';

describe('hints name options instead of parameters', () => {
  const check = (hint: string, expected: string) => it(hint, () => expect(inShellWords(hint)).toBe(expected));
  check('"exact": true counts them all.', '--exact counts them all.');
  check('With "case": "no": 2 files.', 'With --case no: 2 files.');
  check('Without "lang": 2 files.', 'Without --lang: 2 files.');
  check('In all repositories, without "repo": 1 file', 'In all repositories, without --repo: 1 file');
  check('Narrow it with repo, file or lang.', 'Narrow it with --repo, --file or --lang.');
  check('Leave revision out to search all.', 'Leave --revision out to search all.');
  check('and 12 more ("output": "files" names them)', 'and 12 more (--output files names them)');
  check('For example {"query": "a|b +c", "mode": "regex"}.', "For example 'a|b +c' --mode regex.");
  check('Call with {"file": ["*.ts", "!x"]}.', "Call with --file '*.ts' --file '!x'.");
  check(
    'Such as ["go", "tsx"], unless file or lang is given.',
    'Such as go, tsx, unless --file or --lang is given.',
  );
  check('Globs: ["*.yaml"] at any depth.', 'Globs: *.yaml at any depth.');
  check(
    'Call with {"name": "Session.refresh", "relation": "callers"}.',
    'Call with Session.refresh --relation callers.',
  );
  check('Ask with a larger max_tokens.', 'Ask with a larger --max-tokens.');
  check('Call list_directory or read_file.', 'Call list_directory or read_file.');
  check('Exactly, without line numbers.', 'Exactly, without line numbers.');
  check('A file with a path of its own', 'A file with a path of its own');
});

it('what was found stays as it is', () => {
  const answer = { tool: 'x', result: {}, cut: false, cursor: null, found: true };
  const text = ['head "exact": true', 'Note: "exact": true', '"exact": true'].join('\n');
  expect(textForShell({ ...answer, text, notes: ['"exact": true'] }).split('\n')).toEqual([
    'head "exact": true',
    'Note: --exact',
    '"exact": true',
  ]);
});
