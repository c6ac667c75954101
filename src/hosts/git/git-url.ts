import type { HostProblem } from '../types.ts';

export interface GitUrl {
  scheme: 'https' | 'http' | 'ssh';
  /** With its port where that is not the scheme's own. */
  host: string;
  /** Of an ssh URL: not a secret, yet kept out of the URL so that a location never holds user info. */
  user: string | null;
  /** Decoded, without `.git` and without slashes at its ends. */
  path: string;
  origin: string;
  /** Normalised, with `.git` where it was written. */
  cloneUrl: string;
  /** Normalised, without `.git`. */
  externalId: string;
  /** For problems: never with user info. */
  shown: string;
}

/** Takes `https://host/owner/name(.git)`, `ssh://git@host/owner/name` and `git@host:owner/name`; everything else is a problem. */
export function parseGitUrl(written: string, options: { allowInsecureHttp: boolean }): GitUrl | HostProblem {
  const shown = withoutUserInfo(written);
  const refuse = (why: string, next: string): HostProblem => ({ what: shown, why, next });
  if (/[\x00-\x20\x7f]/.test(written)) {
    return refuse('The URL holds a space or a control character.', 'Encode it as %20 and the like.');
  }
  const url = asUrl(written);
  if (url === null) {
    return refuse(
      'This is no URL.',
      'Write it as https://host/owner/name.git or git@host:owner/name.git; folders have a host kind of their own.',
    );
  }
  const scheme = url.protocol.slice(0, -1);
  if (scheme === 'http' && !options.allowInsecureHttp) {
    return refuse('Plain http shows code and credentials to the network.', 'Use the https URL.');
  }
  if (scheme !== 'https' && scheme !== 'http' && scheme !== 'ssh') {
    return refuse(
      `The scheme "${scheme}" is not supported.`,
      'Use https or ssh; for a folder on this machine use a folder host.',
    );
  }
  if (url.password !== '' || (url.username !== '' && scheme !== 'ssh')) {
    return refuse(
      'The URL holds a user name or password, which would show in logs and process lists.',
      'Remove it from the URL and configure username and secret of the host.',
    );
  }
  if (url.search !== '' || url.hash !== '') {
    return refuse('The URL has a query or a fragment.', 'Give the clone URL alone.');
  }
  // A host or user that starts with a dash would reach ssh as an option.
  if (url.hostname === '' || url.hostname.startsWith('-') || url.username.startsWith('-')) {
    return refuse('The URL names no valid host.', 'Write it as https://host/owner/name.git.');
  }
  const rawPath = url.pathname.replace(/^\/+|\/+$/g, '');
  const bare = rawPath.replace(/(?<=[^/])\.git$/, '');
  if (bare === '' || /(^|\/)\.\.?(\/|$)/.test(pathAsWritten(written))) {
    return refuse('The URL has no plain repository path.', 'Write it as https://host/owner/name.git.');
  }
  const host = hostOf(url, scheme);
  const origin = `${scheme}://${host}`;
  return {
    scheme,
    host,
    user: url.username === '' ? null : decoded(url.username),
    path: bare.split('/').map(decoded).join('/'),
    origin,
    cloneUrl: `${origin}/${rawPath}`,
    externalId: `${origin}/${bare}`,
    shown,
  };
}

function asUrl(written: string): URL | null {
  if (!written.includes('://')) {
    const scp = /^(?:([^@/:]+)@)?(\[[^\]]+\]|[^:/@[\]]+):(?!:)([^@]+)$/.exec(written);
    if (!scp) return null;
    const [, user, host, path] = scp;
    return asUrl(`ssh://${user === undefined ? '' : `${user}@`}${host}/${path!.replace(/^\/+/, '')}`);
  }
  try {
    return new URL(written);
  } catch {
    return null;
  }
}

/** Lower case; URL lowers the host of web schemes alone and drops their default ports. */
function hostOf(url: URL, scheme: string): string {
  const isDefaultPort = url.port === '' || (scheme === 'ssh' && url.port === '22');
  return url.hostname.toLowerCase() + (isDefaultPort ? '' : `:${url.port}`);
}

/** URL resolves dot segments away, so they are looked for in what was written. */
function pathAsWritten(written: string): string {
  return written.replace(/^[^/]*:\/\//, '').replace(/%2e/gi, '.');
}

function decoded(segment: string): string {
  try {
    const text = decodeURIComponent(segment);
    return /[\x00-\x1f\x7f/]/.test(text) ? segment : text;
  } catch {
    return segment;
  }
}

/** Masks generously: a password may hold any character, and a query may be a token. */
function withoutUserInfo(written: string): string {
  return written
    .replace(/[\x00-\x1f\x7f]/g, '?')
    .replace(/[?#].*$/, '')
    .replace(/^([^/]*:\/\/).*@/, '$1***@')
    .replace(/^[^@/]*:[^/].*@/, '***@');
}
