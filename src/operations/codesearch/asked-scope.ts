import type { Repository } from '../../catalog/index.ts';
import { type Address, addressOf, leadingPartsOff, parseAddress } from '../addressing/address.ts';
import { parseBrowseUrl } from '../addressing/browse-url.ts';
import { namesOf } from '../addressing/repository-names.ts';
import { repositoryNotFound } from '../errors.ts';
import { globsFit, isGlob } from './name-globs.ts';

/** What of the visible repositories a call means by its `repo` and `revision`. */
export interface AskedScope {
  /** Everything visible when the call names none. */
  repositories: readonly Repository[];
  /** Where something else than the indexed branches is asked for; the value is yet to be resolved. */
  revisions: ReadonlyMap<number, Address>;
  /** The path filters, repositories' names taken out of them, with what stood behind a repository's name. */
  file: readonly string[];
  /** For the reading of the query; null when nothing was named. */
  said: string | null;
  notes: readonly string[];
}

export interface ScopeWords {
  repo: readonly string[];
  file: readonly string[];
  revision: string | undefined;
  /** Named sets of the config: name to globs. */
  repositorySets: Readonly<Record<string, readonly string[]>>;
}

const SAID_MAX = 4;

/** Pure over the visible repositories: a hidden one and one that never was are both unknown here. */
export function askedScope(words: ScopeWords, visible: readonly Repository[]): AskedScope {
  const paths = pathsOf(words, visible);
  const asked = [...words.repo, ...paths.repo].map((text) => text.trim()).filter((text) => text !== '');
  const wanted = asked.filter((text) => !/^[!-]/.test(text));
  const left = asked.filter((text) => /^[!-]/.test(text)).map((text) => text.slice(1));
  const found = wanted.map((text) => findAsked(text, words.repositorySets, visible));

  const chosen = found.length > 0 ? new Set(found.flatMap(({ repositories }) => repositories)) : null;
  const leftOut = new Set(
    left.flatMap((text) => findAsked(text, words.repositorySets, visible).repositories),
  );
  const repositories = visible.filter((one) => (!chosen || chosen.has(one)) && !leftOut.has(one));

  const revisions = new Map<number, Address>();
  for (const { repositories: those, address, revision } of found)
    for (const one of those)
      if (revision !== undefined || address?.revisionAndPath)
        revisions.set(one.id, address ?? addressOf(one, revision));
  if (words.revision !== undefined)
    for (const one of repositories)
      if (!revisions.has(one.id)) revisions.set(one.id, addressOf(one, words.revision));

  const notes = [...paths.notes, ...found.flatMap((one) => one.notes)];
  const behind = found.flatMap(({ path }) => (path === '' ? [] : [path]));
  const file = [...paths.file, ...(found.length === 1 ? behind : [])];
  if (found.length > 1 && behind.length > 0)
    notes.push('Paths behind repository names are left out where several repositories are named: use file.');
  return {
    repositories,
    revisions,
    file,
    said: asked.length === 0 ? null : saidOf(repositories, visible),
    notes,
  };
}

/** A path may lead through a repository's name, as agents write it who see many; then that is the repository that is meant. */
function pathsOf({ repo, file }: ScopeWords, visible: readonly Repository[]) {
  const given = file.filter((path) => !/^[./]*$/.test(path));
  const [only] = given;
  const nothing = { repo: [], file: given, notes: [] };
  if (repo.length > 0 || given.length !== 1 || only === undefined || only.startsWith('!')) return nothing;
  const names = namesOf(visible);
  const isAbsolute = /^[/~]/.test(only);
  const readings = isAbsolute ? leadingPartsOff(only.replace(/^[~/]+/, '')) : [only];
  for (const reading of readings) {
    const found = names.longestPrefix(reading);
    if (!found) continue;
    const { repository, rest } = found;
    const isWholeName = reading.startsWith(repository.name) || reading.startsWith(`${repository.host}/`);
    // A directory may be called like a repository: a short name alone says nothing.
    if (!isAbsolute && !(isWholeName && repository.name.includes('/'))) continue;
    const name = names.shortest(repository);
    const path = rest.replace(/^[/:]+/, '');
    return {
      repo: [name],
      file: path === '' ? [] : [path],
      notes: [`Took ${name} out of the path as the repository.`],
    };
  }
  return nothing;
}

interface FoundAsked {
  repositories: readonly Repository[];
  revision: string | undefined;
  address: Address | null;
  path: string;
  notes: readonly string[];
}

function findAsked(
  text: string,
  sets: ScopeWords['repositorySets'],
  visible: readonly Repository[],
): FoundAsked {
  const plain = text.replace(/^@?repo(?:sitory)?:\s*/i, '').replace(/^@/, '');
  const several = (repositories: readonly Repository[], revision?: string, notes: string[] = []) => ({
    repositories,
    revision,
    address: null,
    path: '',
    notes,
  });
  const set = Object.hasOwn(sets, plain) ? sets[plain] : undefined;
  if (set) return several(visible.filter(globsFit(set)));
  if (parseBrowseUrl(text) === null) {
    const names = namesOf(visible);
    const [bare, revision] = splitRevision(plain);
    if (names.find(bare).kind === 'none' && isGlob(bare)) {
      const fitting = visible.filter(globsFit([bare]));
      if (fitting.length === 0) throw repositoryNotFound(text, []);
      return several(fitting, revision);
    }
    const named = names.find(bare);
    if (named.kind === 'several') {
      const shown = named.repositories.map((one) => names.shortest(one)).slice(0, SAID_MAX);
      return several(named.repositories, revision, [
        `"${bare}" is the name of ${named.repositories.length} repositories; all of them were searched: ${shown.join(', ')}.`,
      ]);
    }
    if (named.kind === 'none') {
      const below = bare.replace(/\/+$/, '').toLowerCase();
      const owned = visible.filter(
        ({ host, name }) => name.toLowerCase().startsWith(`${below}/`) || host.toLowerCase() === below,
      );
      if (owned.length > 0) return several(owned, revision);
    }
  }
  const address = parseAddress(
    { tool: 'codesearch', repo: text, path: undefined, revision: undefined },
    visible,
  );
  return {
    repositories: [address.repository],
    revision: address.revision,
    address,
    path: address.revisionAndPath === null ? (address.candidates[0]?.path ?? '') : '',
    notes: address.notes,
  };
}

/** `name@rev` and `name:path` look alike from afar: only what stands behind the last `@`, and holds no colon, is a revision here. */
function splitRevision(text: string): [string, string | undefined] {
  const at = text.lastIndexOf('@');
  return at <= 0 || text.includes(':', at) ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function saidOf(repositories: readonly Repository[], visible: readonly Repository[]): string {
  const names = namesOf(visible);
  return repositories.length <= SAID_MAX
    ? repositories.map((one) => names.shortest(one)).join(', ')
    : `${repositories.length} repositories`;
}
