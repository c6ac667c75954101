import { folderOf, joined } from './paths.ts';
import type { ModuleTarget, ResolverTree } from './types.ts';

/** What an `#include` or a `require` by path names: beside the file, else the nearest path of the tree that ends so. */
export function resolveInclude(tree: ResolverTree, file: number, module: string): ModuleTarget[] {
  const revision = tree.revisionOf(file);
  const folder = folderOf(tree.pathOf(file));
  const beside = joined(folder, module);
  const found = beside === null ? 0 : tree.fileAt(revision, beside);
  if (found !== 0) return [{ kind: 'file', file: found }];
  const ending = module.replace(/^(?:\.{1,2}\/)+/, '');
  if (ending === '') return [];
  const near = nearest(tree, folder, tree.filesEndingWith(revision, ending));
  return near === 0 ? [] : [{ kind: 'file', file: near }];
}

/** Ruby: `require_relative 'a'`, `require 'a/b'` from a load path of this or another gem. */
export function resolveRequire(
  tree: ResolverTree,
  file: number,
  { module, relative }: { module: string; relative: boolean },
): ModuleTarget[] {
  const revision = tree.revisionOf(file);
  const path = module.endsWith('.rb') ? module : `${module}.rb`;
  const folder = folderOf(tree.pathOf(file));
  const target = (found: number): ModuleTarget[] => (found === 0 ? [] : [{ kind: 'file', file: found }]);
  if (relative) {
    const beside = joined(folder, path);
    return beside === null ? [] : target(tree.fileAt(revision, beside));
  }
  const own = nearest(tree, folder, tree.filesEndingWith(revision, `lib/${path}`));
  if (own !== 0) return target(own);
  const gems = [
    module.replaceAll('/', '-'),
    module.split('/')[0]!,
    module.split('/')[0]!.replaceAll('_', '-'),
  ];
  for (const place of gems.flatMap((name) => tree.packages.named('gem', name, revision))) {
    const found = tree.fileAt(place.revision, `${place.folder}lib/${path}`);
    if (found !== 0) return target(found);
  }
  return [];
}

/** The file whose folder has most in common with one. */
function nearest(tree: ResolverTree, folder: string, files: readonly number[]): number {
  let best = 0;
  let bestShared = -1;
  for (const file of files) {
    const path = tree.pathOf(file);
    let shared = 0;
    while (shared < folder.length && folder[shared] === path[shared]) shared++;
    if (shared > bestShared) {
      best = file;
      bestShared = shared;
    }
  }
  return best;
}
