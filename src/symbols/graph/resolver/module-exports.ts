import type { ImportFact, SymbolFact } from '../../../search/index.ts';
import { isData, isHolder, isOnlyMember, isType } from './kind-fit.ts';
import { rulesOf } from './language-rules.ts';
import { type ModulePlace, type ModuleTargets, namespaceName } from './module-targets.ts';
import { folderOf, stemOf } from './paths.ts';
import type { DefinitionPlace, Meant, ModuleTarget, ResolverTree } from './types.ts';

export interface Exported extends Meant {
  /** Through another file that hands it on. */
  readonly reexported: boolean;
  /** False: the language's rules leave it open, and it is what is likely. */
  readonly sure: boolean;
}

/** Files that a chain of re-exports may lead through. */
const CHAIN_MAX = 64;
const DEPTH_MAX = 10;
/** Definitions whose namespace is looked at. */
const NAMESPACE_LOOKS_MAX = 40;
const FAR_LOOKS_MAX = 16;
const KEPT_MAX = 50_000;

/** What names mean to who imports them: definitions of a module, or what it hands on. */
export class ModuleExports {
  readonly #tree: ResolverTree;
  readonly #modules: ModuleTargets;
  readonly #known = new Map<string, readonly Exported[]>();
  /** What is being looked for: a way that leads back to it ends there. */
  readonly #open = new Set<string>();
  #wasCut = false;

  constructor(tree: ResolverTree, modules: ModuleTargets) {
    this.#tree = tree;
    this.#modules = modules;
  }

  find({ target, rest }: ModulePlace, name: string): readonly Exported[] {
    if (rest.length === 0) return this.findIn(target, name);
    const [first = '', ...further] = [...rest, name];
    return further.reduce<readonly Exported[]>(
      (found, part) => found.flatMap((outer) => this.within(outer, part)),
      this.findIn(target, first),
    );
  }

