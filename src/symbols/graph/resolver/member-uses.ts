import type { ImportFact, ReferenceFact, ReferenceKind } from '../../../search/index.ts';
import { isHolder, isType } from './kind-fit.ts';
import { rulesOf } from './language-rules.ts';
import type { ModuleExports } from './module-exports.ts';
import { type ModuleTargets, namespaceName } from './module-targets.ts';
import type { NameCandidates } from './name-candidates.ts';
import { outside, type PlainUses } from './plain-uses.ts';
import type { TypeMembers } from './type-members.ts';
import type { Resolved, ResolverTree, UseMeaning } from './types.ts';

const selfWords: ReadonlySet<string> = new Set(['this', 'self', 'cls', 'Self', 'static', '@']);
const superWords: ReadonlySet<string> = new Set(['super', 'parent', 'base']);

export interface MemberParts {
  modules: ModuleTargets;
  exports: ModuleExports;
  members: TypeMembers;
  candidates: NameCandidates;
  plain: PlainUses;
}

/** Names behind a dot: by the type or module of what stands before it. */
export class MemberUses {
  readonly #tree: ResolverTree;
  readonly #modules: ModuleTargets;
  readonly #exports: ModuleExports;
  readonly #members: TypeMembers;
  readonly #candidates: NameCandidates;
  readonly #plain: PlainUses;

  constructor(tree: ResolverTree, { modules, exports, members, candidates, plain }: MemberParts) {
    this.#tree = tree;
    this.#modules = modules;
    this.#exports = exports;
    this.#members = members;
    this.#candidates = candidates;
    this.#plain = plain;
  }

  resolve(file: number, use: ReferenceFact): UseMeaning {
    const { receiver, receiverType, name, kind, from } = use;
    const words = receiver === null ? [] : receiver.split('.');
    const first = words[0] ?? '';
    if (words.length === 1 && (selfWords.has(first) || superWords.has(first))) {
      const type = this.#members.around(file, from);
      if (type >= 0) {
        const found = this.#members.find([{ file, symbol: type, confidence: 'certain' }], name, {
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
    return { found: this.#candidates.members(file, use), outside: false };
  }

  /** Null where the type is not known here. */
  #byType(file: number, { name, kind, from, receiver }: ReferenceFact, typeName: string): UseMeaning | null {
    const meaning = this.#plain.resolve(file, { name: typeName, kind: 'type', from });
    if (meaning.outside) return outside;
    let types = this.#onlyTypes(meaning.found);
    if (types.length === 0) types = this.#typesOfImports(file, typeName);
    if (types.length === 0) return null;
    const found = this.#members.find(types, name, { use: kind });
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
      for (const place of this.#modules.ofImport(file, one)) {
        const types = this.#onlyTypes(this.#plain.fitting(this.#exports.find(place, typeName), 'type'));
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
      const found = this.#modules
        .of(file, words.join('::'), false)
        .flatMap((place) => this.#plain.fitting(this.#exports.find(place, use.name), use.kind));
      if (found.length > 0) return { found: found.map(asNamespace), outside: false };
    }
    const root = this.#plain.resolve(file, { name: words[0]!, kind: 'use', from: use.from });
    const known = root.found.filter(({ confidence }) => confidence !== 'possible');
    if (known.length > 0) {
      const found = this.#follow(known, [...words.slice(1), use.name], use.kind);
      if (found !== null) return { found, outside: found.length === 0 };
      return null;
    }
    if (rules.modules === 'namespace' || rules.family === 'c' || rules.family === 'ruby') {
      const revision = this.#tree.revisionOf(file);
      const whole = this.#exports.findIn(
        { kind: 'namespace', name: namespaceName(words.join('.')), revision },
        use.name,
      );
      if (whole.length > 0)
        return { found: this.#plain.fitting(whole, use.kind).map(asNamespace), outside: false };
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
    const places = this.#modules.ofImport(file, one);
    if (one.name !== '*') {
      const { found } = this.#plain.imported(file, one, null);
      return found.length === 0 ? [] : this.#follow(found, path, use);
    }
    const [next = '', ...rest] = path;
    const within = places.flatMap((place) => this.#exports.find(place, next));
    if (within.length === 0) {
      // `require` gives what a module exports as a whole: an object or class, too.
      const whole = places.flatMap((place) =>
        place.target.kind === 'file' ? this.#exports.findIn(place.target, 'default') : [],
      );
      const values = whole.filter(({ symbol }) => symbol >= 0);
      return values.length === 0 ? [] : this.#follow(this.#plain.fitting(values, null), path, use);
    }
    if (rest.length > 0) return this.#follow(this.#plain.fitting(within, null), rest, use);
    return this.#plain.fitting(within, use).map(asNamespace);
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
          const found = this.#exports.findIn({ kind: 'file', file: one.file }, name);
          next.push(...this.#plain.fitting(found, kind).map(asNamespace));
        } else if (symbol !== undefined && (isType(symbol.kind) || isHolder(symbol.kind))) {
          knowsType = true;
          next.push(...this.#members.find([one], name, { use: kind }));
        } else if (symbol?.type != null) {
          const types = this.#onlyTypes(
            this.#plain.resolve(one.file, { name: symbol.type, kind: 'type', from: one.symbol }).found,
          );
          if (types.length > 0) knowsType = true;
          const found = this.#members.find(types, name, { use: kind });
          next.push(...found.map((hit): Resolved => ({ ...hit, confidence: weaker(hit.confidence) })));
        } else {
          // Objects: what stands within a constant is a member of it.
          const found = this.#members.own(one, name, kind);
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
    const found = this.#exports.findIn({ kind: 'file', file }, name);
    return this.#plain
      .fitting(found, kind)
      .filter((hit) => this.#tree.symbolsOf(hit.file)[hit.symbol]?.exported === true)
      .map((hit) => ({ ...hit, confidence: 'likely' }));
  }
}

function asNamespace(one: Resolved): Resolved {
  return one.how === 'import' ? { ...one, how: 'namespace' } : one;
}

function sameFile(file: number): (one: Resolved) => Resolved {
  return (one) => (one.file === file && one.how === 'receiver-type' ? { ...one, how: 'same-file' } : one);
}

function weaker(confidence: Resolved['confidence']): Resolved['confidence'] {
  return confidence === 'certain' ? 'likely' : confidence;
}
