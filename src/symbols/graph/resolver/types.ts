import type {
  Ecosystem,
  ImportFact,
  PackageFact,
  ReferenceFact,
  ReferenceKind,
  SymbolFact,
  SymbolKind,
} from '../../../search/index.ts';
import type { Confidence, EdgeFinding } from '../types.ts';

/**
 * What a resolver may know: the files of some revisions and what each says by itself. A file is a number from 1, 0 is none; files of
 * better rank have smaller ones. Revisions are numbers from 0.
 */
export interface ResolverTree {
  pathOf(file: number): string;
  revisionOf(file: number): number;
  /** Name of its language; null for none. */
  languageOf(file: number): string | null;
  /** 0 when the revision has no such path. */
  fileAt(revision: number, path: string): number;
  /** Files whose path is `ending` or ends with a slash and it, by rank, at most some dozens. */
  filesEndingWith(revision: number, ending: string): readonly number[];
  symbolsOf(file: number): readonly SymbolFact[];
  /** Numbers of its symbols that have a name, ascending. Cheaper than to look through them: most files have none. */
  symbolsNamed(file: number, name: string): readonly number[];
  /** References in the heads of its types. */
  headsOf(file: number): readonly ReferenceFact[];
  referencesOf(file: number): readonly ReferenceFact[];
  importsOf(file: number): readonly ImportFact[];
  namespaceOf(file: number): string | null;
  textOf(file: number): string | null;
  /** Definitions of a name in a revision, by rank. */
  definitions(name: string, revision: number): readonly DefinitionPlace[];
  /** The same in all revisions, each content once; not more than some hundreds. */
  definitionsEverywhere(name: string): readonly DefinitionPlace[];
  /** Revisions in which files of a family of languages define a member of the name that other files may use. */
  revisionsWithMember(name: string, family: string): ReadonlySet<number>;
  /** Two files with one number have the very same content. */
  contentOf(file: number): number;
  /** What is known for certain of a use by its place, nothing where it means something local; null where nothing is known. */
  exactly(file: number, start: number, kind: ReferenceKind | null): readonly Resolved[] | null;
  readonly packages: PackageTable;
}

export interface DefinitionPlace {
  readonly file: number;
  readonly symbol: number;
  readonly kind: SymbolKind;
  readonly exported: boolean;
}

/** A manifest of a package, where it lies. */
export interface PackagePlace {
  readonly file: number;
  readonly revision: number;
  /** Folder that holds it, '' or with a slash at its end. */
  readonly folder: string;
  readonly fact: PackageFact;
}

export interface PackageTable {
  /** Those of this name that a revision means: its own, else of other repositories one each, by rank. -1: of no revision. */
  named(ecosystem: Ecosystem, name: string, revision: number): readonly PackagePlace[];
  /** Manifests of the ecosystem in a revision, those in outer folders first. */
  inRevision(revision: number, ecosystem: Ecosystem): readonly PackagePlace[];
  /** The nearest at or above a path. */
  around(revision: number, path: string, ecosystem: Ecosystem): PackagePlace | null;
  /** Manifests of the ecosystem in all revisions, by rank: at most one for each repository and folder. */
  all(ecosystem: Ecosystem): readonly PackagePlace[];
}

/** A definition, or with symbol -1 a file as a module. */
export interface Meant {
  readonly file: number;
  readonly symbol: number;
}

export interface Resolved extends Meant {
  readonly how: EdgeFinding;
  readonly confidence: Confidence;
}

/** What a module's name leads to. */
export type ModuleTarget =
  | { kind: 'file'; file: number }
  /** A package that is all files of a folder. */
  | { kind: 'folder'; revision: number; folder: string }
  /** Whatever says that it belongs to it. */
  | { kind: 'namespace'; name: string; revision: number }
  /** A package whose entry is not there: it is built. */
  | { kind: 'package'; revision: number; folder: string };

/** A name without anything before it. */
export type PlainUse = Pick<ReferenceFact, 'name' | 'kind' | 'from'> & { start?: number };

/** What a use means. */
export interface UseMeaning {
  readonly found: readonly Resolved[];
  /** It comes from a module that is not visible: nothing here is meant. */
  readonly outside: boolean;
}
