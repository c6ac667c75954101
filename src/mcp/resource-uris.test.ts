import { describe, expect, it } from 'vitest';
import { parseResourceUri, repositoryUri } from './resource-uris.ts';

describe('a resource address names a repository or a file and nothing else', () => {
  const check = (uri: string, expected: unknown) =>
    it(uri, () => expect(parseResourceUri(uri)).toEqual(expected));
  check('periscope://repository/acme/payments', { kind: 'repository', name: 'acme/payments' });
  check('periscope://repository/plain', { kind: 'repository', name: 'plain' });
  check('periscope://repository/acme/with%20space', { kind: 'repository', name: 'acme/with space' });
  const file = (...places: [repository: string, path: string][]) => ({
    kind: 'file',
    places: places.map(([repository, path]) => ({ repository, path })),
  });
  check('periscope://file/acme%2Fpayments/src/a.ts', file(['acme/payments', 'src/a.ts']));
  check(
    'periscope://file/acme/payments/src/a.ts',
    file(['acme/payments/src', 'a.ts'], ['acme/payments', 'src/a.ts'], ['acme', 'payments/src/a.ts']),
  );
  check('periscope://file/plain/a%23b.ts', file(['plain', 'a#b.ts']));
  check('periscope://file/plain', null);
  check('periscope://file/plain/', null);
  check('periscope://repository/', null);
  check('periscope://repository/%E0%A4%A', null);
  check('https://repository/acme', null);
  check('', null);
});

describe('the address of a repository leads back to its name', () => {
  for (const name of ['acme/payments', 'plain', 'group/sub group/ü#?%', 'a%2Fb']) {
    it(name, () => expect(parseResourceUri(repositoryUri(name))).toEqual({ kind: 'repository', name }));
  }
});
