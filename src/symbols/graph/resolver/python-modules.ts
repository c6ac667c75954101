import { folderOf, foldersAround } from './paths.ts';
import type { ModuleTarget, ResolverTree } from './types.ts';

const CLAIMS_MAX = 3;
const ROOTS_KEPT = 20_000;

/** Python modules: relative ones, those of the same tree, and those of packages that other repositories hold. */
export class PythonModules {
  readonly #tree: ResolverTree;
  readonly #roots = new Map<string, readonly string[]>();
  /** Of the first name of a module: where such packages lie in revisions that have a package manifest. */
  readonly #tops = new Map<string, readonly { revision: number; folder: string }[]>();

  constructor(tree: ResolverTree) {
    this.#tree = tree;
  }

  resolve(file: number, module: string): ModuleTarget[] {
    const revision = this.#tree.revisionOf(file);
    const folder = folderOf(this.#tree.pathOf(file));
    const dots = /^\.*/.exec(module)![0].length;
    if (dots > 0) {
      const from = foldersAround(folder)[dots - 1];
      return from === undefined ? [] : this.#at(revision, from, module.slice(dots));
    }
    for (const root of this.#rootsAround(revision, folder)) {
      const found = this.#at(revision, root, module);
      if (found.length > 0) return found;
    }
    const top = module.split('.')[0]!;
    const places = this.#topsOf(top);
    const own = places.filter((place) => place.revision === revision);
    return (own.length > 0 ? own : places)
      .slice(0, CLAIMS_MAX)
      .flatMap((place) => this.#at(place.revision, place.folder, module));
  }

  /** Folders that a file's absolute imports may start in: not one that is a package itself. */
  #rootsAround(revision: number, folder: string): readonly string[] {
    const key = `${revision} ${folder}`;
    let roots = this.#roots.get(key);
    if (roots === undefined) {
      roots = foldersAround(folder).filter(
        (root, at) => at > 8 || this.#tree.fileAt(revision, `${root}__init__.py`) === 0,
      );
      if (this.#roots.size >= ROOTS_KEPT) this.#roots.clear();
      this.#roots.set(key, roots);
    }
    return roots;
  }

  #at(revision: number, root: string, module: string): ModuleTarget[] {
    const path = root + module.replaceAll('.', '/');
    const stem = path.endsWith('/') ? path.slice(0, -1) : path;
    const candidates =
      module === ''
        ? [`${root}__init__.py`, `${root}__init__.pyi`]
        : [`${stem}/__init__.py`, `${stem}.py`, `${stem}.pyi`, `${stem}/__init__.pyi`];
    for (const candidate of candidates) {
      const file = this.#tree.fileAt(revision, candidate);
      if (file !== 0) return [{ kind: 'file', file }];
    }
    return [];
  }

  #topsOf(top: string): readonly { revision: number; folder: string }[] {
    let places = this.#tops.get(top);
    if (places === undefined) {
      const seen = new Set<string>();
      places = this.#tree.packages.all('python').flatMap(({ revision, folder }) =>
        [folder, `${folder}src/`, `${folder}lib/`, `${folder}python/`].flatMap((root) => {
          const key = `${revision} ${root}`;
          if (seen.has(key) || this.#at(revision, root, top).length === 0) return [];
          seen.add(key);
          return [{ revision, folder: root }];
        }),
      );
      this.#tops.set(top, places);
    }
    return places;
  }
}
