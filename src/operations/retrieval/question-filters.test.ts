import { describe, expect, it } from 'vitest';
import { filePattern } from '../../search/index.ts';
import { takeFilters } from './question-filters.ts';

const none = { repo: [], file: [], lang: [] };

function check(question: string, expected: object): void {
  it(question, () => {
    const { asked } = takeFilters({ question, ...none });
    expect(asked).toEqual({ ...none, ...expected });
  });
}

describe('filters within a question are taken as parameters', () => {
  check('repo:acme/pay how are sessions refreshed', {
    question: 'how are sessions refreshed',
    repo: ['acme/pay'],
  });
  check('retry with backoff lang:go,rust -repo:acme/old', {
    question: 'retry with backoff',
    lang: ['go', 'rust'],
    repo: ['!acme/old'],
  });
  check('r:^acme/pay$ l:go who retries', { question: 'who retries', repo: ['acme/pay'], lang: ['go'] });
  check('who retries file:*.go -file:"my tests/**"', {
    question: 'who retries',
    file: ['*.go', '!my tests/**'],
  });
  check('who retries file:\\.go$', { question: 'who retries', file: ['**/*.go'] });
});

describe('a plain text of file: stands anywhere in a path', () => {
  const { source } = filePattern(takeFilters({ question: 'x file:auth/sess', ...none }).asked.file);
  const fits = new RegExp(source, 'i');
  for (const [path, expected] of [
    ['src/auth/session.ts', true],
    ['auth/sessions/a/b.ts', true],
    ['src/auth/user.ts', false],
  ] as const) {
    it(path, () => expect(fits.test(path)).toBe(expected));
  }
});

describe('what is no filter stays in the question', () => {
  for (const question of [
    'what does lang: mean here',
    'open file:///etc/hosts',
    'repo::open() fails',
    'is path:= allowed',
    'a question without any',
    'pasted:\n  open(\n  file:*.go',
  ]) {
    check(question, { question });
  }
});

it('a regex that no glob is like is left out and told', () => {
  const { asked, left } = takeFilters({ question: 'who retries file:(a|b)\\d', ...none });
  expect([asked.question, asked.file, left]).toEqual(['who retries', [], ['file:(a|b)\\d']]);
});
