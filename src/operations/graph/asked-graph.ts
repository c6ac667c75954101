import { bytesOfPath, shownPath } from '../../base/byte-path.ts';
import { PeriscopeError } from '../../base/errors.ts';
import type { Repository } from '../../catalog/index.ts';
import type { Content } from '../../content/index.ts';
import type { TreeEntry } from '../../mirrors/index.ts';
import {
  filePattern,
  languageNamed,
  languageOf,
  nearLanguages,
  type SymbolKind,
} from '../../search/index.ts';
import type { GraphFilters, GraphRelation, GraphStart } from '../../symbols/index.ts';
import { type Address, parseAddress } from '../addressing/address.ts';
import { locate } from '../addressing/locate.ts';
import { namesOf } from '../addressing/repository-names.ts';
import { resolveAddress } from '../addressing/revisions.ts';
import { type AskedScope, askedScope } from '../codesearch/asked-scope.ts';
import {
  type AskedRevision,
  type RevisionDeps,
  searchableRevisions,
} from '../codesearch/searchable-revisions.ts';
import {
  graphOfDirectory,
  graphOfSeveral,
  graphStartMissing,
  unknownKind,
  unknownLanguage,
} from '../errors.ts';
import { requireEntry } from '../tools/require-entry.ts';
import { type StartWords, startWords } from './graph-words.ts';
import { kindNamed, towards } from './relation-words.ts';

/** A question about the graph as it is asked. */
export interface GraphQuery {
  relation: GraphRelation | undefined;
  direction: 'in' | 'out' | undefined;
  name: string | undefined;
  repo: readonly string[] | undefined;
  path: string | undefined;
  line: number | undefined;
  column: number | undefined;
  revision: string | undefined;
  kind: readonly string[] | undefined;
  within: readonly string[] | undefined;
  file: readonly string[] | undefined;
  lang: readonly string[] | undefined;
}

/** A question that is understood: what it starts from, and what is wanted of it. */
export interface AskedGraph {
  relation: GraphRelation;
  /** One after the other is tried until one is known. */
  starts: readonly AskedStart[];
  /** What the question starts from, in words. */
  said: string;
  /** What to look for as text where the structure does not tell. */
  name: string | null;
  /** Why no index will ever have the file that is asked about; absent where one may. */
  unread?: string;
  filters: GraphFilters;
  /** By repository: what is looked into instead of the indexed branches. */
  revisions: ReadonlyMap<number, AskedRevision>;
  notes: readonly string[];
}

export interface AskedStart {
  start: GraphStart;
  /** Only what is found in these repositories, where nothing else is asked for. */
  within?: readonly number[];
  /** Said when this is the one that is known. */
  note?: string;
}

export interface AskedGraphDeps extends RevisionDeps {
  content: Content;
}

/** Finds out what is meant. Fails with not-found-or-no-access for names that nothing visible has, and with what is missing. */
export async function askedGraph(
  asked: GraphQuery,
  visible: readonly Repository[],
  deps: AskedGraphDeps,
  signal: AbortSignal,
): Promise<AskedGraph> {
  const words = startWords(asked, visible);
  const query = { ...asked, relation: asked.relation ?? words.relation ?? undefined };
  const asksFile = words.path !== null && (words.name === null || words.line !== null);
  const start = asksFile
    ? await startAtFile(words, query, visible, deps, signal)
    : words.name !== null
      ? ((await startAtNamedFile(words.name, words, query, visible, deps, signal)) ??
        (await startAtName(words.name, words, query, visible, deps, signal)))
      : words.repo.length > 0
        ? await startAtRepository(words, query, visible, deps, signal)
        : null;
  if (start === null) throw graphStartMissing();
  const kinds = kindsOf(query.kind);
  const { filters, notes } = filtersOf(words.file, kinds, query, visible);
  return {
    ...start,
    starts: start.starts.map((one) => ({
      ...one,
      start:
        one.start.by === 'name' && kinds && start.relation === 'definitions'
          ? { ...one.start, kinds }
          : one.start,
    })),
    filters,
    notes: [...words.notes, ...start.notes, ...notes],
  };
}

