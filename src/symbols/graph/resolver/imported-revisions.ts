import { rulesOf } from './language-rules.ts';
import type { ModuleExports } from './module-exports.ts';
import type { ModuleTargets } from './module-targets.ts';
import type { ResolverTree } from './types.ts';

/** Revisions of other repositories that files import something from. */
export class ImportedRevisions {
  readonly #tree: ResolverTree;
  readonly #modules: ModuleTargets;
  readonly #exports: ModuleExports;
  readonly #known = new Map<number, ReadonlySet<number>>();

  constructor(tree: ResolverTree, modules: ModuleTargets, exports: ModuleExports) {
    this.#tree = tree;
    this.#modules = modules;
    this.#exports = exports;
  }

  /** Other revisions that a file's imports lead into. */
  of(file: number): ReadonlySet<number> {
    let revisions = this.#known.get(file);
    if (revisions === undefined) {
      const own = this.#tree.revisionOf(file);
      const { family } = rulesOf(this.#tree.languageOf(file));
      const found = new Set<number>();
      for (const one of this.#tree.importsOf(file)) {
        if (one.relative || found.size >= 8) continue;
        for (const { target } of this.#modules.ofImport(file, one)) {
          const led =
            target.kind === 'file'
              ? [this.#tree.revisionOf(target.file)]
              : target.kind === 'namespace'
                ? one.name === '*'
                  ? []
                  : this.#exports.revisionsOf(target, one.name, family)
                : [target.revision];
          for (const revision of led) if (revision !== own) found.add(revision);
        }
      }
      revisions = found;
      if (this.#known.size > 20_000) this.#known.clear();
      this.#known.set(file, revisions);
    }
    return revisions;
  }
}
