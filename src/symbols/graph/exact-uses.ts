import { LRUCache } from 'lru-cache';
import {
  type Descriptor,
  damagedFileOf,
  descriptorsOf,
  type Ecosystem,
  noteDamage,
  type OpenScip,
  occurrenceAt,
  type ReferenceKind,
  type ScipDocument,
  symbolKey,
  symbolParts,
} from '../../search/index.ts';
import type { Meant, Resolved, ResolverTree } from './resolver/types.ts';

/** What of a view is asked. */
export interface ExactGround
  extends Pick<
    ResolverTree,
    'pathOf' | 'revisionOf' | 'fileAt' | 'symbolsOf' | 'definitions' | 'contentOf' | 'packages'
  > {
  readonly revisions: number;
  /** Revisions of one repository have one number. */
  repositoryOfRevision(revision: number): number;
  scipOf(revision: number): OpenScip | null;
}

/** A use that an index names, whatever facts say of the place. */
export interface ExactUse {
  start: number;
  /** The number of the symbol in the index of its revision. */
  symbol: number;
}

const DEFINITIONS_MAX = 20;
const FILES_MAX = 5000;
const MEANINGS_KEPT = 20_000;
const DOCUMENTS_KEPT = 20_000;
const SYMBOLS_OF_AN_INDEX = 2 ** 24;

const ecosystemOf: Readonly<Record<string, Ecosystem>> = {
  npm: 'npm',
  gomod: 'go',
  pip: 'python',
  python: 'python',
  pypi: 'python',
  cargo: 'cargo',
  maven: 'maven',
  nuget: 'nuget',
  gem: 'gem',
  rubygems: 'gem',
  composer: 'composer',
};

/**
 * What the SCIP indexes of visible revisions know for certain: which definition a use means, by its place. Nothing of a revision that
 * is not visible is looked at. A damaged index is noted and counts as none.
 */
export class ExactUses {
  readonly #ground: ExactGround;
  readonly #indexed: readonly number[];
  readonly #damaged = new Set<number>();
  readonly #meanings = new LRUCache<number, readonly Resolved[]>({ max: MEANINGS_KEPT });
  readonly #documents = new LRUCache<number, { number: number }>({ max: DOCUMENTS_KEPT });

  constructor(ground: ExactGround) {
    this.#ground = ground;
    const all = Array.from({ length: ground.revisions }, (_, revision) => revision);
    this.#indexed = all.filter((revision) => ground.scipOf(revision) !== null);
  }

  /** Whether an index tells of the places of a file. */
  knows(file: number): boolean {
    return this.#indexed.length > 0 && this.#documentOf(file) !== null;
  }

  /** What is meant at a place, nothing where it is something local; null where no index says anything. */
  at(file: number, start: number, kind: ReferenceKind | null): readonly Resolved[] | null {
    const document = this.#indexed.length === 0 ? null : this.#documentOf(file);
    const at = document === null ? -1 : occurrenceAt(document, start, 'use');
    if (at < 0) return null;
    const symbol = document!.symbols[at]!;
    const revision = this.#ground.revisionOf(file);
    const found = symbol === 0 ? [] : this.#meaning(revision, symbol);
    return kind === 'new' ? found.map((one) => this.#typeMade(one)) : found;
  }

  /** The numbers of a definition's symbols, by revision; what the index of its own revision calls it, and others after it. */
  numbersOf({ file, symbol }: Meant): Map<number, readonly number[]> {
    const numbers = new Map<number, readonly number[]>();
    const fact = this.#ground.symbolsOf(file)[symbol];
    const document = fact === undefined || this.#indexed.length === 0 ? null : this.#documentOf(file);
    if (document === null) return numbers;
    const revision = this.#ground.revisionOf(file);
    const at = occurrenceAt(document, fact!.nameStart, 'definition');
    const number = at < 0 ? 0 : document.symbols[at]!;
    if (number === 0) return numbers;
    numbers.set(revision, [number]);
    const key = this.#read(revision, '', (scip) => symbolKey(scip.symbol(number).text));
    if (key === '') return numbers;
    for (const other of this.#indexed) {
      if (other === revision) continue;
      const known = this.#read(other, [], (scip) =>
        // What it defines itself is a definition of its own: another branch, a fork.
        scip.symbolsOfKey(key).filter((one) => scip.symbol(one).definitions.length === 0),
      );
      if (known.length > 0) numbers.set(other, known);
    }
    return numbers;
  }

