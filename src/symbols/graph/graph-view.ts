import { LRUCache } from 'lru-cache';
import {
  type AskedGround,
  type FactsReader,
  type ImportFact,
  languageName,
  type OpenFacts,
  type OpenScip,
  type ReferenceFact,
  type ReferenceKind,
  type SymbolFact,
} from '../../search/index.ts';
import { ExactUses } from './exact-uses.ts';
import type { FactsCache } from './facts-cache.ts';
import { type PackageFile, packageTable } from './package-places.ts';
import { ReadableFacts } from './readable-facts.ts';
import { isOnlyMember } from './resolver/kind-fit.ts';
import { rulesOf } from './resolver/language-rules.ts';
import { Resolver } from './resolver/resolver.ts';
import type { DefinitionPlace, PackageTable, Resolved, ResolverTree } from './resolver/types.ts';
import { StoredTexts } from './stored-texts.ts';
import type { FactsMissing } from './types.ts';
import { VisibleFiles } from './visible-files.ts';
import { VisibleNames } from './visible-names.ts';

const MEMBER_NAMES_KEPT = 2000;

/**
 * What one scope shows of a generation, as a graph: the tree that a resolver asks, and the postings of names. It lives as long as the
 * view it stands on, and what it keeps follows from what is visible alone.
 */
export class GraphView implements ResolverTree {
  readonly resolver: Resolver;
  readonly exact: ExactUses;
  /** Where its files lie. */
  readonly places: VisibleFiles;
  readonly names: VisibleNames;
  readonly texts: StoredTexts;
  readonly #facts: ReadableFacts;
  readonly #cache: FactsCache;
  #packages: PackageTable | null = null;
  #packageFiles: readonly PackageFile[] | null = null;
  readonly #revisionsWithMember = new LRUCache<string, ReadonlySet<number>>({ max: MEMBER_NAMES_KEPT });

