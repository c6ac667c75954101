import { describe, expect, it } from 'vitest';
import type { OptionsOf } from '../types.ts';
import { createGitHost } from './git-host.ts';

const { signal } = new AbortController();

describe('the list is the configuration', () => {
  it('with a name, an id and a page for each repository, and asks no remote', async () => {
    const { repositories, problems } = await gitHost({ urls: ['https://git.invalid/acme/pay.git'] }).list({
      signal,
    });
    expect(problems).toEqual([]);
    expect(repositories).toEqual([
      {
        externalId: 'https://git.invalid/acme/pay',
        fullName: 'acme/pay',
        location: { kind: 'remote', url: 'https://git.invalid/acme/pay.git' },
        defaultBranch: null,
        archived: false,
        fork: false,
        visibility: 'unknown',
        webUrl: 'https://git.invalid/acme/pay',
      },
    ]);
  });

  it('one faulty entry does not keep the others out', async () => {
    const { repositories, problems } = await gitHost({ urls: ['nonsense', 'git@git.example:a/b'] }).list({
      signal,
    });
    expect(repositories.map((one) => one.fullName)).toEqual(['a/b']);
    expect(problems).toHaveLength(1);
  });

  it('the same repository twice is told, however it is written', async () => {
    const urls = ['git@git.example:a/b.git', 'https://git.example/a/b'];
    const { repositories, problems } = await gitHost({ urls }).list({ signal });
    expect(repositories.map((one) => one.externalId)).toEqual(['ssh://git.example/a/b']);
    expect(problems[0]?.why).toBe('The list names this repository more than once.');
  });

  it('the same path on two servers gets the server in front', async () => {
    const urls = ['https://one.example/a/b', 'https://two.example/a/b', 'https://two.example/a/c'];
    const { repositories } = await gitHost({ urls }).list({ signal });
    expect(repositories.map((one) => one.fullName)).toEqual(['one.example/a/b', 'two.example/a/b', 'a/c']);
  });
});

describe('a credential goes to one origin alone', () => {
  const secret = async () => 's3cret';

  it('of several servers in a list with a secret the first has it, and the others are problems', async () => {
    const host = gitHost({ urls: ['https://one.example/a', 'https://two.example/b'], secret });
    const { repositories, problems } = await host.list({ signal });
    expect(repositories.map((one) => one.fullName)).toEqual(['a']);
    expect(problems[0]?.why).toContain('https://one.example');
    expect(host.remoteAccess({ kind: 'remote', url: 'https://two.example/b' })).toBeNull();
  });

  it('is given with its origin, for what the list names and for nothing else', () => {
    const host = gitHost({ urls: ['https://one.example/a'], secret, username: 'bot' });
    expect(host.remoteAccess({ kind: 'remote', url: 'https://one.example/a' })).toMatchObject({
      origin: 'https://one.example',
      username: 'bot',
      secret,
    });
    expect(host.remoteAccess({ kind: 'remote', url: 'https://one.example/other' })).toBeNull();
    expect(host.serves?.({ kind: 'remote', url: 'https://one.example/other' })).toBe(false);
  });

  it('is no secret for ssh, whose user comes from the URL', () => {
    const host = gitHost({ urls: ['git@one.example:a'], secret, username: 'bot', sshKeyFile: '/keys/bot' });
    expect(host.remoteAccess({ kind: 'remote', url: 'ssh://one.example/a' })).toMatchObject({
      origin: 'ssh://one.example',
      username: 'git',
      secret: null,
      sshKeyFile: '/keys/bot',
    });
  });
});

describe('a place has the page that its server is known to have', () => {
  const commit = 'c0ffee';
  check(
    'GitHub',
    'https://github.com/a/b',
    'src/a.ts',
    { start: 1, end: 9 },
    'https://github.com/a/b/blob/c0ffee/src/a.ts#L1-L9',
  );
  check(
    'one line',
    'https://github.com/a/b',
    'a.ts',
    { start: 3, end: 3 },
    'https://github.com/a/b/blob/c0ffee/a.ts#L3',
  );
  check('no lines', 'https://github.com/a/b', 'a.ts', null, 'https://github.com/a/b/blob/c0ffee/a.ts');
  check('the root', 'https://github.com/a/b', '', null, 'https://github.com/a/b/tree/c0ffee');
  check(
    'GitLab',
    'https://gitlab.acme.example/g/s/p',
    'a.ts',
    { start: 1, end: 9 },
    'https://gitlab.acme.example/g/s/p/-/blob/c0ffee/a.ts#L1-9',
  );
  check(
    'odd names',
    'https://github.com/a/b',
    'a b/#?%/süß.ts',
    null,
    'https://github.com/a/b/blob/c0ffee/a%20b/%23%3F%25/s%C3%BC%C3%9F.ts',
  );
  check(
    'a name that is no UTF-8',
    'https://github.com/a/b',
    'a\\xff',
    null,
    'https://github.com/a/b/blob/c0ffee/a%FF',
  );
  check('another server', 'https://git.example/a/b', 'a.ts', null, null);
  check('ssh', null, 'a.ts', null, null);

  function check(
    title: string,
    webUrl: string | null,
    path: string,
    lines: { start: number; end: number } | null,
    page: string | null,
  ) {
    it(title, () => {
      const host = gitHost({ urls: [] });
      expect(host.permalink({ fullName: 'a/b', webUrl }, commit, path, lines)).toBe(page);
    });
  }
});

function gitHost(options: Partial<OptionsOf<'git'>>) {
  return createGitHost({
    kind: 'git',
    name: 'list',
    urls: [],
    username: null,
    secret: null,
    sshKeyFile: null,
    sshKnownHostsFile: null,
    caFile: null,
    proxy: null,
    allowInsecureHttp: false,
    ...options,
  });
}
