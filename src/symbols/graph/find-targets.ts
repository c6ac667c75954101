import type { AskedGround, Ecosystem, ReferenceFact, SymbolKind } from '../../search/index.ts';
import { containerOf } from './answer-nodes.ts';
import type { GraphView } from './graph-view.ts';
import type { GraphWork } from './graph-work.ts';
import { isData } from './resolver/kind-fit.ts';
import { namespaceName } from './resolver/module-targets.ts';
import { folderOf, stemOf } from './resolver/paths.ts';
import type { DefinitionPlace, Meant, PackagePlace } from './resolver/types.ts';
import type { GraphCoverage, GraphStart } from './types.ts';

export interface Targets {
  /** Definitions, the best first, or files. */
  meant: readonly Meant[];
  packages: readonly PackagePlace[];
  /** Names of packages that no visible manifest bears. */
  packageNames: readonly { name: string; ecosystem: Ecosystem | null }[];
  /** Definitions that the name may mean, of which `meant` are the best. */
  candidates: readonly Meant[];
  /** All of them, and whether they were all looked at. */
  count: number;
  exact: boolean;
  isAmbiguous: boolean;
  missing: GraphCoverage['start'];
}

/** Definitions that one question starts from. */
const TARGETS_MAX = 20;
const CANDIDATES_MAX = 50;
/** Definitions whose surroundings are looked at for what stands before the dot. */
const LOOKS_MAX = 400;

const none: Targets = {
  meant: [],
  packages: [],
  packageNames: [],
  candidates: [],
  count: 0,
  exact: true,
  isAmbiguous: false,
  missing: null,
};

interface FindOptions {
  pathHas: AskedGround['pathHas'];
  /** Of several places of one definition one in these repositories is meant: what is asked for lies there. */
  preferred: readonly number[] | undefined;
  work: GraphWork;
}

/** What a question starts from. */
export function findTargets(
  start: GraphStart,
  view: GraphView,
  { pathHas, preferred, work }: FindOptions,
): Targets {
  switch (start.by) {
    case 'name':
      return byName(start, view, { pathHas, preferred, work });
    case 'place': {
      const file = fileOf(view, start.repositoryId, start.revision, start.path);
      return file === 0 ? { ...none, missing: 'no-file' } : byPlace(start, view, file);
    }
    case 'file': {
      const file = fileOf(view, start.repositoryId, start.revision, start.path);
      if (file === 0) return { ...none, missing: 'no-file' };
      return { ...none, meant: [{ file, symbol: -1 }], count: 1, missing: view.factsMissing(file) };
    }
    case 'package': {
      const files = view.packageFiles.filter(
        ({ fact }) => fact.name !== null && (start.ecosystem ?? fact.ecosystem) === fact.ecosystem,
      );
      const ecosystems = [...new Set(files.map(({ fact }) => fact.ecosystem))];
      const packages = ecosystems.flatMap((ecosystem) => view.packages.named(ecosystem, start.name, -1));
      const packageNames = [{ name: start.name, ecosystem: start.ecosystem ?? null }];
      return { ...none, packages, packageNames, count: packages.length };
    }
    case 'repository': {
      const revision = revisionOf(view, start.repositoryId, start.revision);
      const packages = view.packageFiles
        .filter((file) => file.revision === revision)
        .map(({ file, fact, path }) => ({ file, revision, fact, folder: folderOf(path) }));
      return { ...none, packages, count: packages.length };
    }
  }
}

function revisionOf(view: GraphView, repositoryId: number, revision: string | undefined): number {
  return view.shown.findIndex(
    ({ repository, entry }) =>
      repository.id === repositoryId && (revision === undefined || entry.revision === revision),
  );
}

function fileOf(view: GraphView, repositoryId: number, name: string | undefined, path: string): number {
  const revision = revisionOf(view, repositoryId, name);
  return revision < 0 ? 0 : view.fileAt(revision, path);
}

