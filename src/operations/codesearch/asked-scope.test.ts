import { describe, expect, it } from 'vitest';
import { PeriscopeError } from '../../base/errors.ts';
import { visibleRepository } from '../testing/visible-repository.ts';
import { askedScope } from './asked-scope.ts';

const visible = [
  visibleRepository('acme/payments', { aliases: ['acme/pay-old'] }),
  visibleRepository('acme/billing'),
  visibleRepository('tools/payments'),
  visibleRepository('tools/lint'),
];
const repositorySets = { money: ['acme/*'] };

function told(repo: string[], rest: { file?: string[]; revision?: string } = {}): string {
  try {
    const words = { repo, file: rest.file ?? [], revision: rest.revision, repositorySets };
    const { repositories, revisions, file } = askedScope(words, visible);
    const names = repositories.map(({ id, name }) => {
      const revision = revisions.get(id)?.revision;
      return revision ? `${name}@${revision}` : name;
    });
    return [names.join(' '), ...file].join(' | ');
  } catch (fault) {
    return fault instanceof PeriscopeError ? fault.code : String(fault);
  }
}

describe('repositories are found in what people and models write', () => {
  const check = (name: string, repo: string[], expected: string, rest: Parameters<typeof told>[1] = {}) =>
    it(name, () => expect(told(repo, rest)).toBe(expected));
  const all = 'acme/payments acme/billing tools/payments tools/lint';
  check('none named is all', [], all);
  check('owner/name', ['acme/billing'], 'acme/billing');
  check('a short name', ['billing'], 'acme/billing');
  check('a short name of several is all of them', ['payments'], 'acme/payments tools/payments');
  check('several', ['billing', 'lint'], 'acme/billing tools/lint');
  check('@repo:', ['@repo:acme/billing'], 'acme/billing');
  check('an owner', ['acme'], 'acme/payments acme/billing');
  check('an owner with a slash', ['tools/'], 'tools/payments tools/lint');
  check('a host', ['git.example'], all);
  check('a glob', ['acme/*'], 'acme/payments acme/billing');
  check('a glob in capitals', ['ACME/Pay*'], 'acme/payments');
  check('a glob over hosts', ['git.example/tools/*'], 'tools/payments tools/lint');
  check('a named set', ['@money'], 'acme/payments acme/billing');
  check('all but one', ['!tools/lint'], 'acme/payments acme/billing tools/payments');
  check('a glob but one', ['acme/*', '!acme/billing'], 'acme/payments');
  check('a revision', ['acme/billing@v1'], 'acme/billing@v1');
  check('a glob at a revision', ['acme/*@v1'], 'acme/payments@v1 acme/billing@v1');
  check('a revision for all named', ['acme/*', 'lint@v2'], 'acme/payments@v1 acme/billing@v1 tools/lint@v2', {
    revision: 'v1',
  });
  check('a former name', ['acme/pay-old'], 'acme/payments');
  check('a slip', ['biling'], 'acme/billing');
  check('a clone URL', ['https://git.example/acme/billing.git'], 'acme/billing');
  check('a path behind the name', ['acme/billing/src/api'], 'acme/billing | src/api');
  check('a path in front of which the repository stands', [], 'acme/billing | src/api', {
    file: ['acme/billing/src/api'],
  });
  check('the path of another machine', [], 'acme/billing | src', { file: ['/home/ada/billing/src'] });
  check('a folder that is called like a repository', [], `${all} | billing/src`, { file: ['billing/src'] });
  check('the current folder is no filter', [], all, { file: ['.'] });
  check('an unknown name', ['acme/vault'], 'operations/repository-not-found');
  check('a glob that nothing fits', ['vault*'], 'operations/repository-not-found');
  check('an unknown name left out', ['!acme/vault'], 'operations/repository-not-found');
});