type Start = Omit<AskedGraph, 'filters'>;

async function startAtFile(
  words: StartWords,
  query: GraphQuery,
  visible: readonly Repository[],
  deps: AskedGraphDeps,
  signal: AbortSignal,
): Promise<Start> {
  const address = parseAddress(
    { tool: 'graph', repo: words.repo[0], path: words.path ?? undefined, revision: query.revision },
    visible,
  );
  const { repository } = address;
  const mirror = deps.mirrorOf(repository);
  const resolved = await resolveAddress(address, mirror, { signal });
  const located = await locate(deps.content, mirror, resolved.revision.commit, resolved.candidates, {
    signal,
  });
  const found = { repository, mirror, revision: resolved.revision, ...located };
  const { entry } = await requireEntry({ target: found, content: deps.content, signal });
  // Indexed paths stand in their shown form, whichever way this one was written.
  const path = shownPath(bytesOfPath(found.path));
  // A line that is asked for with the path is no repair here.
  const repaired = found.lines === null && found.note ? [found.note] : [];
  const notes = [...address.notes, ...resolved.notes, ...repaired];
  const shown = namesOf(visible).shortest(repository);
  if (entry.kind === 'directory' && path !== '') throw graphOfDirectory(shown, path);
  const { revisions, revision } = await revisionFor(address, deps, signal);
  if (path === '') return repositoryStart(repository, revision, { query, revisions, notes, shown });

  const place = { repositoryId: repository.id, path, ...(revision === null ? {} : { revision }) };
  const line = words.line ?? found.lines?.start ?? null;
  const unread = neverRead[entry.kind];
  const rest = { revisions, name: words.name, ...(unread ? { unread } : {}) };
  if (line !== null) {
    const relation = towards(query.relation ?? 'references', query.direction);
    const start: GraphStart = {
      by: 'place',
      ...place,
      line,
      ...(words.name === null ? {} : { name: lastPart(words.name) }),
      ...(query.column === undefined ? {} : { column: query.column }),
    };
    const what = words.name === null ? '' : `${words.name} at `;
    return { ...rest, relation, starts: [{ start }], said: `${what}${shown}:${path}:${line}`, notes };
  }
  const asked = towards(query.relation ?? 'outline', query.direction);
  const relation = ofFiles[asked] ?? asked;
  if (relation !== asked)
    notes.push(`A file has no ${asked}: took ${relation}. Name a symbol, or give a line, for its ${asked}.`);
  return {
    ...rest,
    relation,
    starts: [{ start: { by: 'file', ...place } }],
    said: `${shown}:${path}`,
    notes,
  };
}

const neverRead: Readonly<Partial<Record<TreeEntry['kind'], string>>> = {
  symlink: 'it is a symbolic link: read_file tells where it leads',
  submodule: 'it is a submodule, another repository',
};

/** What is asked of a file where it is a symbol that has such. */
const ofFiles: Readonly<Partial<Record<GraphRelation, GraphRelation>>> = {
  references: 'importers',
  callers: 'importers',
  definitions: 'outline',
  supertypes: 'outline',
  subtypes: 'outline',
};

/**
 * A name that is a path, with its repository in front or beside it. Packages may end like files do, and so may members: then a file that
 * is not there is no fault. Null where no file is meant.
 */
async function startAtNamedFile(
  name: string,
  words: StartWords,
  query: GraphQuery,
  visible: readonly Repository[],
  deps: AskedGraphDeps,
  signal: AbortSignal,
): Promise<Start | null> {
  if (words.path !== null || words.repo.length > 1 || name.startsWith('@') || /\s/.test(name)) return null;
  if (!/\.\w+$/.test(name) || languageOf(name) === 0) return null;
  const mayBeElse = !name.includes('/') || ofPackages.has(query.relation ?? 'references');
  try {
    return await startAtFile({ ...words, name: null, path: name }, query, visible, deps, signal);
  } catch (fault) {
    if (mayBeElse && fault instanceof PeriscopeError && notThere.has(fault.kind)) return null;
    throw fault;
  }
}