function byName(
  start: Extract<GraphStart, { by: 'name' }>,
  view: GraphView,
  { pathHas, preferred, work }: FindOptions,
): Targets {
  const written = start.name.trim();
  const whole = view.names.allDefinitions(written);
  const parts = whole.length > 0 ? [written] : written.split(/::|->|[.#\\/]/).filter((part) => part !== '');
  const name = parts[parts.length - 1] ?? '';
  const qualifiers = parts.slice(0, -1);
  const repositories = start.repositories ? new Set(start.repositories) : null;
  const kinds = start.kinds ? new Set<SymbolKind>(start.kinds) : null;
  const near = preferred ? new Set(preferred) : null;
  const fits = (place: number) => {
    if (repositories !== null && !repositories.has(view.repositoryOf(place))) return false;
    if (start.path === undefined) return true;
    const { revision, row } = view.places.rowOf(place);
    return pathHas(start.path, view.shown[revision]!.manifest, row);
  };
  // A definition is known by the best place of its text: a copy of it may be what is asked for.
  const isNarrowed = repositories !== null || start.path !== undefined || near !== null;
  const meantPlace = (file: number) => {
    if (!isNarrowed) return file;
    const isNear = (place: number) => near!.has(view.repositoryOf(place)) && fits(place);
    return (near && view.places.placeAmong(file, isNear)) || view.places.placeAmong(file, fits);
  };
  const narrowed = (whole.length > 0 ? whole : view.names.allDefinitions(name)).flatMap((definition) => {
    if (kinds !== null && !kinds.has(definition.kind)) return [];
    const file = meantPlace(definition.file);
    return file === 0 ? [] : [file === definition.file ? definition : { ...definition, file }];
  });
  const looked =
    qualifiers.length > 0 ? likelyWithin(view, narrowed, qualifiers).slice(0, LOOKS_MAX) : narrowed;
  const fitting =
    qualifiers.length > 0
      ? looked.filter((place) => !work.isOver() && isWithin(view, place, qualifiers))
      : looked;
  const sorted = [...fitting].sort(
    (a, b) => weightOf(a.kind) - weightOf(b.kind) || a.file - b.file || a.symbol - b.symbol,
  );
  const best = sorted[0] === undefined ? 0 : weightOf(sorted[0].kind);
  const candidates = sorted.slice(0, CANDIDATES_MAX);
  const meant = sorted.filter(({ kind }) => weightOf(kind) === best).slice(0, TARGETS_MAX);
  const logical = new Set(
    meant.map(({ file, symbol }) => `${view.repositoryOf(file)} ${containerOf(view, file, symbol)}`),
  );
  return {
    ...none,
    meant,
    candidates,
    count: sorted.length,
    exact: looked.length === narrowed.length || qualifiers.length === 0,
    isAmbiguous: logical.size > 1,
  };
}

/** Types and functions, then what they hold, then data and prose. */
export function weightOf(kind: SymbolKind): number {
  if (isData(kind)) return 3;
  switch (kind) {
    case 'field':
    case 'property':
    case 'enum-member':
    case 'variable':
      return 1;
    case 'package':
    case 'implementation':
    case 'constructor':
      return 2;
    default:
      return 0;
  }
}

/** Those whose path or file names what stands before the dot come first: the others need not be looked at where there are many. */
function likelyWithin(
  view: GraphView,
  places: readonly DefinitionPlace[],
  qualifiers: readonly string[],
): readonly DefinitionPlace[] {
  if (places.length <= LOOKS_MAX) return places;
  const outer = qualifiers[qualifiers.length - 1]!;
  const defining = new Set(view.names.allDefinitions(outer).map(({ file }) => file));
  const folded = outer.toLowerCase();
  const isLikely = ({ file }: DefinitionPlace) =>
    defining.has(file) || view.pathOf(file).toLowerCase().includes(folded);
  return [...places.filter(isLikely), ...places.filter((place) => !isLikely(place))];
}

function isWithin(
  view: GraphView,
  { file, symbol }: DefinitionPlace,
  qualifiers: readonly string[],
): boolean {
  const around = containerOf(view, file, symbol).split('.').slice(0, -1);
  const path = view.pathOf(file);
  const names = new Set([
    ...around,
    ...namespaceName(view.namespaceOf(file) ?? '').split('.'),
    ...path.split('/').slice(0, -1),
    stemOf(path),
  ]);
  const outer = qualifiers[qualifiers.length - 1]!;
  const isNear = around.length === 0 ? names.has(outer) : around.includes(outer) || names.has(outer);
  return isNear && qualifiers.every((qualifier) => names.has(qualifier) || qualifier === outer);
}

function byPlace(start: Extract<GraphStart, { by: 'place' }>, view: GraphView, file: number): Targets {
  const missing = view.factsMissing(file);
  const symbols = view.symbolsOf(file);
  const bytes = start.column === undefined ? null : view.texts.bytesOf(file);
  const at = bytes === null ? -1 : offsetOf(bytes, start.line) + start.column! - 1;
  const covers = (from: number, name: string) =>
    at < 0 || (at >= from && at <= from + Buffer.byteLength(name));
  const isNamed = (name: string) => start.name === undefined || name === start.name;
  const found = (meant: readonly Meant[]): Targets => ({
    ...none,
    meant: meant.slice(0, TARGETS_MAX),
    candidates: meant.slice(0, CANDIDATES_MAX),
    count: meant.length,
    isAmbiguous:
      new Set(meant.map((one) => `${view.repositoryOf(one.file)} ${containerOf(view, one.file, one.symbol)}`))
        .size > 1,
    missing,
  });
  const defined = symbols.flatMap(({ name, nameLine, nameStart }, symbol) =>
    nameLine === start.line && isNamed(name) && covers(nameStart, name) ? [{ file, symbol }] : [],
  );
  // A word that is asked for may be a use beside a definition of the line.
  if (defined.length > 0) return found(defined.slice(0, 1));
  const uses = view
    .referencesOf(file)
    .filter(({ line, name, start: from }) => line === start.line && isNamed(name) && covers(from, name));
  for (const use of uses) {
    const meant = sureOnes(view, file, use);
    if (meant.length > 0) return found(meant);
  }
  const imports = view
    .importsOf(file)
    .filter(({ line, name, local }) => line === start.line && (isNamed(name) || isNamed(local)));
  for (const one of imports) {
    const meant = view.resolver.resolveImport(file, one);
    if (meant.length > 0) return found(meant);
  }
  if (start.name !== undefined || start.column !== undefined) return { ...none, missing };
  const around = symbols.flatMap(({ startLine, endLine }, symbol) =>
    startLine <= start.line && start.line <= endLine ? [symbol] : [],
  );
  const innermost = around[around.length - 1];
  return innermost === undefined ? { ...none, missing } : found([{ file, symbol: innermost }]);
}

/** What a use means; where that is not certain, what it may mean. */
function sureOnes(view: GraphView, file: number, use: ReferenceFact): readonly Meant[] {
  const resolved = view.resolver.resolve(file, use);
  const sure = resolved.filter(({ confidence }) => confidence !== 'possible');
  return sure.length > 0 ? sure : resolved;
}

function offsetOf(bytes: Buffer, line: number): number {
  let at = 0;
  for (let i = 1; i < line; i++) {
    const end = bytes.indexOf(10, at);
    if (end < 0) return bytes.length;
    at = end + 1;
  }
  return at;
}
