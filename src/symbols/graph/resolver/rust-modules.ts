import { baseOf, folderOf, foldersAround } from './paths.ts';
import type { ModuleTarget, PackagePlace, ResolverTree } from './types.ts';

export interface RustTarget {
  target: ModuleTarget;
  /** What of the path lies within the file: inline modules and types. */
  rest: readonly string[];
}

const roots = ['lib.rs', 'main.rs'];
const CLAIMS_MAX = 3;

/** Paths of Rust: `crate::a`, `self::a`, `super::a`, `other_crate::a`, `a` of a module beside. */
export class RustModules {
  readonly #tree: ResolverTree;

  constructor(tree: ResolverTree) {
    this.#tree = tree;
  }

  resolve(file: number, path: string): RustTarget[] {
    const segments = path.split(/::|\./).filter((segment) => segment !== '');
    const revision = this.#tree.revisionOf(file);
    const [first = '', ...rest] = segments;
    if (first === 'crate') {
      const root = this.#crateRoot(file);
      return root === 0 ? [] : [this.#down(revision, root, rest)];
    }
    if (first === 'self') return [this.#down(revision, file, rest)];
    if (first === 'super') {
      let at = this.#parent(file);
      while (rest[0] === 'super' && at !== 0) {
        rest.shift();
        at = this.#parent(at);
      }
      return at === 0 ? [] : [this.#down(revision, at, rest)];
    }
    const beside = this.#down(revision, file, segments);
    if (beside.rest.length < segments.length) return [beside];
    return this.#crates(revision, first).flatMap((place) => {
      const root = this.#rootOf(place);
      return root === 0 ? [] : [this.#down(place.revision, root, rest)];
    });
  }

  #crates(revision: number, name: string): readonly PackagePlace[] {
    return this.#tree.packages.named('cargo', name, revision).slice(0, CLAIMS_MAX);
  }

  #rootOf({ revision, folder }: PackagePlace): number {
    for (const root of roots) {
      const file = this.#tree.fileAt(revision, `${folder}src/${root}`);
      if (file !== 0) return file;
    }
    return 0;
  }

  #crateRoot(file: number): number {
    const revision = this.#tree.revisionOf(file);
    for (const folder of foldersAround(folderOf(this.#tree.pathOf(file)))) {
      for (const root of roots) {
        const found = this.#tree.fileAt(revision, folder + root);
        if (found !== 0) return found;
      }
    }
    return 0;
  }

  /** Folder that the modules of a file lie in. */
  #folderOfModules(file: number): string {
    const path = this.#tree.pathOf(file);
    const base = baseOf(path);
    return base === 'mod.rs' || roots.includes(base) ? folderOf(path) : `${path.replace(/\.rs$/, '')}/`;
  }

  #parent(file: number): number {
    const folder = this.#folderOfModules(file);
    if (folder === '') return 0;
    const above = folderOf(folder.slice(0, -1));
    const revision = this.#tree.revisionOf(file);
    for (const candidate of [
      `${above}mod.rs`,
      `${above}lib.rs`,
      `${above}main.rs`,
      `${above.slice(0, -1)}.rs`,
    ]) {
      const found = this.#tree.fileAt(revision, candidate);
      if (found !== 0 && found !== file) return found;
    }
    return 0;
  }

  #down(revision: number, from: number, segments: readonly string[]): RustTarget {
    let file = from;
    let at = 0;
    for (; at < segments.length; at++) {
      const stem = this.#folderOfModules(file) + segments[at]!;
      const next = this.#tree.fileAt(revision, `${stem}.rs`) || this.#tree.fileAt(revision, `${stem}/mod.rs`);
      if (next === 0) break;
      file = next;
    }
    return { target: { kind: 'file', file }, rest: segments.slice(at) };
  }
}