const ofPackages: ReadonlySet<GraphRelation> = new Set(['dependents', 'dependencies', 'importers']);
const notThere: ReadonlySet<PeriscopeError['kind']> = new Set([
  'path-not-found',
  'not-found-or-no-access',
  'invalid-request',
]);

async function startAtName(
  name: string,
  words: StartWords,
  query: GraphQuery,
  visible: readonly Repository[],
  deps: AskedGraphDeps,
  signal: AbortSignal,
): Promise<Start> {
  const relation = towards(query.relation ?? 'references', query.direction);
  const scope = askedScope(
    {
      repo: words.repo,
      file: words.path === null ? [] : [words.path],
      revision: words.repo.length > 0 ? query.revision : undefined,
      repositorySets: {},
    },
    visible,
  );
  const notes = [...scope.notes];
  if (query.revision !== undefined && words.repo.length === 0)
    notes.push('revision is left out of account: say with repo of which repository it is.');
  const { revisions, notes: said } = await searchableRevisions(scope.revisions, deps, signal);
  const ids = scope.said === null ? undefined : scope.repositories.map(({ id }) => id);
  const symbol: GraphStart = {
    by: 'name',
    name,
    ...(ids ? { repositories: ids } : {}),
    ...(scope.file.length > 0 ? { path: filePattern(scope.file) } : {}),
  };
  const where = scope.said === null ? '' : ` in ${scope.said}`;
  return {
    relation,
    starts: [
      ...startsFor(relation, name, symbol, scope, visible).map((start) => ({ start })),
      ...(ids && words.path === null ? [elsewhere(relation, name, ids, where)] : []),
    ],
    said: `"${name}"${where}`,
    name,
    revisions,
    notes: [...notes, ...said],
  };
}

/** Who names a repository may mean the place of the uses: then the name is defined in another one. */
function elsewhere(relation: GraphRelation, name: string, ids: readonly number[], where: string): AskedStart {
  const isOfUses = ['references', 'callers', 'subtypes'].includes(relation);
  return {
    start: { by: 'name', name },
    ...(isOfUses ? { within: ids } : {}),
    note: isOfUses
      ? `"${name}" is not defined${where}: these are its uses there. Leave repo out for all of them.`
      : `"${name}" is not defined${where}: took where it is defined.`,
  };
}

/** A package may be called like a symbol or a repository: what is asked of it tells which is meant first. */
function startsFor(
  relation: GraphRelation,
  name: string,
  symbol: GraphStart,
  { said }: AskedScope,
  visible: readonly Repository[],
): GraphStart[] {
  const asPackage: GraphStart = { by: 'package', name };
  if (relation === 'dependents' || relation === 'dependencies') {
    const named = namesOf(visible).find(name);
    const asRepository: GraphStart[] =
      named.kind === 'one' ? [{ by: 'repository', repositoryId: named.repository.id }] : [];
    return said === null ? [asPackage, ...asRepository, symbol] : [symbol, asPackage];
  }
  if (relation !== 'importers') return [symbol];
  return /[@/:-]/.test(name) ? [asPackage, symbol] : [symbol, asPackage];
}

async function startAtRepository(
  words: StartWords,
  query: GraphQuery,
  visible: readonly Repository[],
  deps: AskedGraphDeps,
  signal: AbortSignal,
): Promise<Start> {
  const scope = askedScope(
    { repo: words.repo, file: [], revision: query.revision, repositorySets: {} },
    visible,
  );
  const [repository, ...others] = scope.repositories;
  const names = namesOf(visible);
  if (!repository || others.length > 0)
    throw graphOfSeveral(scope.repositories.map((one) => names.shortest(one)));
  const address = scope.revisions.get(repository.id);
  const path = address?.candidates[0]?.path || scope.file[0];
  if (path) {
    const whole = { ...words, repo: [names.shortest(repository)], path };
    return startAtFile(
      whole,
      { ...query, revision: query.revision ?? address?.revision },
      visible,
      deps,
      signal,
    );
  }
  const found = await searchableRevisions(scope.revisions, deps, signal);
  const revision = found.revisions.get(repository.id)?.indexed ?? null;
  return repositoryStart(repository, revision, {
    query,
    revisions: found.revisions,
    notes: [...scope.notes, ...found.notes],
    shown: names.shortest(repository),
  });
}

