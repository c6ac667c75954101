import type { ImportFact } from '../../../search/index.ts';
import { EcmascriptModules } from './ecmascript-modules.ts';
import { resolveGoPackage } from './go-modules.ts';
import { resolveInclude, resolveRequire } from './include-files.ts';
import { rulesOf } from './language-rules.ts';
import { folderOf } from './paths.ts';
import { PythonModules } from './python-modules.ts';
import { RustModules } from './rust-modules.ts';
import type { ModuleTarget, ResolverTree } from './types.ts';

export interface ModulePlace {
  target: ModuleTarget;
  /** What of the module's path lies within the target: inline modules, types. */
  rest: readonly string[];
}

const KEPT_MAX = 50_000;

/** Where the modules that a file names lie, among what is visible; nowhere for what is outside of it. */
export class ModuleTargets {
  readonly python: PythonModules;
  readonly #tree: ResolverTree;
  readonly #ecmascript: EcmascriptModules;
  readonly #rust: RustModules;
  /** By file and module as it is written there, a dot in front of one that is relative. */
  readonly #known = new Map<number, Map<string, readonly ModulePlace[]>>();
  /** By language rules, revision and folder: but for Rust, files of a folder mean the same by the same words. */
  readonly #ofFolders = new Map<string, readonly ModulePlace[]>();
  #kept = 0;

  constructor(tree: ResolverTree) {
    this.#tree = tree;
    this.python = new PythonModules(tree);
    this.#ecmascript = new EcmascriptModules(tree);
    this.#rust = new RustModules(tree);
  }

  of(file: number, module: string, relative: boolean): readonly ModulePlace[] {
    const key = relative ? `. ${module}` : module;
    const known = this.#known.get(file)?.get(key);
    if (known !== undefined) return known;
    const places = this.#inFolder(file, module, relative);
    if (this.#kept++ >= KEPT_MAX) {
      this.#known.clear();
      this.#kept = 0;
    }
    const ofFile = this.#known.get(file) ?? new Map<string, readonly ModulePlace[]>();
    this.#known.set(file, ofFile.set(key, places));
    return places;
  }

  ofImport(file: number, { module, relative }: ImportFact): readonly ModulePlace[] {
    return this.of(file, module, relative);
  }

  #inFolder(file: number, module: string, relative: boolean): readonly ModulePlace[] {
    const { modules } = rulesOf(this.#tree.languageOf(file));
    if (modules === 'rust') return this.#find(file, module, relative);
    const folder = folderOf(this.#tree.pathOf(file));
    const key = `${modules} ${relative ? 1 : 0} ${this.#tree.revisionOf(file)} ${folder} ${module}`;
    let places = this.#ofFolders.get(key);
    if (places === undefined) {
      places = this.#find(file, module, relative);
      if (this.#ofFolders.size >= KEPT_MAX) this.#ofFolders.clear();
      this.#ofFolders.set(key, places);
    }
    return places;
  }

  #find(file: number, module: string, relative: boolean): readonly ModulePlace[] {
    const tree = this.#tree;
    switch (rulesOf(tree.languageOf(file)).modules) {
      case 'ecmascript':
        return whole(this.#ecmascript.resolve(file, module));
      case 'python':
        return whole(this.python.resolve(file, module));
      case 'go':
        return whole(resolveGoPackage(tree, file, module));
      case 'rust':
        return this.#rust.resolve(file, module);
      case 'ruby':
        return whole(resolveRequire(tree, file, { module, relative }));
      case 'include':
        return whole(resolveInclude(tree, file, module));
      case 'namespace': {
        // PHP names files, too.
        if (relative || module.endsWith('.php')) return whole(resolveInclude(tree, file, module));
        const name = namespaceName(module);
        return whole([{ kind: 'namespace', name, revision: tree.revisionOf(file) }]);
      }
      case 'none':
        return relative || module.includes('/') ? whole(resolveInclude(tree, file, module)) : [];
    }
  }
}

/** `\A\B`, `A::B` and `A.B` are one. */
export function namespaceName(written: string): string {
  return written
    .replace(/\\|::/g, '.')
    .replace(/^\.+|\.+$/g, '')
    .replace(/\.\*$|\._$/, '');
}

function whole(targets: readonly ModuleTarget[]): ModulePlace[] {
  return targets.map((target) => ({ target, rest: [] }));
}
