import { PeriscopeError } from '../../base/errors.ts';
import type { Content } from '../../content/index.ts';
import type { Mirror, ReadOptions, TreeEntry } from '../../mirrors/index.ts';
import { editDistance } from './edit-distance.ts';
import type { PathCandidate } from './path-candidates.ts';

export interface Located {
  path: string;
  entry: TreeEntry | null;
  lines: PathCandidate['lines'];
  note: string | null;
}

/** The first reading of a path that exists at a commit; then the one that differs in letter case alone; else none, with the literal one kept. */
export async function locate(
  content: Content,
  mirror: Mirror,
  commit: string,
  candidates: readonly PathCandidate[],
  options: ReadOptions,
): Promise<Located> {
  for (const candidate of candidates) {
    const entry = await entryOrNull(content, mirror, commit, candidate.path, options);
    if (entry) return { path: candidate.path, entry, lines: candidate.lines, note: candidate.note };
  }
  for (const candidate of candidates) {
    const entry = await entryInAnyCase(content, mirror, commit, candidate.path, options);
    if (entry) {
      return {
        path: entry.path,
        entry,
        lines: candidate.lines,
        note: `Read path "${candidate.path}" as "${entry.path}".`,
      };
    }
  }
  const literal = candidates[0]!;
  return { path: literal.path, entry: null, lines: literal.lines, note: null };
}

/** The deepest directory of `path` that exists, and the names in it that look like the part that does not. */
export async function nearPaths(
  content: Content,
  mirror: Mirror,
  commit: string,
  path: string,
  options: ReadOptions,
): Promise<{ parent: string; near: string[] }> {
  const parts = path.split('/');
  for (let depth = parts.length - 1; depth >= 0; depth--) {
    const parent = parts.slice(0, depth).join('/');
    const children = await childrenOrNull(content, mirror, commit, parent, options);
    if (!children) continue;
    const wanted = parts[depth]!.toLowerCase();
    const near = children
      .map((child) => ({ path: child.path, distance: editDistance(wanted, nameOf(child).toLowerCase(), 3) }))
      .filter(({ distance }) => distance <= Math.min(3, Math.floor(wanted.length / 2)))
      .sort((left, right) => left.distance - right.distance)
      .map(({ path: childPath }) => childPath);
    return { parent, near: near.slice(0, 5) };
  }
  return { parent: '', near: [] };
}

async function entryInAnyCase(
  content: Content,
  mirror: Mirror,
  commit: string,
  path: string,
  options: ReadOptions,
) {
  let found: TreeEntry | null = null;
  let directory = '';
  const parts = path.split('/');
  for (const [index, part] of parts.entries()) {
    const children = await childrenOrNull(content, mirror, commit, directory, options);
    const same = children?.filter((child) => nameOf(child).toLowerCase() === part.toLowerCase()) ?? [];
    // The exact name goes before another one that differs in case alone.
    const next: TreeEntry | undefined =
      same.find((child) => nameOf(child) === part) ?? (same.length === 1 ? same[0] : undefined);
    if (!next || (index < parts.length - 1 && next.kind !== 'directory')) return null;
    found = next;
    directory = next.path;
  }
  return found;
}

async function entryOrNull(
  content: Content,
  mirror: Mirror,
  commit: string,
  path: string,
  options: ReadOptions,
) {
  return content.entry(mirror, commit, path, options).catch(nullWhenMissing);
}

async function childrenOrNull(
  content: Content,
  mirror: Mirror,
  commit: string,
  path: string,
  options: ReadOptions,
) {
  return content.list(mirror, commit, path, options).catch(nullWhenMissing);
}

/** For `catch`: a path that is not there is an answer here, any other fault is one.  */
export function nullWhenMissing(error: unknown): null {
  if (error instanceof PeriscopeError && error.kind === 'path-not-found') return null;
  throw error;
}

function nameOf(entry: TreeEntry): string {
  return entry.path.slice(entry.path.lastIndexOf('/') + 1);
}
