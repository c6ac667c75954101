import type { FactsOutcome, FileFacts } from '../../../search/index.ts';
import { languageName, languageOf } from '../../../search/index.ts';
import { type PackageFile, packageTable } from '../package-places.ts';
import { isOnlyMember } from '../resolver/kind-fit.ts';
import { rulesOf } from '../resolver/language-rules.ts';
import type { DefinitionPlace, ResolverTree } from '../resolver/types.ts';

/** Repositories by name, each with its files' texts by path. */
export type TestTree = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface MemoryFile {
  revision: number;
  repository: string;
  path: string;
  text: string;
  facts: FileFacts;
}

const noFacts: FileFacts = { symbols: [], references: [], imports: [], namespace: null, packageFile: null };

/** A tree in memory, one revision for each repository. */
export interface MemoryTree extends ResolverTree {
  /** 0 for none. */
  file(repository: string, path: string): number;
  repositoryOf(file: number): string;
}

export function memoryTree(
  repositories: TestTree,
  extract: (language: string, path: string, text: Uint8Array) => FactsOutcome,
): MemoryTree {
  const files: MemoryFile[] = [];
  const names = Object.keys(repositories);
  for (const [revision, repository] of names.entries()) {
    for (const [path, text] of Object.entries(repositories[repository]!)) {
      const outcome = extract(languageName(languageOf(path)) ?? '', path, Buffer.from(text));
      files.push({ revision, repository, path, text, facts: 'facts' in outcome ? outcome.facts : noFacts });
    }
  }
  const numbers = new Map(files.map(({ revision, path }, index) => [`${revision} ${path}`, index + 1]));
  const contents = new Map<string, number>();
  for (const [index, { text }] of files.entries()) if (!contents.has(text)) contents.set(text, index + 1);
  const at = (file: number) => files[file - 1]!;
  const places = files.flatMap(({ facts }, index) =>
    facts.symbols.map(({ name, kind, exported }, symbol) => {
      return { name, place: { file: index + 1, symbol, kind, exported } satisfies DefinitionPlace };
    }),
  );
  const packages: PackageFile[] = files.flatMap(({ revision, path, facts }, index) =>
    facts.packageFile === null
      ? []
      : [{ file: index + 1, revision, repository: revision, path, fact: facts.packageFile }],
  );
  const fileAt = (revision: number, path: string) => numbers.get(`${revision} ${path}`) ?? 0;
  return {
    pathOf: (file) => at(file).path,
    revisionOf: (file) => at(file).revision,
    languageOf: (file) => languageName(languageOf(at(file).path)),
    fileAt,
    filesEndingWith: (revision, ending) =>
      files.flatMap((file, index) =>
        file.revision === revision && `/${file.path}`.endsWith(`/${ending}`) ? [index + 1] : [],
      ),
    symbolsOf: (file) => at(file).facts.symbols,
    symbolsNamed: (file, name) =>
      at(file).facts.symbols.flatMap((symbol, number) => (symbol.name === name ? [number] : [])),
    headsOf: (file) =>
      at(file).facts.references.filter(({ kind }) => ['extends', 'implements', 'embeds'].includes(kind)),
    referencesOf: (file) => at(file).facts.references,
    importsOf: (file) => at(file).facts.imports,
    namespaceOf: (file) => at(file).facts.namespace,
    textOf: (file) => at(file).text,
    definitions: (name, revision) =>
      places
        .filter((one) => one.name === name && at(one.place.file).revision === revision)
        .map(({ place }) => place),
    definitionsEverywhere: (name) => places.filter((one) => one.name === name).map(({ place }) => place),
    revisionsWithMember: (name, family) =>
      new Set(
        places
          .filter((one) => one.name === name && one.place.exported && isOnlyMember(one.place.kind))
          .filter(({ place }) => rulesOf(languageName(languageOf(at(place.file).path))).family === family)
          .map(({ place }) => at(place.file).revision),
      ),
    contentOf: (file) => contents.get(at(file).text)!,
    exactly: () => null,
    packages: packageTable(packages),
    file: (repository, path) => fileAt(names.indexOf(repository), path),
    repositoryOf: (file) => at(file).repository,
  };
}