  constructor(ground: AskedGround, reader: FactsReader, cache: FactsCache, damaged: Iterable<number> = []) {
    this.#facts = new ReadableFacts(ground, reader, damaged);
    this.#cache = cache;
    this.places = new VisibleFiles(this.#facts);
    this.names = new VisibleNames(this.#facts, this.places);
    this.texts = new StoredTexts(this.#facts, this.places);
    this.exact = new ExactUses(this);
    this.resolver = new Resolver(this);
  }

  /** The same view as another question has it. */
  use(ground: AskedGround): void {
    this.#facts.asked = ground;
  }

  get shown(): AskedGround['shown'] {
    return this.#facts.asked.shown;
  }

  get revisions(): number {
    return this.places.revisions;
  }

  /** Whether a fault is damage of facts, met where a name was read: the question has to be asked anew. */
  noteFault(fault: unknown): boolean {
    return this.#facts.noteFault(fault);
  }

  /** Segments whose facts turned out to be damaged. */
  get damagedSegments(): ReadonlySet<number> {
    return this.#facts.damaged;
  }

  pathOf(file: number): string {
    return this.places.pathOf(file);
  }

  revisionOf(file: number): number {
    return this.places.revisionOf(file);
  }

  fileAt(revision: number, path: string): number {
    return this.places.fileAt(revision, path);
  }

  filesEndingWith(revision: number, ending: string): readonly number[] {
    return this.places.filesEndingWith(revision, ending);
  }

  contentOf(file: number): number {
    return this.places.contentOf(file);
  }

  textOf(file: number): string | null {
    return this.texts.textOf(file);
  }

  definitions(name: string, revision: number): readonly DefinitionPlace[] {
    return this.names.definitions(name, revision);
  }

  definitionsEverywhere(name: string): readonly DefinitionPlace[] {
    return this.names.definitionsEverywhere(name);
  }

  revisionsWithMember(name: string, family: string): ReadonlySet<number> {
    const key = `${family} ${name}`;
    let revisions = this.#revisionsWithMember.get(key);
    if (revisions === undefined) {
      const found = new Set<number>();
      for (const { file, kind, exported } of this.names.allDefinitions(name)) {
        if (!exported || !isOnlyMember(kind)) continue;
        for (const place of this.places.placesFrom(file)) {
          const revision = this.revisionOf(place);
          if (!found.has(revision) && rulesOf(this.languageOf(place)).family === family) found.add(revision);
        }
      }
      revisions = found;
      this.#revisionsWithMember.set(key, revisions);
    }
    return revisions;
  }

  repositoryOf(file: number): number {
    return this.#facts.asked.shown[this.revisionOf(file)]!.repository.id;
  }

  repositoryOfRevision(revision: number): number {
    return this.#facts.asked.shown[revision]!.repository.id;
  }

  /** What was uploaded for the commit that a revision shows. */
  scipOf(revision: number): OpenScip | null {
    return this.#facts.asked.scipOf(this.#facts.asked.shown[revision]!);
  }

  exactly(file: number, start: number, kind: ReferenceKind | null): readonly Resolved[] | null {
    return this.exact.at(file, start, kind);
  }

  languageNumberOf(file: number): number {
    const { revision, row } = this.places.rowOf(file);
    const said = this.#facts.asked.manifests[revision]!.languages[row]!;
    // Files of several languages may have one text, an empty one above all: the path tells them apart.
    if (said !== 0) return said;
    // What a first line says is not in every manifest.
    const place = this.places.textPlaceOf(file);
    const facts = place === null ? null : this.#facts.factsOf(place.segment);
    return facts === null ? 0 : this.#facts.reader.language(facts, place!.blob);
  }

  languageOf(file: number): string | null {
    return languageName(this.languageNumberOf(file));
  }

  symbolsOf(file: number): readonly SymbolFact[] {
    return this.#read(file, NO_SYMBOLS, (facts, blob) => this.#cache.symbols(facts, blob));
  }

  symbolsNamed(file: number, name: string): readonly number[] {
    return this.names.symbolsNamed(file, name);
  }

  headsOf(file: number): readonly ReferenceFact[] {
    return this.#read(file, NO_REFERENCES, (facts, blob) => this.#cache.heads(facts, blob));
  }

  referencesOf(file: number): readonly ReferenceFact[] {
    return this.#read(file, NO_REFERENCES, (facts, blob) => this.#cache.references(facts, blob));
  }

  importsOf(file: number): readonly ImportFact[] {
    return this.#read(file, NO_IMPORTS, (facts, blob) => this.#cache.imports(facts, blob));
  }

  namespaceOf(file: number): string | null {
    return this.#read<string | null>(file, null, (facts, blob) => this.#cache.namespace(facts, blob));
  }

  usesIn(file: number, name: string): readonly ReferenceFact[] {
    return this.#read(file, NO_REFERENCES, (facts, blob) => {
      const segment = this.places.textPlaceOf(file)!.segment;
      const found = this.names.lookup(name)[segment];
      return found ? this.#facts.reader.usesIn(facts, blob, found) : NO_REFERENCES;
    });
  }

  /** Imports that name or bind a name. */
  importsOfName(file: number, name: string): readonly ImportFact[] {
    return this.#read(file, NO_IMPORTS, (facts, blob) => {
      const found = this.names.lookup(name)[this.places.textPlaceOf(file)!.segment];
      return found ? this.#facts.reader.importsOf(facts, blob, found) : NO_IMPORTS;
    });
  }

  get packages(): PackageTable {
    this.#packages ??= packageTable(this.packageFiles);
    return this.#packages;
  }

  /** Every manifest of a package that is visible, by rank. */
  get packageFiles(): readonly PackageFile[] {
    this.#packageFiles ??= this.#findPackageFiles();
    return this.#packageFiles;
  }

  /** Why a file has no facts, null where it has some. */
  factsMissing(file: number): FactsMissing | null {
    const place = this.places.textPlaceOf(file);
    if (place === null) {
      const { revision, row } = this.places.rowOf(file);
      return this.#facts.asked.manifests[revision]!.skipped(row) ?? 'no-file';
    }
    const facts = this.#facts.factsOf(place.segment);
    return facts === null ? 'pending' : this.#facts.reader.skipped(facts, place.blob);
  }

  #read<T>(file: number, none: T, read: (facts: OpenFacts, blob: number) => T): T {
    const place = this.places.textPlaceOf(file);
    const facts = place === null ? null : this.#facts.factsOf(place.segment);
    return facts === null ? none : this.#facts.guarded(place!.segment, () => read(facts, place!.blob));
  }

  #findPackageFiles(): PackageFile[] {
    const files: PackageFile[] = [];
    this.#facts.eachSegment((facts, ranks) => {
      for (const blob of this.#facts.reader.packageFiles(facts)) {
        const best = ranks[blob]!;
        const fact = best === 0 ? null : this.#cache.package(facts, blob);
        if (fact === null) continue;
        for (let place = best; place !== 0; place = this.#facts.asked.view.nextPlace[place]!) {
          const revision = this.revisionOf(place);
          const repository = this.#facts.asked.shown[revision]!.repository.id;
          files.push({ file: place, revision, repository, path: this.pathOf(place), fact });
        }
      }
    });
    return files.sort((a, b) => a.file - b.file);
  }
}

const NO_SYMBOLS: readonly SymbolFact[] = [];
const NO_REFERENCES: readonly ReferenceFact[] = [];
const NO_IMPORTS: readonly ImportFact[] = [];
