import type { ImportFact, ReferenceFact, ReferenceKind, SymbolFact } from '../../../search/index.ts';
import { ImportedRevisions } from './imported-revisions.ts';
import { IncludedFiles } from './included-files.ts';
import { bestFitting, fitness, isData, isHolder, isOnlyMember, isType } from './kind-fit.ts';
import { type LanguageRules, rulesOf } from './language-rules.ts';
import { ancestors, behind, scopeDepth } from './local-scopes.ts';
import { type Exported, ModuleExports } from './module-exports.ts';
import { ModuleTargets, namespaceName } from './module-targets.ts';
import { distance, folderOf } from './paths.ts';
import { TypeMembers } from './type-members.ts';
import type { DefinitionPlace, Resolved, ResolverTree } from './types.ts';

/** What a use means. */
export interface UseMeaning {
  readonly found: readonly Resolved[];
  /** It comes from a module that is not visible: nothing here is meant. */
  readonly outside: boolean;
}

/** Candidates of a name that no rule resolves. */
export const CANDIDATES_MAX = 50;
const UNREACHED_MAX = 3;

const selfWords: ReadonlySet<string> = new Set(['this', 'self', 'cls', 'Self', 'static', '@']);
const superWords: ReadonlySet<string> = new Set(['super', 'parent', 'base']);
const outside: UseMeaning = { found: [], outside: true };

type Use = Pick<ReferenceFact, 'name' | 'kind' | 'from'> & { start?: number };

/** From a use to its definitions, by the rules of its language as far as names, imports and declared types tell. */
export class Resolver {
  readonly modules: ModuleTargets;
  readonly exports: ModuleExports;
  readonly members: TypeMembers;
  readonly #tree: ResolverTree;
  #ofLastFile: { file: number; known: Map<string, readonly Resolved[]> } = { file: 0, known: new Map() };
  readonly #included: IncludedFiles;
  readonly #importedRevisions: ImportedRevisions;

  constructor(tree: ResolverTree) {
    this.#tree = tree;
    this.modules = new ModuleTargets(tree);
    this.exports = new ModuleExports(tree, this.modules);
    this.#included = new IncludedFiles(tree, this.modules);
    this.#importedRevisions = new ImportedRevisions(tree, this.modules, this.exports);
    this.members = new TypeMembers(
      tree,
      (file, reference) =>
        tree.exactly(file, reference.start, reference.kind) ?? this.#types(file, reference),
    );
  }

