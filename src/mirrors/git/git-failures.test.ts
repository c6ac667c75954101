import { describe, expect, it } from 'vitest';
import { failureOf } from './git-failures.ts';

describe('what git and the forges say becomes a kind and one next action', () => {
  const rows: [said: string, kind: string, code: string][] = [
    ["error: cannot lock ref 'refs/heads/a': is at 1 but expected 2", 'busy', 'locked'],
    ["fatal: Unable to create '/m/1.git/packed-refs.lock': File exists.", 'busy', 'locked'],
    ['fatal: unable to access: The requested URL returned error: 429', 'busy', 'remote-busy'],
    [
      'remote: Repository not found.\nfatal: repository not found',
      'not-found-or-no-access',
      'remote-not-found',
    ],
    ["fatal: repository 'https://h/a/' not found", 'not-found-or-no-access', 'remote-not-found'],
    [
      'remote: TF401019: The Git repository with name or identifier x does not exist',
      'not-found-or-no-access',
      'remote-not-found',
    ],
    ['FATAL: R any a bot DENIED by fallthru', 'not-found-or-no-access', 'remote-not-found'],
    ["fatal: Authentication failed for 'https://h/a/'", 'unavailable', 'remote-refuses-credential'],
    [
      "fatal: could not read Username for 'https://h': terminal prompts disabled",
      'unavailable',
      'remote-refuses-credential',
    ],
    [
      'git@h: Permission denied (publickey).\nfatal: Could not read from remote repository.',
      'unavailable',
      'remote-refuses-credential',
    ],
    [
      'remote: Write access to repository not granted.\nfatal: error: 403',
      'unavailable',
      'remote-refuses-credential',
    ],
    ["fatal: couldn't find remote ref refs/heads/x", 'ref-not-found', 'remote-ref-missing'],
    ['fatal: unable to access: Could not resolve host: h', 'unavailable', 'remote-unreachable'],
    ['error: RPC failed; curl 18 transfer closed\nfatal: early EOF', 'unavailable', 'remote-unreachable'],
    [
      "fatal: unable to access 'https://h/': Operation too slow. Less than 1000 bytes/sec",
      'unavailable',
      'remote-unreachable',
    ],
    ["fatal: detected dubious ownership in repository at '/x'", 'unavailable', 'folder-unreadable'],
    ["fatal: not a git repository: '/x'", 'unavailable', 'folder-unreadable'],
    ["fatal: transport 'ext' not allowed", 'blocked-by-policy', 'transport-refused'],
    [
      'remote: aborting due to possible repository corruption on the remote side.\nfatal: early EOF',
      'unavailable',
      'remote-damaged',
    ],
    ['fatal: something that nobody has seen', 'unavailable', 'git-failed'],
  ];
  for (const [said, kind, code] of rows) {
    it(said.split('\n')[0]!, () => {
      const error = failureOf(said, { name: 'acme/a', doing: 'Fetching acme/a' });
      expect(error).toMatchObject({ kind, code: `mirrors/${code}` });
      expect(error.next).toMatch(/^(?:Wait|Call|Choose|The operator)/);
      // For the log alone.
      expect(error.message).not.toContain(said);
      expect(error.cause).toMatchObject({ message: said });
    });
  }

  it('is never `unauthenticated`, which would be the caller’s matter', () => {
    for (const [said] of rows)
      expect(failureOf(said, { name: 'a', doing: 'a' }).kind).not.toBe('unauthenticated');
  });
});
