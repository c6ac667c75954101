import { type IgnorePattern, parseIgnoreLine } from './ignore-pattern.ts';

/** The patterns of one gitignore file. Paths are bytes as Latin-1 characters. */
export interface IgnoreRules {
  readonly patterns: number;
  /** Whether the path, or a directory that it lies in, is excluded. What lies in an excluded directory cannot be included again. */
  excludes(path: string, isDirectory: boolean): boolean;
}

export interface IgnoreLimits {
  patternsMax: number;
  /** Together, of the patterns that take steps: their product with a path's length bounds the work for it. */
  wildcardBytesMax: number;
}

/** Directories whose answer is kept; a walk asks for the same ones again for each of their files. */
const directoriesKept = 20_000;

/** Null when there are more patterns than the limits allow. `text` is the file as Latin-1. */
export function parseIgnoreRules(text: string, limits: IgnoreLimits): IgnoreRules | null {
  const patterns: IgnorePattern[] = [];
  let wildcardBytes = 0;
  for (const line of linesOf(text)) {
    const pattern = parseIgnoreLine(line);
    if (pattern === null) continue;
    patterns.push(pattern);
    wildcardBytes += pattern.cost;
    if (patterns.length > limits.patternsMax || wildcardBytes > limits.wildcardBytesMax) return null;
  }
  const lastMatch = lastMatchOf(patterns);
  const directories = new Map<string, boolean>();

  function excludesDirectory(path: string): boolean {
    const known = directories.get(path);
    if (known !== undefined) return known;
    const isExcluded = isExcludedHere(path, true);
    if (directories.size >= directoriesKept) directories.clear();
    directories.set(path, isExcluded);
    return isExcluded;
  }

  function isExcludedHere(path: string, isDirectory: boolean): boolean {
    const end = path.lastIndexOf('/');
    if (end > 0 && excludesDirectory(path.slice(0, end))) return true;
    const last = lastMatch(path, path.slice(end + 1), isDirectory);
    return last >= 0 && !patterns[last]!.isNegated;
  }

  return {
    patterns: patterns.length,
    excludes(path, isDirectory) {
      if (path === '' || patterns.length === 0) return false;
      return isDirectory ? excludesDirectory(path) : isExcludedHere(path, false);
    },
  };
}

function linesOf(text: string): string[] {
  return text.replace(/^\xef\xbb\xbf/, '').split(/\r?\n/);
}

/** Index of the last pattern that matches, or -1. Those that name one text or one ending are looked up, the others are tried. */
function lastMatchOf(patterns: readonly IgnorePattern[]) {
  const paths = new Map<string, number[]>();
  const names = new Map<string, number[]>();
  const suffixes = new Map<string, number[]>();
  const stepwise: number[] = [];
  const add = (map: Map<string, number[]>, key: string, index: number) => {
    const list = map.get(key);
    if (list) list.push(index);
    else map.set(key, [index]);
  };
  patterns.forEach(({ literal, suffix, hasSlash }, index) => {
    if (literal !== null) add(hasSlash ? paths : names, literal, index);
    else if (suffix !== null) add(suffixes, suffix, index);
    else stepwise.push(index);
  });
  const suffixLengths = [...new Set([...suffixes.keys()].map((suffix) => suffix.length))];

  return (path: string, name: string, isDirectory: boolean): number => {
    let last = -1;
    const consider = (list: readonly number[] | undefined) => {
      for (const index of list ?? []) {
        if (index > last && (isDirectory || !patterns[index]!.onlyDirectories)) last = index;
      }
    };
    consider(paths.get(path));
    consider(names.get(name));
    for (const length of suffixLengths) {
      if (length <= name.length) consider(suffixes.get(name.slice(name.length - length)));
    }
    for (let at = stepwise.length - 1; at >= 0; at--) {
      const index = stepwise[at]!;
      if (index < last) break;
      const pattern = patterns[index]!;
      if (!isDirectory && pattern.onlyDirectories) continue;
      if (pattern.matches(pattern.hasSlash ? path : name)) {
        last = index;
        break;
      }
    }
    return last;
  };
}
