import { describe, expect, it } from 'vitest';
import { PeriscopeError } from '../../base/errors.ts';
import { visibleRepository } from '../testing/visible-repository.ts';
import { parseAddress } from './address.ts';

const visible = [
  visibleRepository('acme/payments'),
  visibleRepository('acme/billing'),
  visibleRepository('web-shop'),
];

interface Asked {
  repo?: string;
  path?: string;
  revision?: string;
}

function shown(asked: Asked, among = visible): string {
  try {
    const address = parseAddress(
      { tool: 'read_file', repo: asked.repo, path: asked.path, revision: asked.revision },
      among,
    );
    const last = address.candidates.at(-1)!;
    const ref = address.revisionAndPath
      ? `@{${address.revisionAndPath}}`
      : address.revision
        ? `@${address.revision}`
        : '';
    const lines = last.lines ? `#L${last.lines.start}-L${last.lines.end}` : '';
    return `${address.repository.name}${ref}:${last.path}${lines}`;
  } catch (error) {
    return error instanceof PeriscopeError ? error.code : String(error);
  }
}

describe('a misaddressed call reaches the place that was meant', () => {
  const check = (name: string, asked: Asked, expected: string) =>
    it(name, () => expect(shown(asked)).toBe(expected));
  check('plain', { repo: 'acme/payments', path: 'src/a.ts' }, 'acme/payments:src/a.ts');
  check('short name', { repo: 'payments', path: 'src/a.ts' }, 'acme/payments:src/a.ts');
  check('repository inside the path', { path: 'payments/src/a.ts' }, 'acme/payments:src/a.ts');
  check('full name inside the path', { path: '/acme/payments/src/a.ts' }, 'acme/payments:src/a.ts');
  check('repository in both', { repo: 'payments', path: 'payments/src/a.ts' }, 'acme/payments:src/a.ts');
  check('@repo:', { repo: '@repo:acme/payments', path: 'a.ts' }, 'acme/payments:a.ts');
  check('@repo: with the path behind it', { repo: '@repo:acme/payments/src/a.ts' }, 'acme/payments:src/a.ts');
  check('owner/name@ref', { repo: 'acme/payments@v2', path: 'a.ts' }, 'acme/payments@v2:a.ts');
  check(
    'a whole place',
    { path: 'acme/payments@feature/x:src/a.ts#L3-L9' },
    'acme/payments@feature/x:src/a.ts#L3-L9',
  );
  check('clone URL', { repo: 'https://git.example/acme/payments.git', path: 'a.ts' }, 'acme/payments:a.ts');
  check('scp-like URL', { repo: 'git@git.example:acme/payments.git', path: 'a.ts' }, 'acme/payments:a.ts');
  check(
    'browse URL with lines in repo',
    { repo: 'https://git.example/acme/payments/blob/main/src/a.ts#L10-L20' },
    'acme/payments@{main/src/a.ts}:#L10-L20',
  );
  check(
    'browse URL of a second kind in path',
    { path: 'https://git.example/acme/payments/-/blob/v1/src/a%20b.ts#L7' },
    'acme/payments@{v1/src/a b.ts}:#L7-L7',
  );
  check(
    'browse URL of a third kind',
    { path: 'https://git.example/forge/acme/payments/src/branch/dev/a.ts' },
    'acme/payments@{dev/a.ts}:',
  );
  check('commit URL', { repo: 'https://git.example/acme/payments/commit/abcdef1' }, 'acme/payments@abcdef1:');
  check('leading slash', { repo: 'payments', path: '/src/a.ts' }, 'acme/payments:src/a.ts');
  check('leading ./', { repo: 'payments', path: './src/a.ts' }, 'acme/payments:src/a.ts');
  check('backslashes', { repo: 'payments', path: 'src\\lib\\a.ts' }, 'acme/payments:src/lib/a.ts');
  check(
    'an escaped byte is no backslash',
    { repo: 'payments', path: 'src/\\xffa.ts' },
    'acme/payments:src/\\xffa.ts',
  );
  check('file:line', { repo: 'payments', path: 'src/a.ts:120' }, 'acme/payments:src/a.ts#L120-L120');
  check('file:line:column', { repo: 'payments', path: 'src/a.ts:120:7' }, 'acme/payments:src/a.ts#L120-L120');
  check('file(line,column)', { repo: 'payments', path: 'src/a.ts(12,5)' }, 'acme/payments:src/a.ts#L12-L12');
  check('#L10-L20', { repo: 'payments', path: 'src/a.ts#L10-L20' }, 'acme/payments:src/a.ts#L10-L20');
  check('the one near name among the visible ones', { repo: 'paymets', path: 'a.ts' }, 'acme/payments:a.ts');
  check('letter case', { repo: 'ACME/PAYMENTS', path: 'a.ts' }, 'acme/payments:a.ts');
  check('dots inside', { repo: 'payments', path: 'src/../lib/./a.ts' }, 'acme/payments:lib/a.ts');
  check('out of the repository', { repo: 'payments', path: '../billing/a.ts' }, 'operations/path-escapes');
  check('nothing named', { path: 'src/a.ts' }, 'operations/repository-missing');
  check('no such name', { repo: 'secret-project', path: 'a.ts' }, 'operations/repository-not-found');
  it('with one visible repository no repo need be named', () =>
    expect(shown({ path: 'src/a.ts' }, [visible[0]!])).toBe('acme/payments:src/a.ts'));
});
