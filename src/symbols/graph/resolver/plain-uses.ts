import type { ImportFact, ReferenceKind, SymbolFact } from '../../../search/index.ts';
import { IncludedFiles } from './included-files.ts';
import { bestFitting, fitness } from './kind-fit.ts';
import { type LanguageRules, rulesOf } from './language-rules.ts';
import { ancestors, behind, scopeDepth } from './local-scopes.ts';
import type { Exported, ModuleExports } from './module-exports.ts';
import { type ModuleTargets, namespaceName } from './module-targets.ts';
import type { NameCandidates } from './name-candidates.ts';
import type { OnceInFile } from './once-in-file.ts';
import { folderOf } from './paths.ts';
import type { TypeMembers } from './type-members.ts';
import type { PlainUse, Resolved, ResolverTree, UseMeaning } from './types.ts';

export const outside: UseMeaning = { found: [], outside: true };

export interface PlainParts {
  modules: ModuleTargets;
  exports: ModuleExports;
  members: TypeMembers;
  candidates: NameCandidates;
  once: OnceInFile;
}

/** Names without anything before them: by scopes, imports, packages, includes. */
export class PlainUses {
  readonly #tree: ResolverTree;
  readonly #modules: ModuleTargets;
  readonly #exports: ModuleExports;
  readonly #members: TypeMembers;
  readonly #candidates: NameCandidates;
  readonly #included: IncludedFiles;
  readonly #once: OnceInFile;

  constructor(tree: ResolverTree, { modules, exports, members, candidates, once }: PlainParts) {
    this.#tree = tree;
    this.#modules = modules;
    this.#exports = exports;
    this.#members = members;
    this.#candidates = candidates;
    this.#included = new IncludedFiles(tree, modules);
    this.#once = once;
  }

  resolve(file: number, use: PlainUse): UseMeaning {
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
      const meaning = this.imported(file, one, use.kind);
      if (meaning.found.length > 0) return meaning;
    }
    if (explicit.length > 0) return outside;
    const inherited = this.#inherited(file, use, rules);
    if (inherited.length > 0) return { found: inherited, outside: false };
    const found = this.#once.find(file, `plain ${use.kind} ${use.name}`, () => {
      const beside = this.#inPackage(file, use, rules);
      if (beside.length > 0) return beside;
      const taken = this.#throughWildcards(file, use, rules, imports);
      return taken.length > 0 ? taken : this.#candidates.byName(file, use, rules);
    });
    return { found, outside: false };
  }

  /** What an import leads to, as a use of a kind means it. */
  imported(file: number, one: ImportFact, use: ReferenceKind | null): UseMeaning {
    const places = this.#modules.ofImport(file, one);
    const found: Exported[] = [];
    for (const place of places) {
      if (one.name !== '*') found.push(...this.#exports.find(place, one.name));
      else if (place.target.kind === 'file' && place.rest.length === 0) {
        const called = use === 'call' || use === 'new' || use === 'extends' || use === 'annotation';
        const whole = use === 'use' ? this.#exports.wholeOf(place.target.file) : null;
        const module = { file: place.target.file, symbol: -1, reexported: false, sure: true };
        found.push(...(called ? this.#exports.findIn(place.target, 'default') : [whole ?? module]));
      }
    }
    if (found.length === 0) found.push(...this.#modulesNamed(file, one));
    if (found.length === 0) return outside;
    return { found: this.fitting(found, use), outside: false };
  }

  /** Those of what is found that fit a use best. */
  fitting(found: readonly Exported[], use: ReferenceKind | null): Resolved[] {
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

  /** `use crate::money`: a module is named as if it were a definition. */
  #modulesNamed(file: number, { module, name, relative }: ImportFact): Exported[] {
    if (name === '*' || rulesOf(this.#tree.languageOf(file)).modules !== 'rust') return [];
    return this.#modules
      .of(file, `${module}::${name}`, relative)
      .flatMap(({ target, rest }) =>
        target.kind === 'file' && rest.length === 0 && target.file !== file
          ? [{ file: target.file, symbol: -1, reexported: false, sure: true }]
          : [],
      );
  }

  /** Definitions of the same file that are in scope where the use stands, the innermost. */
  #inFile(file: number, { name, kind, from, start }: PlainUse, rules: LanguageRules): Resolved[] {
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

  #inherited(file: number, { name, kind, from }: PlainUse, rules: LanguageRules): Resolved[] {
    if (!rules.implicitThis || (kind !== 'call' && kind !== 'use')) return [];
    const type = this.#members.around(file, from);
    if (type < 0) return [];
    return this.#members.find([{ file, symbol: type, confidence: 'certain' }], name, { use: kind });
  }

  #inPackage(file: number, { name, kind }: PlainUse, rules: LanguageRules): Resolved[] {
    const tree = this.#tree;
    if (rules.samePackage === 'none') return [];
    const revision = tree.revisionOf(file);
    const places =
      rules.samePackage === 'folder'
        ? [this.#exports.findIn({ kind: 'folder', revision, folder: folderOf(tree.pathOf(file)) }, name)]
        : namespacesAround(namespaceName(tree.namespaceOf(file) ?? ''), rules).map((namespace) =>
            this.#exports.findIn({ kind: 'namespace', name: namespace, revision }, name),
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
    { name, kind }: PlainUse,
    rules: LanguageRules,
    imports: readonly ImportFact[],
  ): Resolved[] {
    if (rules.modules === 'ecmascript') return [];
    if (rules.modules === 'include') return this.#throughIncludes(file, name, kind);
    for (const one of imports) {
      if (one.name !== '*' || one.local !== '') continue;
      for (const place of this.#modules.ofImport(file, one)) {
        const found = this.#fittingOf(this.#exports.find(place, name), kind);
        if (found.length > 0) return this.fitting(found, kind);
      }
    }
    return [];
  }

  #throughIncludes(file: number, name: string, kind: ReferenceKind): Resolved[] {
    for (const included of this.#included.of(file)) {
      const found = this.#fittingOf(this.#exports.ownOf(included, name), kind);
      if (found.length > 0) return this.fitting(found, kind);
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
}

/** C# sees the namespaces around its own, too. */
function namespacesAround(namespace: string, rules: LanguageRules): string[] {
  const all = [namespace];
  if (rules.family !== 'dotnet') return all;
  for (let dot = namespace.lastIndexOf('.'); dot > 0; dot = namespace.lastIndexOf('.', dot - 1))
    all.push(namespace.slice(0, dot));
  return all;
}
