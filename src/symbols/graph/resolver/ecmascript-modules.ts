import { folderOf, foldersAround, joined } from './paths.ts';
import { readTsconfig, type Tsconfig } from './tsconfig.ts';
import type { ModuleTarget, PackagePlace, ResolverTree } from './types.ts';

const endings = [
  '.ts',
  '.tsx',
  '.d.ts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.mts',
  '.cts',
  '.vue',
  '.svelte',
  '.astro',
];
const knownEnding = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|json|s?css|less)$/;
const builtFolder =
  /^\.?\/?(?:dist|lib|build|out|output|es|esm|cjs|umd|types?)\/(?:(?:esm?|cjs|umd|src|types?)\/)?/;
/** Repositories that claim one package name. */
const CLAIMS_MAX = 3;

/** Modules of JavaScript and its kin, by Node's rules as far as a tree tells, with `paths` of tsconfig.json. */
export class EcmascriptModules {
  readonly #tree: ResolverTree;
  /** By revision and folder; null where there is none. */
  readonly #configs = new Map<string, Tsconfig | null>();

  constructor(tree: ResolverTree) {
    this.#tree = tree;
  }

  resolve(file: number, written: string): ModuleTarget[] {
    const module = written.replace(/[?#].*$/, '');
    const revision = this.#tree.revisionOf(file);
    const folder = folderOf(this.#tree.pathOf(file));
    if (/^\.{1,2}(?:\/|$)/.test(module)) return this.#at(revision, joined(folder, module));
    if (module.startsWith('node:') || module === '') return [];
    const aliased = this.#aliased(revision, folder, module);
    if (aliased.length > 0) return aliased;
    const name = /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module;
    const subpath = module.slice(name.length + 1);
    const places = this.#tree.packages.named('npm', name, revision);
    return places.slice(0, CLAIMS_MAX).flatMap((place) => this.#entry(place, subpath));
  }

  #at(revision: number, path: string | null): ModuleTarget[] {
    const file = path === null ? 0 : this.#fileAt(revision, path);
    return file === 0 ? [] : [{ kind: 'file', file }];
  }

  #fileAt(revision: number, path: string): number {
    if (knownEnding.test(path)) {
      const source = /\.[cm]?jsx?$/.exec(path)?.[0];
      const written = this.#tree.fileAt(revision, path);
      if (written !== 0 || source === undefined)
        return written !== 0 ? written : this.#withEnding(revision, path);
      const stem = path.slice(0, -source.length);
      for (const ending of [source.replace('j', 't'), '.ts', '.tsx', '.d.ts']) {
        const found = this.#tree.fileAt(revision, stem + ending);
        if (found !== 0) return found;
      }
    }
    return this.#withEnding(revision, path);
  }

  #withEnding(revision: number, path: string): number {
    for (const stem of path === '' ? ['index'] : [path, `${path}/index`]) {
      for (const ending of endings) {
        const found = this.#tree.fileAt(revision, stem + ending);
        if (found !== 0) return found;
      }
    }
    return 0;
  }

  #aliased(revision: number, folder: string, module: string): ModuleTarget[] {
    const config = this.#configAround(revision, folder);
    if (config !== null) {
      for (const path of config.pathsOf(module)) {
        const found = this.#at(revision, path);
        if (found.length > 0) return found;
      }
    }
    // What bundlers are mostly told.
    const alias = /^[@~]\/(.+)$/.exec(module)?.[1];
    if (alias === undefined) return [];
    for (const around of foldersAround(folder)) {
      const found = this.#at(revision, `${around}src/${alias}`);
      if (found.length > 0) return found;
    }
    return [];
  }

  #configAround(revision: number, folder: string): Tsconfig | null {
    const key = `${revision} ${folder}`;
    let config = this.#configs.get(key);
    if (config === undefined) {
      config = readTsconfig(this.#tree, revision, folder);
      if (config === null && folder !== '')
        config = this.#configAround(revision, folderOf(folder.slice(0, -1)));
      this.#configs.set(key, config);
    }
    return config;
  }

