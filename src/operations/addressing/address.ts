import type { Repository } from '../../catalog/index.ts';
import { repositoryAmbiguous, repositoryMissing, repositoryNotFound } from '../errors.ts';
import { parseBrowseUrl } from './browse-url.ts';
import { type PathCandidate, pathCandidates } from './path-candidates.ts';
import { namesOf } from './repository-names.ts';

/** What a call named, before git is asked anything: pure over the visible repositories. */
export interface Address {
  repository: Repository;
  /** Undefined is the default branch. */
  revision: string | undefined;
  /** From a browse URL whose branch may hold slashes: `feature/x/src/a.ts`. Split where the repository's refs say. */
  revisionAndPath: string | null;
  /** In the order in which they are tried; never empty. */
  candidates: readonly PathCandidate[];
  notes: readonly string[];
}

export interface AskedAddress {
  tool: string;
  repo: string | undefined;
  path: string | undefined;
  revision: string | undefined;
}

/** Guard 1, the part that needs no git: finds the repository that was meant in what people and models write. */
export function parseAddress(asked: AskedAddress, visible: readonly Repository[]): Address {
  const notes: string[] = [];
  const repo = plainRepo(asked.repo);
  const path = asked.path ?? '';

  const urlInPath = repo === '' || looksLikeUrl(path) ? parseBrowseUrl(path) : null;
  const url = urlInPath ?? parseBrowseUrl(repo);
  if (url) {
    const { repository, rest } = repositoryOfUrl(url.pathname, visible, asked.repo ?? path);
    const place = url.place(rest);
    notes.push(`Read the URL as ${namesOf(visible).shortest(repository)}.`);
    const given = urlInPath ? '' : path;
    return {
      repository,
      revision: asked.revision ?? place.revision,
      revisionAndPath: asked.revision || given ? null : place.revisionAndPath,
      candidates: given
        ? pathCandidates(given, repository)
        : [{ path: place.path, lines: place.lines, note: null }],
      notes,
    };
  }

  if (repo === '') return addressFromPath(asked, path, visible);
  const found = findRepository(repo, visible);
  if (found.note) notes.push(found.note);
  const joined = [found.path, path].filter((part) => part !== '').join('/');
  return {
    repository: found.repository,
    revision: asked.revision ?? found.revision,
    revisionAndPath: null,
    candidates: pathCandidates(
      path === '' ? found.path : path,
      found.repository,
      found.path && path ? joined : null,
    ),
    notes,
  };
}

/** The root of a repository; `undefined` is the default branch. */
export function addressOf(repository: Repository, revision: string | undefined): Address {
  return {
    repository,
    revision,
    revisionAndPath: null,
    candidates: [{ path: '', lines: null, note: null }],
    notes: [],
  };
}

/** The one repository of a name that a program gives: nothing is guessed. */
export function repositoryNamed(name: string, visible: readonly Repository[]): Repository {
  const names = namesOf(visible);
  const found = names.find(name);
  if (found.kind === 'one') return found.repository;
  if (found.kind === 'none') throw repositoryNotFound(name, names.near(name, 5));
  throw repositoryAmbiguous(
    name,
    found.repositories.map((repository) => names.shortest(repository)),
  );
}

/** The text, then without its first part, its first two, and so on. */
export function leadingPartsOff(text: string): string[] {
  const parts = text.split('/', LEADING_PARTS_MAX);
  return parts.map((_, index) => text.slice(parts.slice(0, index).join('/').length + (index > 0 ? 1 : 0)));
}

const LEADING_PARTS_MAX = 12;

