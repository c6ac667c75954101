import { LRUCache } from 'lru-cache';
import type {
  FactsReader,
  ImportFact,
  OpenFacts,
  PackageFact,
  ReferenceFact,
  SymbolFact,
} from '../../search/index.ts';

/** Symbols, references and imports that are kept decoded. */
const FACTS_MAX = 250_000;
const NAMESPACES_MAX = 30_000;
const PACKAGES_MAX = 20_000;
const BLOBS_OF_A_FILE = 2 ** 24;

/** Facts of blobs, decoded once for one thread, whatever generation or scope asks. */
export class FactsCache {
  readonly #reader: FactsReader;
  readonly #symbols = kept<SymbolFact>();
  readonly #references = kept<ReferenceFact>();
  readonly #heads = kept<ReferenceFact>();
  readonly #imports = kept<ImportFact>();
  readonly #namespaces = new LRUCache<number, { name: string | null }>({ max: NAMESPACES_MAX });
  readonly #packages = new LRUCache<number, { fact: PackageFact | null }>({ max: PACKAGES_MAX });

  constructor(reader: FactsReader) {
    this.#reader = reader;
  }

  /** Their names are read when they are asked for. */
  symbols(facts: OpenFacts, blob: number): readonly SymbolFact[] {
    return cached(this.#symbols, keyOf(facts, blob), () => this.#reader.storedSymbolsOf(facts, blob));
  }

  references(facts: OpenFacts, blob: number): readonly ReferenceFact[] {
    return cached(this.#references, keyOf(facts, blob), () => this.#reader.referencesOf(facts, blob));
  }

  /** References in the heads of types. */
  heads(facts: OpenFacts, blob: number): readonly ReferenceFact[] {
    return cached(this.#heads, keyOf(facts, blob), () =>
      this.#reader.referencesOfKinds(facts, blob, ['extends', 'implements', 'embeds']),
    );
  }

  imports(facts: OpenFacts, blob: number): readonly ImportFact[] {
    return cached(this.#imports, keyOf(facts, blob), () => this.#reader.importsOf(facts, blob));
  }

  namespace(facts: OpenFacts, blob: number): string | null {
    return cached(this.#namespaces, keyOf(facts, blob), () => ({
      name: this.#reader.namespaceOf(facts, blob),
    })).name;
  }

  package(facts: OpenFacts, blob: number): PackageFact | null {
    return cached(this.#packages, keyOf(facts, blob), () => ({ fact: this.#reader.packageOf(facts, blob) }))
      .fact;
  }
}

function kept<T>(): LRUCache<number, readonly T[]> {
  return new LRUCache({ maxSize: FACTS_MAX, sizeCalculation: ({ length }) => length + 1 });
}

function keyOf({ serial }: OpenFacts, blob: number): number {
  return serial * BLOBS_OF_A_FILE + blob;
}

function cached<T extends object>(known: LRUCache<number, T>, key: number, make: () => T): T {
  let found = known.get(key);
  if (found === undefined) {
    found = make();
    known.set(key, found);
  }
  return found;
}
