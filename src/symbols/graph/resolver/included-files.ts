import type { ModuleTargets } from './module-targets.ts';
import type { ResolverTree } from './types.ts';

const FILES_MAX = 80;
const DEPTH_MAX = 5;
const KEPT_MAX = 5000;

/** The files that a file includes, and those that they include. */
export class IncludedFiles {
  readonly #tree: ResolverTree;
  readonly #modules: ModuleTargets;
  readonly #known = new Map<number, readonly number[]>();

  constructor(tree: ResolverTree, modules: ModuleTargets) {
    this.#tree = tree;
    this.#modules = modules;
  }

  /** The nearest first. */
  of(file: number): readonly number[] {
    let files = this.#known.get(file);
    if (files === undefined) {
      const found = new Set<number>();
      let level = [file];
      for (let depth = 0; depth <= DEPTH_MAX && level.length > 0; depth++) {
        const next: number[] = [];
        for (const at of level) {
          for (const one of this.#tree.importsOf(at)) {
            if (one.name !== '*' || one.local !== '') continue;
            for (const { target } of this.#modules.ofImport(at, one)) {
              if (target.kind !== 'file' || target.file === file || found.has(target.file)) continue;
              if (found.size >= FILES_MAX) break;
              found.add(target.file);
              next.push(target.file);
            }
          }
        }
        level = next;
      }
      files = [...found];
      if (this.#known.size >= KEPT_MAX) this.#known.clear();
      this.#known.set(file, files);
    }
    return files;
  }
}
