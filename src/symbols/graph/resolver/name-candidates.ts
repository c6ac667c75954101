import type { ReferenceFact, ReferenceKind } from '../../../search/index.ts';
import type { ImportedRevisions } from './imported-revisions.ts';
import { bestFitting, fitness, isData, isOnlyMember } from './kind-fit.ts';
import { type LanguageRules, rulesOf } from './language-rules.ts';
import type { OnceInFile } from './once-in-file.ts';
import { distance, folderOf } from './paths.ts';
import type { DefinitionPlace, PlainUse, Resolved, ResolverTree } from './types.ts';

/** Candidates of a name that no rule resolves. */
const CANDIDATES_MAX = 50;
const UNREACHED_MAX = 3;

/** What a use may mean by its name alone, where neither scopes nor imports nor types tell. */
export class NameCandidates {
  readonly #tree: ResolverTree;
  readonly #importedRevisions: ImportedRevisions;
  readonly #once: OnceInFile;

  constructor(tree: ResolverTree, importedRevisions: ImportedRevisions, once: OnceInFile) {
    this.#tree = tree;
    this.#importedRevisions = importedRevisions;
    this.#once = once;
  }

  /** No rule of the language leads there: by the name alone, within the repository. */
  byName(file: number, { name, kind }: PlainUse, rules: LanguageRules): Resolved[] {
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

  /** Members of the name that may be meant where no type is known: each is only possible. */
  members(file: number, { name, kind }: ReferenceFact): readonly Resolved[] {
    return this.#once.find(file, `member ${kind} ${name}`, () => this.#findCandidates(file, name, kind));
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
    // Where imports lead is dear to tell, and most names have members in one repository alone.
    const own = this.#tree.revisionOf(file);
    const having = this.#tree.revisionsWithMember(name, rules.family);
    if (having.size === 0 || (having.size === 1 && having.has(own))) return [];
    const revisions = this.#importedRevisions.of(file);
    const places: DefinitionPlace[] = [];
    for (const revision of revisions) {
      if (!having.has(revision)) continue;
      for (const place of this.#tree.definitions(name, revision)) {
        if (places.length >= CANDIDATES_MAX) return places;
        if (fitness(kind, place.kind) === 0 || !isOnlyMember(place.kind) || !place.exported) continue;
        if (rulesOf(this.#tree.languageOf(place.file)).family === rules.family) places.push(place);
      }
    }
    return places;
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
}