  /** Files of a revision that use one of the symbols, or define an implementation of it. */
  filesWith(revision: number, symbols: readonly number[]): number[] {
    return this.#read(revision, [], (scip) => {
      const documents = new Set<number>();
      for (const number of symbols) {
        const symbol = scip.symbol(number);
        for (const document of symbol.documents) documents.add(document);
        for (const other of symbol.implementedBy)
          for (const { document } of scip.symbol(other).definitions) documents.add(document);
      }
      return [...documents]
        .slice(0, FILES_MAX)
        .map((document) => this.#ground.fileAt(revision, scip.document(document).path))
        .filter((file) => file !== 0);
    });
  }

  /** Uses of one of the symbols in a file, in the order in which they stand. */
  usesIn(file: number, symbols: readonly number[]): ExactUse[] {
    const document = this.#documentOf(file);
    if (document === null) return [];
    const wanted = new Set(symbols);
    const found: ExactUse[] = [];
    for (const [at, symbol] of document.symbols.entries())
      if (wanted.has(symbol) && document.definitions[at] === 0)
        found.push({ start: document.starts[at]!, symbol });
    return found;
  }

  /** Definitions in a file that implement one of the symbols. */
  implementersIn(file: number, symbols: readonly number[]): Meant[] {
    const revision = this.#ground.revisionOf(file);
    const path = this.#ground.pathOf(file);
    return this.#read(revision, [], (scip) =>
      symbols
        .flatMap((number) => scip.symbol(number).implementedBy)
        .flatMap((number) => {
          const { text, definitions } = scip.symbol(number);
          return definitions
            .filter(({ document }) => scip.document(document).path === path)
            .flatMap(({ start }) => this.#symbolAt(file, start, text) ?? []);
        }),
    );
  }

  /** What a definition implements. */
  implementedBy(meant: Meant): Resolved[] {
    const revision = this.#ground.revisionOf(meant.file);
    const [number] = this.numbersOf(meant).get(revision) ?? [];
    if (number === undefined) return [];
    return this.#read(revision, [], (scip) =>
      scip.symbol(number).implementations.flatMap((other) => this.#meaning(revision, other)),
    );
  }

  #meaning(revision: number, symbol: number): readonly Resolved[] {
    const key = revision * SYMBOLS_OF_AN_INDEX + symbol;
    let meaning = this.#meanings.get(key);
    if (meaning === undefined) {
      meaning = this.#read<readonly Resolved[]>(revision, [], (scip) => {
        const { text, definitions } = scip.symbol(symbol);
        if (definitions.length > 0) return this.#defined(scip, revision, symbol, 'certain');
        return this.#elsewhere(revision, text);
      });
      this.#meanings.set(key, meaning);
    }
    return meaning;
  }

  #defined(scip: OpenScip, revision: number, number: number, confidence: Resolved['confidence']): Resolved[] {
    const { text, definitions } = scip.symbol(number);
    const found = new Map<string, Resolved>();
    for (const { document, start } of definitions.slice(0, DEFINITIONS_MAX)) {
      const file = this.#ground.fileAt(revision, scip.document(document).path);
      const meant = file === 0 ? null : this.#symbolAt(file, start, text);
      if (meant !== null) found.set(`${meant.file} ${meant.symbol}`, { ...meant, how: 'scip', confidence });
    }
    return [...found.values()];
  }

  /** A symbol of another package: what another index defines by that name, else what the package's sources do. */
  #elsewhere(revision: number, text: string): Resolved[] {
    const key = symbolKey(text);
    const parts = symbolParts(text);
    if (key === '' || parts === null) return [];
    const repository = this.#ground.repositoryOfRevision(revision);
    const found: { version: string; found: Resolved[] }[] = [];
    const seen = new Set([repository]);
    for (const other of this.#indexed) {
      const owner = this.#ground.repositoryOfRevision(other);
      if (seen.has(owner)) continue;
      const here = this.#read<typeof found>(other, [], (scip) =>
        scip.symbolsOfKey(key).flatMap((number) => {
          const defined = this.#defined(scip, other, number, 'likely');
          const version = symbolParts(scip.symbol(number).text)?.version ?? '';
          return defined.length > 0 ? [{ version, found: defined }] : [];
        }),
      );
      if (here.length > 0) seen.add(owner);
      found.push(...here);
    }
    const exact = found.filter(({ version }) => version === parts.version);
    if (exact.length > 0)
      return exact.flatMap((one) => one.found).map((one) => ({ ...one, confidence: 'certain' }));
    if (found.length > 0) return found.flatMap((one) => one.found);
    return this.#inPackage(revision, parts.manager, parts.packageName, descriptorsOf(parts.descriptors));
  }

  #inPackage(
    revision: number,
    manager: string,
    name: string,
    descriptors: readonly Descriptor[],
  ): Resolved[] {
    const ecosystem = ecosystemOf[manager];
    const path = descriptors.filter(({ name: one }) => one !== '<constructor>' && one !== '<init>');
    const last = path[path.length - 1];
    if (ecosystem === undefined || last === undefined) return [];
    const names = namesAround(path);
    const found: Meant[] = [];
    for (const place of this.#ground.packages.named(ecosystem, packageNameOf(ecosystem, name), revision)) {
      for (const { file, symbol, exported } of this.#ground.definitions(last.name, place.revision)) {
        if (!this.#ground.pathOf(file).startsWith(place.folder)) continue;
        const around = this.#typesAround(file, symbol);
        const fits = around.length === names.length && around.every((one, at) => one === names[at]);
        if (fits && (exported || around.length > 0)) found.push({ file, symbol });
      }
    }
    const contents = new Set(found.map(({ file }) => this.#ground.contentOf(file))).size;
    return found
      .slice(0, DEFINITIONS_MAX)
      .map((one) => ({ ...one, how: 'scip', confidence: contents === 1 ? 'likely' : 'possible' }));
  }

  /** Names of the symbols around one, outermost first. */
  #typesAround(file: number, symbol: number): string[] {
    const symbols = this.#ground.symbolsOf(file);
    const names: string[] = [];
    for (let at = symbols[symbol]!.parent; at >= 0; at = symbols[at]!.parent) {
      const { name, kind } = symbols[at]!;
      if (kind !== 'namespace' && kind !== 'package' && kind !== 'module') names.unshift(name);
    }
    return names;
  }

  /** Null where facts know nothing of what the index defines there. */
  #symbolAt(file: number, start: number, text: string): Meant | null {
    const symbols = this.#ground.symbolsOf(file);
    const symbol = symbols.findIndex(({ nameStart }) => nameStart === start);
    if (symbol >= 0) return { file, symbol };
    const whole = symbols.findIndex((one) => one.start === start && one.nameStart > start);
    if (whole >= 0 && isNamed(text, symbols[whole]!.name)) return { file, symbol: whole };
    return isModule(text) ? { file, symbol: -1 } : null;
  }

  /** Who makes an object names its type. */
  #typeMade(one: Resolved): Resolved {
    const symbol = this.#ground.symbolsOf(one.file)[one.symbol];
    return symbol?.kind === 'constructor' && symbol.parent >= 0 ? { ...one, symbol: symbol.parent } : one;
  }

  #documentOf(file: number): ScipDocument | null {
    const revision = this.#ground.revisionOf(file);
    if (this.#ground.scipOf(revision) === null) return null;
    return this.#read(revision, null, (scip) => {
      let known = this.#documents.get(file);
      if (known === undefined) {
        known = { number: scip.documentAt(this.#ground.pathOf(file)) };
        this.#documents.set(file, known);
      }
      return known.number < 0 ? null : scip.document(known.number);
    });
  }

  #read<T>(revision: number, none: T, read: (scip: OpenScip) => T): T {
    const scip = this.#damaged.has(revision) ? null : this.#ground.scipOf(revision);
    if (scip === null) return none;
    try {
      return read(scip);
    } catch (error) {
      if (damagedFileOf(error) === null) throw error;
      noteDamage(scip.file);
      this.#damaged.add(revision);
      return none;
    }
  }
}

function lastOf(text: string): Descriptor | undefined {
  const found = descriptorsOf(symbolParts(text)?.descriptors ?? '');
  return found[found.length - 1];
}

function isNamed(text: string, name: string): boolean {
  return lastOf(text)?.name === name;
}

/** A file, a package: `__init__:` is how the one of Python says it. */
function isModule(text: string): boolean {
  const last = lastOf(text);
  return last?.kind === 'namespace' || (last?.kind === 'meta' && last.name === '__init__');
}

/** Names of what is around the last within its module, outermost first. */
function namesAround(path: readonly Descriptor[]): string[] {
  return path
    .slice(0, -1)
    .filter(({ kind }) => kind !== 'namespace' && kind !== 'meta')
    .map(({ name }) => name);
}

/** As manifests write it. */
function packageNameOf(ecosystem: Ecosystem, name: string): string {
  return ecosystem === 'maven' ? name.replace(/^maven\//, '').replaceAll('/', ':') : name;
}