  resolve(file: number, use: ReferenceFact): readonly Resolved[] {
    const exact = this.#tree.exactly(file, use.start, use.kind);
    if (exact !== null) return exact;
    const isMemberUse = use.receiver !== null || use.kind === 'member-call' || use.kind === 'member';
    return (isMemberUse ? this.#member(file, use) : this.#plain(file, use)).found;
  }

  /** What an imported name leads to: definitions, or files as modules. Empty for what is not visible. */
  resolveImport(file: number, one: ImportFact): readonly Resolved[] {
    // What stands there is the module.
    const exact = one.name === '*' ? this.#tree.exactly(file, one.start, null) : null;
    return exact ?? this.#imported(file, one, null).found;
  }

  #imported(file: number, one: ImportFact, use: ReferenceKind | null): UseMeaning {
    const places = this.modules.ofImport(file, one);
    const found: Exported[] = [];
    for (const place of places) {
      if (one.name !== '*') found.push(...this.exports.find(place, one.name));
      else if (place.target.kind === 'file' && place.rest.length === 0) {
        const called = use === 'call' || use === 'new' || use === 'extends' || use === 'annotation';
        const whole = use === 'use' ? this.exports.wholeOf(place.target.file) : null;
        const module = { file: place.target.file, symbol: -1, reexported: false, sure: true };
        found.push(...(called ? this.exports.findIn(place.target, 'default') : [whole ?? module]));
      }
    }
    if (found.length === 0) found.push(...this.#modulesNamed(file, one));
    if (found.length === 0) return outside;
    return { found: this.#fitting(found, use), outside: false };
  }

  /** `use crate::money`: a module is named as if it were a definition. */
  #modulesNamed(file: number, { module, name, relative }: ImportFact): Exported[] {
    if (name === '*' || rulesOf(this.#tree.languageOf(file)).modules !== 'rust') return [];
    return this.modules
      .of(file, `${module}::${name}`, relative)
      .flatMap(({ target, rest }) =>
        target.kind === 'file' && rest.length === 0 && target.file !== file
          ? [{ file: target.file, symbol: -1, reexported: false, sure: true }]
          : [],
      );
  }

  #fitting(found: readonly Exported[], use: ReferenceKind | null): Resolved[] {
    const kinds = found.map((one) => ({
      ...one,
      kind: one.symbol < 0 ? ('module' as const) : this.#tree.symbolsOf(one.file)[one.symbol]!.kind,
    }));
    const fitting = use === null ? kinds : bestFitting(use, kinds);
    const kept = fitting.length > 0 ? fitting : kinds;
    const isOne = new Set(kept.map(({ file }) => this.#tree.contentOf(file))).size <= 1;
    return kept.map(({ file, symbol, reexported, sure }) => ({
      file,
      symbol,
      how: reexported ? 're-export' : 'import',
      confidence: sure && isOne ? 'certain' : 'likely',
    }));
  }

  #plain(file: number, use: Use): UseMeaning {
    const rules = rulesOf(this.#tree.languageOf(file));
    const imports = this.#tree.importsOf(file);
    const explicit = imports.filter(({ local }) => local === use.name);
    const around = explicit.length === 0 ? undefined : this.#tree.symbolsOf(file)[use.from];
    const within = explicit.filter(
      ({ start }) => around !== undefined && start >= around.start && start < around.end,
    );
    const here = within.length > 0 ? [] : this.#inFile(file, use, rules);
    if (here.length > 0) return { found: here, outside: false };
    for (const one of [...within, ...explicit]) {
      const meaning = this.#imported(file, one, use.kind);
      if (meaning.found.length > 0) return meaning;
    }
    if (explicit.length > 0) return outside;
    const inherited = this.#inherited(file, use, rules);
    if (inherited.length > 0) return { found: inherited, outside: false };
    const found = this.#onceInFile(file, `plain ${use.kind} ${use.name}`, () => {
      const beside = this.#inPackage(file, use, rules);
      if (beside.length > 0) return beside;
      const taken = this.#throughWildcards(file, use, rules, imports);
      return taken.length > 0 ? taken : this.#byName(file, use, rules);
    });
    return { found, outside: false };
  }

  /** What does not depend on where in a file a name stands. Uses of one file are resolved one after the other: the last file's are kept. */
  #onceInFile(file: number, key: string, find: () => readonly Resolved[]): readonly Resolved[] {
    if (this.#ofLastFile.file !== file) this.#ofLastFile = { file, known: new Map() };
    const { known } = this.#ofLastFile;
    let found = known.get(key);
    if (found === undefined) {
      found = find();
      known.set(key, found);
    }
    return found;
  }

  /** Definitions of the same file that are in scope where the use stands, the innermost. */
  #inFile(file: number, { name, kind, from, start }: Use, rules: LanguageRules): Resolved[] {
    const named = this.#tree.symbolsNamed(file, name);
    if (named.length === 0) return [];
    const symbols = this.#tree.symbolsOf(file);
    const around = ancestors(symbols, from);
    let best: { file: number; symbol: number; kind: SymbolFact['kind'] }[] = [];
    let bestDepth = Number.POSITIVE_INFINITY;
    for (const symbol of named) {
      const definition = symbols[symbol]!;
      if (fitness(kind, definition.kind) === 0) continue;
      const depth = scopeDepth(symbols, symbol, around, rules);
      if (depth < 0 || depth > bestDepth) continue;
      if (depth < bestDepth) best = [];
      bestDepth = depth;
      best.push({ file, symbol, kind: definition.kind });
    }
    const inScope = bestFitting(kind, best).map(({ symbol }) => symbol);
    const isNested = rules.modules === 'ecmascript' && inScope.length > 1;
    if (isNested && start !== undefined)
      inScope.sort((a, b) => behind(symbols[a]!, start) - behind(symbols[b]!, start));
    return inScope.map((symbol, at) => ({
      file,
      symbol,
      how: 'same-file',
      // Functions within functions without a name stand at the top of the facts: several may be in scope, one is.
      confidence: isNested && at > 0 && !symbols[symbol]!.exported ? 'possible' : 'certain',
    }));
  }

  #inherited(file: number, { name, kind, from }: Use, rules: LanguageRules): Resolved[] {
    if (!rules.implicitThis || (kind !== 'call' && kind !== 'use')) return [];
    const type = this.members.around(file, from);
    if (type < 0) return [];
    return this.members.find([{ file, symbol: type, confidence: 'certain' }], name, { use: kind });
  }

