import { folderOf, joined } from './paths.ts';
import type { ResolverTree } from './types.ts';

export interface Tsconfig {
  /** Paths that a module which is not relative may have, best first. */
  pathsOf(module: string): string[];
}

const EXTENDS_MAX = 4;
const TEXT_MAX = 65_536;

/** The `paths` and `baseUrl` that hold for a folder whose own configuration it is; null where it has none. */
export function readTsconfig(tree: ResolverTree, revision: number, folder: string): Tsconfig | null {
  const file =
    tree.fileAt(revision, `${folder}tsconfig.json`) || tree.fileAt(revision, `${folder}jsconfig.json`);
  if (file === 0) return null;
  let base: string | null = null;
  let paths: [string, string[]][] | null = null;
  let pathsFrom = '';
  let at = file;
  for (let depth = 0; depth < EXTENDS_MAX && at !== 0 && (base === null || paths === null); depth++) {
    const config = json(tree.textOf(at));
    const here = folderOf(tree.pathOf(at));
    const options = record(record(config)['compilerOptions']);
    if (base === null && typeof options['baseUrl'] === 'string')
      base = asFolder(joined(here, options['baseUrl']));
    if (paths === null && options['paths'] !== undefined) {
      paths = Object.entries(record(options['paths'])).map(([pattern, targets]) => [
        pattern,
        Array.isArray(targets) ? targets.filter((target) => typeof target === 'string') : [],
      ]);
      pathsFrom = here;
    }
    const parent = record(config)['extends'];
    const path = typeof parent === 'string' && parent.startsWith('.') ? joined(here, parent) : null;
    at = path === null ? 0 : tree.fileAt(revision, path) || tree.fileAt(revision, `${path}.json`);
  }
  const from = base ?? pathsFrom;
  const patterns = paths ?? [];
  return {
    pathsOf(module) {
      const found: string[] = [];
      for (const [pattern, targets] of patterns) {
        const star = pattern.indexOf('*');
        const [before, after] = star < 0 ? [pattern, ''] : [pattern.slice(0, star), pattern.slice(star + 1)];
        const fits =
          star < 0
            ? module === pattern
            : module.startsWith(before) && module.endsWith(after) && module.length >= pattern.length - 1;
        if (!fits) continue;
        const middle = module.slice(before.length, module.length - after.length);
        for (const target of targets) {
          const path = joined(from, target.replace('*', middle));
          if (path !== null) found.push(path);
        }
      }
      if (base !== null) found.push(base + module);
      return found;
    },
  };
}

function asFolder(path: string | null): string {
  return path === null || path === '' ? '' : `${path}/`;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** JSON with comments and commas too many. */
function json(text: string | null): unknown {
  if (text === null || text.length > TEXT_MAX) return null;
  const plain = text
    .replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (part) => (part.startsWith('"') ? part : ''))
    .replace(/,(\s*[}\]])/g, '$1');
  try {
    return JSON.parse(plain);
  } catch {
    return null;
  }
}
