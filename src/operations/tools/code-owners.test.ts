import { describe, expect, it } from 'vitest';
import { ownersOf, parseCodeOwners } from './code-owners.ts';

const rules = parseCodeOwners(`
# everything
*            @acme/all
*.md         @acme/docs   # inline
/src/        @acme/core alice@example.com
/src/legacy/
[Payments] @acme/pay
src/pay/
docs/my\\ file.txt @bob
`);

describe('the last rule that matches names the owners', () => {
  const check = (path: string, owners: string[]) =>
    it(path || '(root)', () => expect(ownersOf(rules, path)?.owners ?? null).toEqual(owners));
  check('README.md', ['@acme/docs']);
  check('go.mod', ['@acme/all']);
  check('src/a.ts', ['@acme/core', 'alice@example.com']);
  check('src/legacy/a.ts', []);
  check('src/pay/a.ts', ['@acme/pay']);
  check('docs/my file.txt', ['@bob']);
  check('', ['@acme/all']);
});
