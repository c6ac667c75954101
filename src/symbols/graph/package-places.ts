import type { Ecosystem, PackageFact } from '../../search/index.ts';
import { folderOf } from './resolver/paths.ts';
import type { PackagePlace, PackageTable } from './resolver/types.ts';

export interface PackageFile {
  file: number;
  revision: number;
  /** Revisions of one repository have one number. */
  repository: number;
  path: string;
  fact: PackageFact;
}

/** The packages of a tree by what they are called. */
export function packageTable(files: readonly PackageFile[]): PackageTable {
  const byName = new Map<string, PackagePlace[]>();
  const byRevision = new Map<string, PackagePlace[]>();
  const byFolder = new Map<string, PackagePlace>();
  const byEcosystem = new Map<Ecosystem, PackagePlace[]>();
  const claims = new Set<string>();
  const repositoryOf = new Map(files.map(({ revision, repository }) => [revision, repository]));
  // The default branch comes first, and outer folders do: a fixture does not stand for its repository's own package.
  const inOrder = [...files].sort(
    (a, b) => a.revision - b.revision || depthOf(a.path) - depthOf(b.path) || a.file - b.file,
  );
  for (const { file, revision, repository, path, fact } of inOrder) {
    const { ecosystem } = fact;
    const place = { file, revision, folder: folderOf(path), fact };
    add(byRevision, `${ecosystem} ${revision}`, place);
    const folderKey = `${ecosystem} ${revision} ${place.folder}`;
    const known = byFolder.get(folderKey);
    // Of several manifests of one folder the one that says a name: setup.cfg beside pyproject.toml.
    if (known === undefined || (known.fact.name === null && fact.name !== null))
      byFolder.set(folderKey, place);
    if (fact.name !== null) {
      const name = packageName(ecosystem, fact.name);
      if (isFirst(`${ecosystem} ${revision} ${name}`)) add(byName, `${ecosystem} ${name}`, place);
    }
    if (isFirst(`${ecosystem} in ${repository} ${place.folder}`)) add(byEcosystem, ecosystem, place);
  }
  return {
    named(ecosystem, name, revision) {
      const places = byName.get(`${ecosystem} ${packageName(ecosystem, name)}`) ?? [];
      const own = places.filter((place) => place.revision === revision);
      if (own.length > 0) return own;
      const repositories = new Set<number>();
      return places.filter((place) => {
        const repository = repositoryOf.get(place.revision)!;
        if (repositories.has(repository) || repository === repositoryOf.get(revision)) return false;
        repositories.add(repository);
        return true;
      });
    },
    inRevision: (revision, ecosystem) => byRevision.get(`${ecosystem} ${revision}`) ?? [],
    around(revision, path, ecosystem) {
      for (let folder = folderOf(path); ; folder = folderOf(folder.slice(0, -1))) {
        const place = byFolder.get(`${ecosystem} ${revision} ${folder}`);
        if (place !== undefined) return place;
        if (folder === '') return null;
      }
    },
    all: (ecosystem) => byEcosystem.get(ecosystem) ?? [],
  };

  function isFirst(claim: string): boolean {
    if (claims.has(claim)) return false;
    claims.add(claim);
    return true;
  }
}

/** Names that an ecosystem takes for one are one: `Foo.bar` and `foo-bar` of Python. */
export function packageName(ecosystem: Ecosystem, name: string): string {
  if (ecosystem === 'python') return name.toLowerCase().replace(/[-_.]+/g, '-');
  if (ecosystem === 'cargo') return name.replaceAll('_', '-');
  return ecosystem === 'nuget' || ecosystem === 'composer' ? name.toLowerCase() : name;
}

function add<K>(map: Map<K, PackagePlace[]>, key: K, place: PackagePlace): void {
  const known = map.get(key);
  if (known) known.push(place);
  else map.set(key, [place]);
}

function depthOf(path: string): number {
  return path.split('/').length;
}
