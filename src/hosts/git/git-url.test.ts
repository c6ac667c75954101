import { describe, expect, it } from 'vitest';
import { parseGitUrl } from './git-url.ts';

describe('a URL is normalised, and its id does not depend on how it was written', () => {
  check('https', 'https://git.example/acme/pay.git', {
    cloneUrl: 'https://git.example/acme/pay.git',
    externalId: 'https://git.example/acme/pay',
    path: 'acme/pay',
    user: null,
  });
  check('without .git, with slashes and capitals in the host', 'HTTPS://Git.Example:443//acme/pay/', {
    cloneUrl: 'https://git.example/acme/pay',
    externalId: 'https://git.example/acme/pay',
    path: 'acme/pay',
  });
  check('a port of its own', 'https://git.example:8443/acme/pay.git', {
    externalId: 'https://git.example:8443/acme/pay',
    origin: 'https://git.example:8443',
  });
  check('ssh', 'ssh://git@git.example:22/acme/pay.git', {
    cloneUrl: 'ssh://git.example/acme/pay.git',
    externalId: 'ssh://git.example/acme/pay',
    user: 'git',
  });
  check('scp-like', 'git@git.example:acme/pay.git', {
    cloneUrl: 'ssh://git.example/acme/pay.git',
    path: 'acme/pay',
    user: 'git',
  });
  check('scp-like with an absolute path and no user', 'git.example:/srv/pay.git', {
    cloneUrl: 'ssh://git.example/srv/pay.git',
    user: null,
  });
  check('scp-like with IPv6', 'git@[::1]:acme/pay', { cloneUrl: 'ssh://[::1]/acme/pay' });
  check('encoded names', 'https://git.example/acme/s%C3%BC%C3%9F%20name.git', {
    cloneUrl: 'https://git.example/acme/s%C3%BC%C3%9F%20name.git',
    path: 'acme/süß name',
  });
  check('an encoded slash stays encoded', 'https://git.example/acme%2Fpay', { path: 'acme%2Fpay' });
  check('deep groups', 'https://gitlab.example/a/b/c/d.git', { path: 'a/b/c/d' });
});

describe('what is no plain address of a repository is refused, without showing a credential', () => {
  refused('a token in the URL', 'https://x:s3cret@git.example/a/b', /user name or password/);
  refused('a user in the URL', 'https://s3cret@git.example/a/b', /user name or password/);
  refused('a password with a slash', 'https://x:s/s3cret@git.example/a/b', /This is no URL/);
  refused('a password in the scp-like form', 'git:s3cret@git.example:a/b', /This is no URL/);
  refused('a password for ssh', 'ssh://git:s3cret@git.example/a/b', /user name or password/);
  refused('plain http', 'http://git.example/a/b', /Plain http/);
  refused('a file URL', 'file:///srv/a', /scheme "file"/);
  refused('the git protocol', 'git://git.example/a', /scheme "git"/);
  refused('a remote helper', 'ext::sh -c touch% /tmp/x', /space or a control/);
  refused('a remote helper without spaces', 'ext::sh', /This is no URL/);
  refused('a path', '/srv/a', /This is no URL/);
  refused('an option', '--upload-pack=touch', /This is no URL/);
  refused('a host that is an option', 'ssh://-oProxyCommand=x/a', /no valid host|no URL/);
  refused('a user that is an option', 'ssh://-lroot@git.example/a', /no valid host/);
  refused('an scp-like host that is an option', '-oProxyCommand=x:a/b', /no valid host|no URL/);
  refused('no path', 'https://git.example', /no plain repository path/);
  refused('dots', 'https://git.example/a/../b', /no plain repository path/);
  refused('encoded dots', 'https://git.example/a/%2e%2E/b', /no plain repository path/);
  refused('a query', 'https://git.example/a/b?token=s3cret', /query or a fragment/);
  refused('a fragment', 'https://git.example/a/b#main', /query or a fragment/);
  refused('a newline', 'https://git.example/a\nb', /control character/);
  refused('an empty text', '', /This is no URL/);
});

it('takes plain http where that is allowed', () => {
  expect(parseGitUrl('http://127.0.0.1:8080/a/b', { allowInsecureHttp: true })).toMatchObject({
    scheme: 'http',
    origin: 'http://127.0.0.1:8080',
  });
});

function check(title: string, written: string, parts: Record<string, unknown>) {
  it(title, () => expect(parseGitUrl(written, { allowInsecureHttp: false })).toMatchObject(parts));
}

function refused(title: string, written: string, why: RegExp) {
  it(title, () => {
    const parsed = parseGitUrl(written, { allowInsecureHttp: false });
    expect(parsed).toMatchObject({ why: expect.stringMatching(why), next: expect.stringMatching(/\.$/) });
    expect(JSON.stringify(parsed)).not.toContain('s3cret');
  });
}
