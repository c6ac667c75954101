import { folderOf } from './paths.ts';
import type { ModuleTarget, PackagePlace, ResolverTree } from './types.ts';

const CLAIMS_MAX = 3;

/** Go's packages: the module whose path begins theirs, then a folder of it. */
export function resolveGoPackage(tree: ResolverTree, file: number, path: string): ModuleTarget[] {
  const revision = tree.revisionOf(file);
  if (/^\.{1,2}\//.test(path)) return [];
  for (let prefix = path; prefix !== ''; prefix = folderOf(prefix).slice(0, -1)) {
    const holding = tree.packages.named('go', prefix, revision).slice(0, CLAIMS_MAX);
    if (holding.length === 0) continue;
    return holding.map((place) => ({
      kind: 'folder',
      revision: place.revision,
      folder: folderWithin(place, path.slice(prefix.length + 1)),
    }));
  }
  return [];
}

/** What a folder's package is called where it is imported; null outside of any module. */
export function goPathOf(tree: ResolverTree, file: number): string | null {
  const path = tree.pathOf(file);
  const module = tree.packages.around(tree.revisionOf(file), path, 'go');
  if (module?.fact.name == null) return null;
  const within = folderOf(path).slice(module.folder.length, -1);
  return within === '' ? module.fact.name : `${module.fact.name}/${within}`;
}

function folderWithin({ folder }: PackagePlace, rest: string): string {
  return rest === '' ? folder : `${folder}${rest}/`;
}
