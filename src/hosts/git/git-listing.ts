import type { HostListing, HostProblem, HostRepository } from '../types.ts';
import { type GitUrl, parseGitUrl } from './git-url.ts';

interface UrlList {
  urls: readonly string[];
  /** Whether a secret goes with every https command. */
  secret: (() => Promise<string>) | null;
  allowInsecureHttp: boolean;
}

/** The repositories that the URLs name, and the remote behind each clone URL. */
export function listGitUrls(list: UrlList): { listing: HostListing; remotes: Map<string, GitUrl> } {
  const problems: HostProblem[] = [];
  const accepted = new Map<string, GitUrl>();
  let secretOrigin: string | null = null;

  for (const written of list.urls) {
    const parsed = parseGitUrl(written, list);
    if ('why' in parsed) {
      problems.push(parsed);
      continue;
    }
    const same = `${parsed.host}/${parsed.path}`;
    if (accepted.has(same)) {
      problems.push({
        what: parsed.shown,
        why: 'The list names this repository more than once.',
        next: 'Remove one of the entries.',
      });
      continue;
    }
    if (list.secret && parsed.scheme !== 'ssh') {
      secretOrigin ??= parsed.origin;
      if (parsed.origin !== secretOrigin) {
        problems.push({
          what: parsed.shown,
          why: `The secret of this list is for ${secretOrigin} and goes nowhere else.`,
          next: 'Move the URL to a host entry of its own.',
        });
        continue;
      }
    }
    accepted.set(same, parsed);
  }

  const urls = [...accepted.values()];
  return {
    listing: { repositories: urls.map((url) => repositoryOf(url, urls)), problems },
    remotes: new Map(urls.map((url) => [url.cloneUrl, url])),
  };
}

function repositoryOf(url: GitUrl, all: readonly GitUrl[]): HostRepository {
  const isAmbiguous = all.some((other) => other !== url && other.path === url.path);
  return {
    externalId: url.externalId,
    fullName: isAmbiguous ? `${url.host}/${url.path}` : url.path,
    location: { kind: 'remote', url: url.cloneUrl },
    defaultBranch: null,
    archived: false,
    fork: false,
    visibility: 'unknown',
    webUrl: url.scheme === 'ssh' ? null : url.externalId,
  };
}