  findIn(target: ModuleTarget, name: string): readonly Exported[] {
    const key = `${keyOf(target)} ${name}`;
    let found = this.#known.get(key);
    if (found !== undefined) return found;
    if (this.#open.has(key)) {
      this.#wasCut = true;
      return [];
    }
    this.#open.add(key);
    try {
      found = this.#find(target, name);
    } finally {
      this.#open.delete(key);
    }
    // What was found on a way that was cut depends on where it began, and is not kept.
    if (!this.#wasCut) {
      if (this.#known.size >= KEPT_MAX) this.#known.clear();
      this.#known.set(key, found);
    }
    if (this.#open.size === 0) this.#wasCut = false;
    return found;
  }

  /** What a file itself defines at its top. */
  ownOf(file: number, name: string): Exported[] {
    const named = this.#tree.symbolsNamed(file, name);
    if (named.length === 0) return [];
    const symbols = this.#tree.symbolsOf(file);
    const own = named.filter((symbol) => isTop(symbols, symbol) && !isHolder(symbols[symbol]!.kind));
    const open = own.filter((symbol) => symbols[symbol]!.exported);
    return (open.length > 0 ? open : own).map((symbol) => ({ file, symbol, reexported: false, sure: true }));
  }

  /** Revisions that define a name of a namespace. On the JVM paths tell it, and nothing is decoded. */
  revisionsOf(
    { name: namespace, revision }: Extract<ModuleTarget, { kind: 'namespace' }>,
    name: string,
    family: string,
  ): number[] {
    const tree = this.#tree;
    if (family !== 'jvm') {
      const found = this.findIn({ kind: 'namespace', name: namespace, revision }, name);
      return found.map(({ file }) => tree.revisionOf(file));
    }
    const folder = `/${namespace.replaceAll('.', '/')}/`;
    const isThere = ({ file, kind }: DefinitionPlace) =>
      !isData(kind) && `/${folderOf(tree.pathOf(file))}`.endsWith(folder);
    if (tree.definitions(name, revision).some(isThere)) return [revision];
    const elsewhere = tree.definitionsEverywhere(name).filter(isThere);
    return elsewhere.map(({ file }) => tree.revisionOf(file));
  }

  /** Members of a type, module or namespace in its own file. */
  within(outer: Exported, name: string): Exported[] {
    const named = this.#tree.symbolsNamed(outer.file, name);
    if (named.length === 0) return [];
    const symbols = this.#tree.symbolsOf(outer.file);
    if (symbols[outer.symbol] === undefined) return [];
    return named
      .filter((symbol) => holds(symbols, outer.symbol, symbol))
      .map((symbol) => ({ ...outer, symbol }));
  }

  #find(target: ModuleTarget, name: string): readonly Exported[] {
    switch (target.kind) {
      case 'file': {
        const walk = { seen: new Set<number>(), looked: 0 };
        return name === 'default' && rulesOf(this.#tree.languageOf(target.file)).modules === 'ecmascript'
          ? this.#default(target.file, walk, 0)
          : this.#inFile(target.file, name, walk, 0);
      }
      case 'folder':
        return this.#inFolder(target.revision, target.folder, name);
      case 'namespace':
        return this.#inNamespace(target.name, name, target.revision);
      case 'package':
        return this.#inPackage(target.revision, target.folder, name);
    }
  }

  #inFile(file: number, name: string, walk: Walk, depth: number): Exported[] {
    if (depth > DEPTH_MAX || walk.looked >= CHAIN_MAX || walk.seen.has(file)) return [];
    walk.seen.add(file);
    walk.looked++;
    const rules = rulesOf(this.#tree.languageOf(file));
    const reexported = depth > 0;
    const own = this.ownOf(file, name);
    if (own.length > 0) return own.map((one) => ({ ...one, reexported }));
    const imports = this.#tree.importsOf(file);
    const bound = imports.filter(
      (one) => one.local === name || (one.local === '' && one.name === name && one.reexport),
    );
    const isSaid = rules.modules === 'ecmascript';
    const said = this.#throughImports(
      file,
      isSaid ? bound.filter(({ reexport }) => reexport) : bound,
      walk,
      depth,
    );
    if (said.length > 0) return said;
    if (rules.modules === 'python') {
      const below = this.#modules.of(file, `.${name}`, true)[0]?.target;
      if (below?.kind === 'file' && below.file !== file && isPackageFile(this.#tree.pathOf(file))) {
        return [{ file: below.file, symbol: -1, reexported: false, sure: true }];
      }
    }
    if (rules.modules === 'ecmascript') {
      const whole = this.#handedOnWhole(file);
      for (const place of whole) {
        const found = this.#through(place, name, walk, depth);
        if (found.length > 0) return found;
      }
    }
    for (const one of imports) {
      if (one.name !== '*' || one.local !== '') continue;
      if (
        !one.reexport &&
        (rules.modules === 'ecmascript' || rules.modules === 'rust' || rules.modules === 'go')
      ) {
        continue;
      }
      for (const place of this.#modules.ofImport(file, one)) {
        const found = this.#through(place, name, walk, depth);
        if (found.length > 0) return found;
      }
    }
    // What is imported for the module's own use: it may be handed on in a way that facts do not tell.
    return isSaid
      ? this.#throughImports(
          file,
          bound.filter(({ reexport }) => !reexport),
          walk,
          depth,
        )
      : [];
  }

  #throughImports(file: number, imports: readonly ImportFact[], walk: Walk, depth: number): Exported[] {
    for (const one of imports) {
      if (one.module === '') {
        // `export { a as b }` of what is here.
        walk.seen.delete(file);
        return this.#inFile(file, one.name, walk, depth + 1).map((found) => ({
          ...found,
          reexported: depth > 0,
        }));
      }
      for (const place of this.#modules.ofImport(file, one)) {
        const found = this.#through(place, one.name, walk, depth);
        if (found.length > 0) return found;
      }
    }
    return [];
  }

  /** `module.exports = Router`: the module is the function or class; null where it is an object or none of CommonJS. */
  wholeOf(file: number): Exported | null {
    if (rulesOf(this.#tree.languageOf(file)).modules !== 'ecmascript') return null;
    const name =
      /(?:^|\n)\s*(?:exports\s*=\s*)?module\.exports\s*=\s*(?:exports\s*=\s*)?([\w$]+)\s*(?:;|\n|$)/.exec(
        this.#tree.textOf(file) ?? '',
      )?.[1];
    if (name === undefined) return null;
    const symbols = this.#tree.symbolsOf(file);
    const meant = this.#tree
      .symbolsNamed(file, name)
      .find(
        (symbol) =>
          symbols[symbol]!.parent < 0 &&
          (symbols[symbol]!.kind === 'function' || symbols[symbol]!.kind === 'class'),
      );
    return meant === undefined ? null : { file, symbol: meant, reexported: false, sure: true };
  }

  /** On along a chain; `*` is the module itself. */
  #through({ target, rest }: ModulePlace, name: string, walk: Walk, depth: number): Exported[] {
    if (target.kind !== 'file' || rest.length > 0) {
      return this.find({ target, rest }, name).map((found) => ({ ...found, reexported: true }));
    }
    if (name === '*') {
      const whole = this.wholeOf(target.file);
      return [whole ?? { file: target.file, symbol: -1, reexported: true, sure: true }];
    }
    const isDefault =
      name === 'default' && rulesOf(this.#tree.languageOf(target.file)).modules === 'ecmascript';
    return isDefault
      ? this.#default(target.file, walk, depth + 1)
      : this.#inFile(target.file, name, walk, depth + 1);
  }

  /** Facts do not say which definition is the default one: the text in front of it does, or there is but one. */
  #default(file: number, walk: Walk, depth: number): Exported[] {
    if (depth > DEPTH_MAX || walk.looked >= CHAIN_MAX) return [];
    walk.looked++;
    const reexported = depth > 0;
    const said = this.#tree
      .importsOf(file)
      .filter(
        ({ reexport, local, name }) =>
          reexport && (local === 'default' || (local === '' && name === 'default')),
      );
    const handedOn = this.#throughImports(file, said, walk, depth);
    if (handedOn.length > 0) return handedOn;
    const symbols = this.#tree.symbolsOf(file);
    const tops = symbols.flatMap(({ parent, exported }, symbol) => (parent < 0 && exported ? [symbol] : []));
    for (const place of this.#handedOnWhole(file)) {
      const found = this.#through(place, 'default', walk, depth);
      if (found.length > 0) return found;
    }
    const make = (symbol: number, sure: boolean) => [{ file, symbol, reexported, sure }];
    if (tops.length === 0) return make(-1, true);
    const text = this.#tree.textOf(file);
    if (text !== null) {
      const bytes = Buffer.from(text);
      const named = tops.find((symbol) =>
        bytes
          .toString('utf8', symbols[symbol]!.start, symbols[symbol]!.start + 15)
          .startsWith('export default'),
      );
      if (named !== undefined) return make(named, true);
      const said =
        /(?:^|\n)\s*(?:export default|module\.exports\s*=|exports\s*=\s*module\.exports\s*=)\s*(?:new\s+)?([\w$]+)/.exec(
          text,
        )?.[1];
      const meant =
        said === undefined ? undefined : symbols.findIndex(({ name, parent }) => parent < 0 && name === said);
      if (meant !== undefined && meant >= 0) return make(meant, true);
    }
    if (tops.length === 1) return make(tops[0]!, false);
    const stem = stemOf(this.#tree.pathOf(file)).toLowerCase().replace(/[-_]/g, '');
    const alike = tops.find((symbol) => symbols[symbol]!.name.toLowerCase() === stem);
    return alike === undefined ? make(-1, false) : make(alike, false);
  }

  /** `module.exports = require('./lib')`: facts say what is required, the text that nothing else is done with it. */
  #handedOnWhole(file: number): readonly ModulePlace[] {
    const imports = this.#tree.importsOf(file);
    if (!imports.some(({ name, local, reexport }) => name === '*' && local === '' && !reexport)) return [];
    const text = this.#tree.textOf(file) ?? '';
    const module = /(?:^|\n)\s*module\.exports\s*=\s*require\(\s*['"]([^'"\n]+)['"]\s*\)/.exec(text)?.[1];
    return module === undefined ? [] : this.#modules.of(file, module, module.startsWith('.'));
  }

  #inFolder(revision: number, folder: string, name: string): Exported[] {
    const here = this.#tree
      .definitions(name, revision)
      .filter(({ kind }) => kind !== 'package' && !isOnlyMember(kind))
      .filter(({ file }) => folderOf(this.#tree.pathOf(file)) === folder)
      .filter(({ file, symbol }) => isTop(this.#tree.symbolsOf(file), symbol));
    const tests = (file: number) => this.#tree.pathOf(file).endsWith('_test.go');
    const outside = here.filter(({ file }) => !tests(file));
    return (outside.length > 0 ? outside : here).map(found);
  }

  #inPackage(revision: number, folder: string, name: string): Exported[] {
    return this.#tree
      .definitions(name, revision)
      .filter(({ file, exported }) => exported && this.#tree.pathOf(file).startsWith(folder))
      .filter(({ file, symbol }) => isTop(this.#tree.symbolsOf(file), symbol))
      .slice(0, 4)
      .map((place) => ({ ...found(place), sure: false }));
  }

  #inNamespace(namespace: string, name: string, revision: number): Exported[] {
    const own = this.#ofNamespace(this.#tree.definitions(name, revision), name, namespace);
    if (own.length > 0) return own;
    const elsewhere = this.#ofNamespace(this.#tree.definitionsEverywhere(name), name, namespace);
    if (elsewhere.length > 0) return elsewhere;
    // `a.b.C` may be a type: the name is a member of it.
    const dot = namespace.lastIndexOf('.');
    if (dot < 0 || !/^\p{Lu}/u.test(namespace.slice(dot + 1))) return [];
    return this.findIn(
      { kind: 'namespace', name: namespace.slice(0, dot), revision },
      namespace.slice(dot + 1),
    ).flatMap((type) => this.within(type, name));
  }

  /** Those of the definitions that say they belong to a namespace. */
  #ofNamespace(definitions: readonly DefinitionPlace[], name: string, namespace: string): Exported[] {
    const folder = `/${namespace.replaceAll('.', '/')}/`;
    const code = definitions.filter(({ kind }) => !isData(kind) && kind !== 'package');
    const isNear = ({ file }: DefinitionPlace) => `/${folderOf(this.#tree.pathOf(file))}`.endsWith(folder);
    const near = code.filter(isNear);
    const inNear = near.slice(0, NAMESPACE_LOOKS_MAX).filter((place) => this.#isIn(place, name, namespace));
    if (inNear.length > 0) return inNear.map(found);
    // Java's folders are its packages.
    const far = code.filter((place) => !isNear(place) && this.#tree.languageOf(place.file) !== 'Java');
    return far
      .slice(0, FAR_LOOKS_MAX)
      .filter((place) => this.#isIn(place, name, namespace))
      .map(found);
  }

  #isIn({ file, symbol, kind }: DefinitionPlace, name: string, namespace: string): boolean {
    const said = namespaceName(this.#tree.namespaceOf(file) ?? '');
    const { family } = rulesOf(this.#tree.languageOf(file));
    if (said !== namespace && !hasBlocks.has(family)) return false;
    // The type that a file is named after stands at its top: nothing has to be decoded to know.
    if (family === 'jvm' && isType(kind) && stemOf(this.#tree.pathOf(file)) === name) return true;
    const symbols = this.#tree.symbolsOf(file);
    if (!isTop(symbols, symbol)) return false;
    if (said === namespace) return true;
    const blocks: string[] = [];
    for (let at = symbols[symbol]!.parent; at >= 0; at = symbols[at]!.parent)
      blocks.unshift(namespaceName(symbols[at]!.name));
    const block = blocks.join('.');
    return block !== '' && (block === namespace || `${said}.${block}` === namespace);
  }
}

interface Walk {
  seen: Set<number>;
  looked: number;
}

/** Families whose files may hold several namespaces. */
const hasBlocks: ReadonlySet<string> = new Set(['dotnet', 'php', 'c', 'ruby']);
const outerKinds: ReadonlySet<string> = new Set(['package', 'namespace']);

/** Not within a type or function: at the top of its file, or of a namespace. */
export function isTop(symbols: readonly SymbolFact[], symbol: number): boolean {
  for (let at = symbols[symbol]?.parent ?? -1; at >= 0; at = symbols[at]!.parent) {
    if (!outerKinds.has(symbols[at]!.kind)) return false;
  }
  return symbols[symbol] !== undefined;
}

/** Whether a symbol is a member of another: right within it, or within a block of members of the same name (`impl Foo`). */
export function holds(symbols: readonly SymbolFact[], outer: number, symbol: number): boolean {
  const parent = symbols[symbol]!.parent;
  if (parent === outer) return true;
  const above = symbols[parent];
  if (above === undefined || above.name !== symbols[outer]!.name) return false;
  return isHolder(above.kind) || (isType(above.kind) && isType(symbols[outer]!.kind));
}

function found({ file, symbol }: DefinitionPlace): Exported {
  return { file, symbol, reexported: false, sure: true };
}

function isPackageFile(path: string): boolean {
  return /(?:^|\/)__init__\.pyi?$/.test(path);
}

function keyOf(target: ModuleTarget): string {
  switch (target.kind) {
    case 'file':
      return `f ${target.file}`;
    case 'namespace':
      return `n ${target.revision} ${target.name}`;
    default:
      return `${target.kind} ${target.revision} ${target.folder}`;
  }
}