function addressFromPath(asked: AskedAddress, path: string, visible: readonly Repository[]): Address {
  const names = namesOf(visible);
  // An absolute path of another machine may lead through a folder that is called like the repository.
  const readings = /^[/~]/.test(path.trim()) ? leadingPartsOff(plainRepo(path)) : [plainRepo(path)];
  const prefixed = readings.map((reading) => names.longestPrefix(reading)).find((found) => found !== null);
  if (prefixed) {
    const split = splitRest(prefixed.rest);
    return {
      repository: prefixed.repository,
      revision: asked.revision ?? split.revision,
      revisionAndPath: null,
      candidates: pathCandidates(split.path, prefixed.repository),
      notes: [`Took ${names.shortest(prefixed.repository)} out of the path as the repository.`],
    };
  }
  const only = visible.length === 1 ? visible[0] : undefined;
  if (!only)
    throw repositoryMissing(
      asked.tool,
      visible.slice(0, 1).map((repository) => names.shortest(repository)),
    );
  return {
    repository: only,
    revision: asked.revision,
    revisionAndPath: null,
    candidates: pathCandidates(path, only),
    notes: [`No repo was named; ${names.shortest(only)} is the only one that you can read.`],
  };
}

interface FoundRepository {
  repository: Repository;
  path: string;
  revision: string | undefined;
  note: string | null;
}

function findRepository(repo: string, visible: readonly Repository[]): FoundRepository {
  const names = namesOf(visible);
  // A bare repository may really be called `name.git`; else the suffix is a clone URL's habit.
  const asIs = names.find(repo);
  const found = asIs.kind === 'none' ? names.find(withoutGit(repo)) : asIs;
  if (found.kind === 'several') {
    throw repositoryAmbiguous(
      repo,
      found.repositories.map((repository) => names.shortest(repository)),
    );
  }
  if (found.kind === 'one') {
    const shown = names.shortest(found.repository);
    const note =
      found.how === 'former'
        ? `${repo} is now called ${shown}.`
        : found.how === 'letter-case'
          ? `Read repo "${repo}" as ${shown}.`
          : null;
    return { repository: found.repository, path: '', revision: undefined, note };
  }
  const prefixed = names.longestPrefix(repo) ?? names.longestPrefix(withoutGit(repo));
  if (prefixed) {
    const split = splitRest(prefixed.rest);
    return {
      repository: prefixed.repository,
      ...split,
      note: `Read repo "${repo}" as ${names.shortest(prefixed.repository)}.`,
    };
  }
  const [name, rest] = splitName(withoutGit(repo));
  const nearest = names.nearest(name);
  if (nearest) {
    return {
      repository: nearest,
      ...splitRest(rest),
      note: `There is no repository "${name}" that you can read; took the one near name, ${names.shortest(nearest)}.`,
    };
  }
  throw repositoryNotFound(repo, names.near(name, 5));
}

function repositoryOfUrl(pathname: string, visible: readonly Repository[], asked: string) {
  const names = namesOf(visible);
  // A forge may sit below a path of its own, so leading parts of the URL's path are left off one by one.
  for (const rest of leadingPartsOff(pathname)) {
    const found = names.longestPrefix(rest);
    if (found) return found;
  }
  throw repositoryNotFound(asked, names.near(pathname.split('/').slice(0, 2).join('/'), 5));
}

/** `@repo:name`, `repo:name`, `@name`, a leading `./` or `/`, a trailing `/`: all mean the name. */
function plainRepo(repo: string | undefined): string {
  const trimmed = (repo ?? '').trim();
  if (looksLikeUrl(trimmed)) return trimmed;
  return trimmed
    .replace(/^@?repo(?:sitory)?:\s*/i, '')
    .replace(/^@/, '')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '')
    .replace(/^\.$/, '');
}

function withoutGit(repo: string): string {
  return repo.replace(/\.git(?=$|[/@:#])/, '');
}

/** What follows a repository's name: `/path`, `:path`, `@ref`, `@ref:path`, `#L10`. */
function splitRest(rest: string): { path: string; revision: string | undefined } {
  if (rest.startsWith('@')) {
    const colon = rest.indexOf(':');
    return colon === -1
      ? { path: '', revision: rest.slice(1) }
      : { path: rest.slice(colon + 1), revision: rest.slice(1, colon) };
  }
  return { path: rest.startsWith('#') ? '' : rest.slice(1), revision: undefined };
}

function splitName(repo: string): [string, string] {
  const at = repo.search(/[:@#]/);
  return at === -1 ? [repo, ''] : [repo.slice(0, at), repo.slice(at)];
}

function looksLikeUrl(text: string): boolean {
  return /^(?:https?|ssh|git):\/\/|^[\w.-]+@[\w.-]+:/.test(text);
}