  #inPackage(file: number, { name, kind }: Use, rules: LanguageRules): Resolved[] {
    const tree = this.#tree;
    if (rules.samePackage === 'none') return [];
    const revision = tree.revisionOf(file);
    const places =
      rules.samePackage === 'folder'
        ? [this.exports.findIn({ kind: 'folder', revision, folder: folderOf(tree.pathOf(file)) }, name)]
        : namespacesAround(namespaceName(tree.namespaceOf(file) ?? ''), rules).map((namespace) =>
            this.exports.findIn({ kind: 'namespace', name: namespace, revision }, name),
          );
    for (const found of places) {
      const fitting = bestFitting(
        kind,
        found
          .filter((one) => rulesOf(tree.languageOf(one.file)).family === rules.family)
          .map((one) => ({ ...one, kind: tree.symbolsOf(one.file)[one.symbol]!.kind })),
      );
      if (fitting.length === 0) continue;
      const isOne = new Set(fitting.map((one) => tree.contentOf(one.file))).size === 1;
      return fitting.map(({ file: at, symbol }) => ({
        file: at,
        symbol,
        how: 'package',
        confidence: isOne ? 'certain' : 'likely',
      }));
    }
    return [];
  }

  #throughWildcards(
    file: number,
    { name, kind }: Use,
    rules: LanguageRules,
    imports: readonly ImportFact[],
  ): Resolved[] {
    if (rules.modules === 'ecmascript') return [];
    if (rules.modules === 'include') return this.#throughIncludes(file, name, kind);
    for (const one of imports) {
      if (one.name !== '*' || one.local !== '') continue;
      for (const place of this.modules.ofImport(file, one)) {
        const found = this.#fittingOf(this.exports.find(place, name), kind);
        if (found.length > 0) return this.#fitting(found, kind);
      }
    }
    return [];
  }

  #throughIncludes(file: number, name: string, kind: ReferenceKind): Resolved[] {
    for (const included of this.#included.of(file)) {
      const found = this.#fittingOf(this.exports.ownOf(included, name), kind);
      if (found.length > 0) return this.#fitting(found, kind);
    }
    return [];
  }

  #fittingOf(found: readonly Exported[], kind: ReferenceKind): Exported[] {
    const symbols = found.filter(({ symbol }) => symbol >= 0);
    return bestFitting(
      kind,
      symbols.map((hit) => ({ ...hit, kind: this.#tree.symbolsOf(hit.file)[hit.symbol]!.kind })),
    );
  }

  /** No rule of the language leads there: by the name alone, within the repository. */
  #byName(file: number, { name, kind }: Use, rules: LanguageRules): Resolved[] {
    // What a module neither defines nor imports is the platform's: other modules cannot be meant.
    if (rules.modules === 'ecmascript' && this.#isModule(file)) return [];
    // What is exported stands at the top or in a type that is: nothing has to be decoded to tell.
    const found = this.#ofFamily(file, name, rules).filter(
      (place) => fitness(kind, place.kind) > 0 && place.exported && !isOnlyMember(place.kind),
    );
    const fitting = bestFitting(kind, found);
    const contents = new Set(fitting.map((place) => this.#tree.contentOf(place.file))).size;
    if (contents === 1) {
      return fitting.map((place) => ({
        file: place.file,
        symbol: place.symbol,
        how: 'unique-name',
        confidence: rules.reachesByName ? 'likely' : 'possible',
      }));
    }
    if (!rules.reachesByName && contents > UNREACHED_MAX) return [];
    return this.#nearestFirst(file, fitting).map((place) => ({
      file: place.file,
      symbol: place.symbol,
      how: 'name',
      confidence: 'possible',
    }));
  }

  #isModule(file: number): boolean {
    const { length } = this.#tree.importsOf(file);
    return length > 0 || this.#tree.symbolsOf(file).some(({ exported }) => exported);
  }

  #ofFamily(file: number, name: string, rules: LanguageRules): DefinitionPlace[] {
    const tree = this.#tree;
    const isOther = (place: DefinitionPlace) => {
      const language = tree.languageOf(place.file);
      return (
        rulesOf(language).family !== rules.family ||
        (isData(place.kind) && language !== tree.languageOf(file))
      );
    };
    const own = tree.definitions(name, tree.revisionOf(file)).filter((place) => place.kind !== 'package');
    return own.filter((place) => !isOther(place)).slice(0, 4 * CANDIDATES_MAX);
  }

  #nearestFirst(file: number, places: readonly DefinitionPlace[]): DefinitionPlace[] {
    const folder = folderOf(this.#tree.pathOf(file));
    const nearness = new Map(
      places.map((place) => [
        place,
        place.file === file ? -1 : distance(folder, this.#tree.pathOf(place.file)),
      ]),
    );
    return [...places]
      .sort((a, b) => nearness.get(a)! - nearness.get(b)! || a.file - b.file || a.symbol - b.symbol)
      .slice(0, CANDIDATES_MAX);
  }

  /** Types that a name means, nothing that is only possible. */
  #types(file: number, use: Use & { receiver?: string | null }): readonly Resolved[] {
    const { found } =
      use.receiver != null
        ? this.#member(file, { ...noReceiver, ...use, receiver: use.receiver })
        : this.#plain(file, use);
    return found.filter(({ file: at, symbol, confidence }) => {
      const kind = this.#tree.symbolsOf(at)[symbol]?.kind;
      return confidence !== 'possible' && kind !== undefined && (isType(kind) || isHolder(kind));
    });
  }

  #member(file: number, use: ReferenceFact): UseMeaning {
    const { receiver, receiverType, name, kind, from } = use;
    const words = receiver === null ? [] : receiver.split('.');
    const first = words[0] ?? '';
    if (words.length === 1 && (selfWords.has(first) || superWords.has(first))) {
      const type = this.members.around(file, from);
      if (type >= 0) {
        const found = this.members.find([{ file, symbol: type, confidence: 'certain' }], name, {
          use: kind,
          inheritedOnly: superWords.has(first),
        });
        if (found.length > 0) return { found: found.map(sameFile(file)), outside: false };
      }
    }
    if (receiverType !== null) {
      const typed = this.#byType(file, use, receiverType);
      if (typed !== null) return typed;
    }
    if (words.length > 0) {
      const named = this.#byReceiver(file, use, words);
      if (named !== null) return named;
    }
    return { found: this.#candidates(file, use), outside: false };
  }

  /** Null where the type is not known here. */
  #byType(file: number, { name, kind, from, receiver }: ReferenceFact, typeName: string): UseMeaning | null {
    const meaning = this.#plain(file, { name: typeName, kind: 'type', from });
    if (meaning.outside) return outside;
    let types = this.#onlyTypes(meaning.found);
    if (types.length === 0) types = this.#typesOfImports(file, typeName);
    if (types.length === 0) return null;
    const found = this.members.find(types, name, { use: kind });
    // What is declared may be a subtype of it; what is inferred from a name, something else.
    const isOwn = receiver !== null && selfWords.has(receiver);
    return {
      found: found.map((one) =>
        isOwn || one.confidence === 'possible' ? one : { ...one, confidence: 'likely' },
      ),
      outside: found.length === 0,
    };
  }

  #onlyTypes(found: readonly Resolved[]): Resolved[] {
    return found.filter(({ file, symbol, confidence }) => {
      const kind = this.#tree.symbolsOf(file)[symbol]?.kind;
      return confidence !== 'possible' && kind !== undefined && isType(kind);
    });
  }

  /** A type whose package's name facts do not keep: `client.Client` is Client. */
  #typesOfImports(file: number, typeName: string): Resolved[] {
    const found: Resolved[] = [];
    for (const one of this.#tree.importsOf(file)) {
      if (one.name !== '*' || one.local === '') continue;
      for (const place of this.modules.ofImport(file, one)) {
        const types = this.#onlyTypes(this.#fitting(this.exports.find(place, typeName), 'type'));
        found.push(...types.map((type): Resolved => ({ ...type, confidence: 'likely' })));
      }
    }
    return found;
  }

  /** Null where what stands before the dot says nothing. */
  #byReceiver(file: number, use: ReferenceFact, words: readonly string[]): UseMeaning | null {
    const imports = this.#tree.importsOf(file);
    for (let length = words.length; length > 0; length--) {
      const prefix = words.slice(0, length).join('.');
      const bound = imports.filter(({ local }) => local === prefix);
      if (bound.length === 0) continue;
      for (const one of bound) {
        const found = this.#throughImport(file, one, [...words.slice(length), use.name], use.kind);
        if (found === null) return null;
        if (found.length > 0) return { found, outside: false };
      }
      return outside;
    }
    const rules = rulesOf(this.#tree.languageOf(file));
    if (rules.modules === 'python') {
      // `import a.b` binds `a`.
      const below = imports.find(
        ({ local, module }) => local === module && module.startsWith(`${words[0]}.`),
      );
      if (below !== undefined) {
        const top = { ...below, module: words[0]!, local: words[0]! };
        const found = this.#throughImport(file, top, [...words.slice(1), use.name], use.kind);
        if (found !== null) return { found, outside: found.length === 0 };
      }
    }
    if (rules.modules === 'rust') {
      const found = this.modules
        .of(file, words.join('::'), false)
        .flatMap((place) => this.#fitting(this.exports.find(place, use.name), use.kind));
      if (found.length > 0) return { found: found.map(asNamespace), outside: false };
    }
    const root = this.#plain(file, { name: words[0]!, kind: 'use', from: use.from });
    const known = root.found.filter(({ confidence }) => confidence !== 'possible');
    if (known.length > 0) {
      const found = this.#follow(known, [...words.slice(1), use.name], use.kind);
      if (found !== null) return { found, outside: found.length === 0 };
      return null;
    }
    if (rules.modules === 'namespace' || rules.family === 'c' || rules.family === 'ruby') {
      const revision = this.#tree.revisionOf(file);
      const whole = this.exports.findIn(
        { kind: 'namespace', name: namespaceName(words.join('.')), revision },
        use.name,
      );
      if (whole.length > 0) return { found: this.#fitting(whole, use.kind).map(asNamespace), outside: false };
    }
    return null;
  }

  /** Null where the import leads to a value of which no type is known. */
  #throughImport(
    file: number,
    one: ImportFact,
    path: readonly string[],
    use: ReferenceKind,
  ): Resolved[] | null {
    const places = this.modules.ofImport(file, one);
    if (one.name !== '*') {
      const { found } = this.#imported(file, one, null);
      return found.length === 0 ? [] : this.#follow(found, path, use);
    }
    const [next = '', ...rest] = path;
    const within = places.flatMap((place) => this.exports.find(place, next));
    if (within.length === 0) {
      // `require` gives what a module exports as a whole: an object or class, too.
      const whole = places.flatMap((place) =>
        place.target.kind === 'file' ? this.exports.findIn(place.target, 'default') : [],
      );
      const values = whole.filter(({ symbol }) => symbol >= 0);
      return values.length === 0 ? [] : this.#follow(this.#fitting(values, null), path, use);
    }
    if (rest.length > 0) return this.#follow(this.#fitting(within, null), rest, use);
    return this.#fitting(within, use).map(asNamespace);
  }

  /** From definitions or modules on along names with dots. Null where the way leads through a value without a known type. */
  #follow(from: readonly Resolved[], path: readonly string[], use: ReferenceKind): Resolved[] | null {
    let level = from;
    let knowsType = false;
    for (const [at, name] of path.entries()) {
      const kind = at === path.length - 1 ? use : 'use';
      const next: Resolved[] = [];
      for (const one of level) {
        const symbol = this.#tree.symbolsOf(one.file)[one.symbol];
        if (one.symbol < 0) {
          knowsType = true;
          const found = this.exports.findIn({ kind: 'file', file: one.file }, name);
          next.push(...this.#fitting(found, kind).map(asNamespace));
        } else if (symbol !== undefined && (isType(symbol.kind) || isHolder(symbol.kind))) {
          knowsType = true;
          next.push(...this.members.find([one], name, { use: kind }));
        } else if (symbol?.type != null) {
          const types = this.#onlyTypes(
            this.#plain(one.file, { name: symbol.type, kind: 'type', from: one.symbol }).found,
          );
          if (types.length > 0) knowsType = true;
          const found = this.members.find(types, name, { use: kind });
          next.push(...found.map((hit): Resolved => ({ ...hit, confidence: weaker(hit.confidence) })));
        } else {
          // Objects: what stands within a constant is a member of it.
          const found = this.members.own(one, name, kind);
          next.push(...found.map((hit): Resolved => ({ ...hit, how: one.how, confidence: one.confidence })));
          const beside = found.length > 0 ? [] : this.#besideExported(one, name, kind);
          next.push(...beside);
          if (found.length > 0 || beside.length > 0) knowsType = true;
        }
      }
      level = next;
      if (level.length === 0) return knowsType ? [] : null;
    }
    return [...level];
  }

  /** `module.exports = create; exports.start = …`: what a module exports beside a function is a member of it. */
  #besideExported({ file, symbol }: Resolved, name: string, kind: ReferenceKind): Resolved[] {
    const symbols = this.#tree.symbolsOf(file);
    if (rulesOf(this.#tree.languageOf(file)).modules !== 'ecmascript' || symbols[symbol]!.parent >= 0)
      return [];
    const found = this.exports.findIn({ kind: 'file', file }, name);
    return this.#fitting(found, kind)
      .filter((hit) => this.#tree.symbolsOf(hit.file)[hit.symbol]?.exported === true)
      .map((hit) => ({ ...hit, confidence: 'likely' }));
  }

  /** Members of the name that may be meant where no type is known: each is only possible. */
  #candidates(file: number, { name, kind }: ReferenceFact): readonly Resolved[] {
    return this.#onceInFile(file, `member ${kind} ${name}`, () => this.#findCandidates(file, name, kind));
  }

  #findCandidates(file: number, name: string, kind: ReferenceKind): Resolved[] {
    const rules = rulesOf(this.#tree.languageOf(file));
    const found = this.#ofFamily(file, name, rules).filter(
      (place) =>
        fitness(kind, place.kind) > 0 &&
        (isOnlyMember(place.kind) ||
          // Of an object that holds it: one of another file must come from there.
          (rules.modules === 'ecmascript' &&
            place.kind === 'function' &&
            (place.exported || place.file === file))),
    );
    const own = this.#nearestFirst(file, found);
    const further = own.length >= CANDIDATES_MAX ? [] : this.#ofImportedPackages(file, name, kind, rules);
    const all = [...own, ...further].slice(0, CANDIDATES_MAX);
    const isOne =
      new Set(all.map(({ file: at, symbol }) => `${this.#tree.contentOf(at)} ${symbol}`)).size === 1;
    return all.map((place) => ({
      file: place.file,
      symbol: place.symbol,
      how: isOne ? 'unique-name' : 'name',
      confidence: 'possible',
    }));
  }

  /** Members in other repositories that this file imports something from. */
  #ofImportedPackages(
    file: number,
    name: string,
    kind: ReferenceKind,
    rules: LanguageRules,
  ): DefinitionPlace[] {
    const revisions = this.#importedRevisions.of(file);
    if (revisions.size === 0) return [];
    const places: DefinitionPlace[] = [];
    for (const revision of revisions) {
      for (const place of this.#tree.definitions(name, revision)) {
        if (places.length >= CANDIDATES_MAX) return places;
        if (fitness(kind, place.kind) === 0 || !isOnlyMember(place.kind) || !place.exported) continue;
        if (rulesOf(this.#tree.languageOf(place.file)).family === rules.family) places.push(place);
      }
    }
    return places;
  }
}

const noReceiver: ReferenceFact = {
  name: '',
  kind: 'type',
  start: 0,
  line: 1,
  from: -1,
  receiver: null,
  receiverType: null,
};

function asNamespace(one: Resolved): Resolved {
  return one.how === 'import' ? { ...one, how: 'namespace' } : one;
}

function sameFile(file: number): (one: Resolved) => Resolved {
  return (one) => (one.file === file && one.how === 'receiver-type' ? { ...one, how: 'same-file' } : one);
}

function weaker(confidence: Resolved['confidence']): Resolved['confidence'] {
  return confidence === 'certain' ? 'likely' : confidence;
}

/** C# sees the namespaces around its own, too. */
function namespacesAround(namespace: string, rules: LanguageRules): string[] {
  const all = [namespace];
  if (rules.family !== 'dotnet') return all;
  for (let dot = namespace.lastIndexOf('.'); dot > 0; dot = namespace.lastIndexOf('.', dot - 1))
    all.push(namespace.slice(0, dot));
  return all;
}