function repositoryStart(
  repository: Repository,
  revision: string | null,
  {
    query,
    revisions,
    notes,
    shown,
  }: { query: GraphQuery; revisions: AskedGraph['revisions']; notes: readonly string[]; shown: string },
): Start {
  const asked = towards(query.relation ?? 'dependents', query.direction);
  const relation = ofRepositories[asked] ?? asked;
  if (relation === 'outline') throw graphOfDirectory(shown, '');
  const taken =
    relation === asked
      ? []
      : [`A repository has no ${asked}: took ${relation}. Name a symbol with name for its ${asked}.`];
  return {
    relation,
    starts: [
      {
        start: {
          by: 'repository',
          repositoryId: repository.id,
          ...(revision === null ? {} : { revision }),
        },
      },
    ],
    said: shown,
    name: null,
    revisions,
    notes: [...notes, ...taken],
  };
}

const ofRepositories: Readonly<Partial<Record<GraphRelation, GraphRelation>>> = {
  references: 'importers',
  callers: 'importers',
  callees: 'dependencies',
  imports: 'dependencies',
  definitions: 'outline',
  supertypes: 'dependencies',
  subtypes: 'dependents',
};

/** The default branch as it is indexed, or what is asked for by name, made searchable. */
async function revisionFor(
  address: Address,
  deps: AskedGraphDeps,
  signal: AbortSignal,
): Promise<{ revisions: AskedGraph['revisions']; revision: string | null }> {
  const { id } = address.repository;
  if (address.revision === undefined && address.revisionAndPath === null) {
    const standing = deps.search.revisions(id).find(({ kind, isDefault }) => kind === 'branch' && isDefault);
    return { revisions: new Map(), revision: standing?.revision ?? null };
  }
  const { revisions } = await searchableRevisions(new Map([[id, address]]), deps, signal);
  return { revisions, revision: revisions.get(id)?.indexed ?? null };
}

function filtersOf(
  file: readonly string[],
  kinds: readonly SymbolKind[] | null,
  { within, lang }: GraphQuery,
  visible: readonly Repository[],
): { filters: GraphFilters; notes: readonly string[] } {
  const notes: string[] = [];
  const wanted = file.filter((glob) => !/^[!-]/.test(glob));
  const left = file.filter((glob) => /^[!-]./.test(glob)).map((glob) => glob.slice(1));
  const inside = within?.length
    ? askedScope({ repo: within, file: [], revision: undefined, repositorySets: {} }, visible)
    : null;
  notes.push(...(inside?.notes ?? []));
  const filters: GraphFilters = {
    ...(inside ? { repositories: inside.repositories.map(({ id }) => id) } : {}),
    ...(wanted.length > 0 ? { path: filePattern(wanted) } : {}),
    ...(left.length > 0 ? { notPath: filePattern(left) } : {}),
    ...(lang?.length ? { languages: lang.map(languageNumber) } : {}),
    ...(kinds ? { kinds } : {}),
  };
  return { filters, notes };
}

export function languageNumber(written: string): number {
  const language = languageNamed(written);
  if (language === null) throw unknownLanguage(written, nearLanguages(written));
  return language;
}

export function kindsOf(written: readonly string[] | undefined): readonly SymbolKind[] | null {
  if (!written?.length) return null;
  return written.map((one) => {
    const kind = kindNamed(one);
    if (kind === null) throw unknownKind(one);
    return kind;
  });
}

/** `Foo.bar` stands as `bar` in a line. */
function lastPart(name: string): string {
  return (
    name
      .split(/::|->|[.#\\/]/)
      .filter((part) => part !== '')
      .at(-1) ?? name
  );
}