  #entry({ fact, revision, folder }: PackagePlace, subpath: string): ModuleTarget[] {
    const extra = parsed(fact.extra);
    const candidates = [
      ...exported(extra['exports'], subpath === '' ? '.' : `./${subpath}`),
      ...(subpath === ''
        ? ['types', 'typings', 'module', 'main'].flatMap((key) =>
            typeof extra[key] === 'string' ? [extra[key]] : [],
          )
        : [subpath, `src/${subpath}`, `lib/${subpath}`]),
    ];
    // What is published may be a thin file around what is built: its source says more.
    const isBuilt = candidates.some(
      (candidate) => builtFolder.test(candidate) && !/^(?:\.\/)?lib\//.test(candidate),
    );
    const source = subpath === '' && isBuilt ? this.#withEnding(revision, `${folder}src/index`) : 0;
    if (source !== 0) return [{ kind: 'file', file: source }];
    for (const candidate of candidates) {
      const found = this.#builtFrom(revision, folder, candidate);
      if (found !== 0) return [{ kind: 'file', file: found }];
    }
    if (subpath === '') {
      const plain = (fact.name ?? '').replace(/^@[^/]+\//, '');
      for (const entry of ['src/index', 'index', 'lib/index', 'src/main', 'src/mod', `src/${plain}`, plain]) {
        const found = this.#withEnding(revision, folder + entry);
        if (found !== 0) return [{ kind: 'file', file: found }];
      }
    }
    return [{ kind: 'package', revision, folder }];
  }

  /** What is published is mostly built: its source lies where the build folder's name is replaced. */
  #builtFrom(revision: number, folder: string, candidate: string): number {
    const path = joined(folder, candidate);
    if (path === null) return 0;
    if (!builtFolder.test(candidate)) return this.#fileAt(revision, path);
    const source = candidate.replace(builtFolder, '').replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
    for (const stem of [`src/${source}`, `lib/${source}`, source]) {
      const found = this.#withEnding(revision, joined(folder, stem) ?? '');
      if (found !== 0) return found;
    }
    return this.#fileAt(revision, path);
  }
}

/** Paths that `exports` gives a subpath, by conditions in the order in which sources are likely. */
function exported(exports: unknown, subpath: string): string[] {
  if (exports === undefined || exports === null) return [];
  const isMap =
    typeof exports === 'object' &&
    !Array.isArray(exports) &&
    Object.keys(exports).some((key) => key.startsWith('.'));
  if (!isMap) return subpath === '.' ? pathsWithin(exports) : [];
  const map = exports as Record<string, unknown>;
  if (map[subpath] !== undefined) return pathsWithin(map[subpath]);
  for (const [pattern, target] of Object.entries(map)) {
    const star = pattern.indexOf('*');
    if (star < 0) continue;
    const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
    if (!subpath.startsWith(before) || !subpath.endsWith(after) || subpath.length < pattern.length - 1)
      continue;
    const middle = subpath.slice(star, subpath.length - after.length);
    return pathsWithin(target).map((path) => path.replaceAll('*', middle));
  }
  return [];
}

const conditions = [
  'source',
  'development',
  'types',
  'import',
  'module',
  'browser',
  'node',
  'require',
  'default',
];

function pathsWithin(target: unknown, depth = 0): string[] {
  if (typeof target === 'string') return [target];
  if (typeof target !== 'object' || target === null || depth > 4) return [];
  if (Array.isArray(target)) return target.flatMap((one) => pathsWithin(one, depth + 1));
  const map = target as Record<string, unknown>;
  const keys = Object.keys(map).sort((a, b) => conditions.indexOf(a) - conditions.indexOf(b));
  return keys.flatMap((key) => pathsWithin(map[key], depth + 1));
}

function parsed(extra: string | null): Record<string, unknown> {
  if (extra === null) return {};
  try {
    const value: unknown = JSON.parse(extra);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
