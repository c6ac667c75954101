import { editDistance } from '../../base/edit-distance.ts';
import { PeriscopeError } from '../../base/errors.ts';
import type { Content } from '../../content/index.ts';
import type { Mirror, ReadOptions, TreeEntry } from '../../mirrors/index.ts';
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
  const [only, ...others] = await endingIn(content, mirror, commit, literal.path, options);
  if (only && others.length === 0) {
    const note = `There is no "${literal.path}"; read the one file that ends so, "${only.path}".`;
    return { path: only.path, entry: only, lines: literal.lines, note };
  }
  return { path: literal.path, entry: null, lines: literal.lines, note: null };
}

/** The deepest directory of `path` that exists, and what looks like the part that does not, or ends like the whole. */
export async function nearPaths(
  content: Content,
  mirror: Mirror,
  commit: string,
  path: string,
  options: ReadOptions,
): Promise<{ parent: string; near: string[] }> {
  let parent = '';
  let children = (await childrenOrNull(content, mirror, commit, '', options)) ?? [];
  for (const part of path.split('/')) {
    const next = children.find((child) => child.kind === 'directory' && nameOf(child) === part);
    if (!next) {
      const ending = await endingIn(content, mirror, commit, path, options);
      return {
        parent,
        near: [...alike(children, part), ...ending].slice(0, NEAR_MAX).map(content.shownPath),
      };
    }
    parent = next.path;
    children = (await childrenOrNull(content, mirror, commit, parent, options)) ?? [];
  }
  return { parent, near: [] };
}

const NEAR_MAX = 5;
/** Beyond these a look for a path that is not there has cost enough. */
const CHILDREN_COMPARED_MAX = 5000;
const ENTRIES_WALKED_MAX = 20_000;

function alike(children: readonly TreeEntry[], name: string): TreeEntry[] {
  const wanted = name.toLowerCase().slice(0, 200);
  const slips = Math.min(3, Math.floor(wanted.length / 2));
  return children
    .slice(0, CHILDREN_COMPARED_MAX)
    .map((child) => ({
      child,
      distance: editDistance(wanted, nameOf(child).toLowerCase(), slips),
    }))
    .filter(({ distance }) => distance <= slips)
    .sort((left, right) => left.distance - right.distance)
    .map(({ child }) => child);
}

/** Files elsewhere whose path ends in this one: models know a file by its name and forget where it lies. */
async function endingIn(
  content: Content,
  mirror: Mirror,
  commit: string,
  path: string,
  options: ReadOptions,
): Promise<TreeEntry[]> {
  if (path === '') return [];
  const walk = { ...options, depthMax: 50, limit: ENTRIES_WALKED_MAX };
  const { entries } = await content.walk(mirror, commit, '', walk);
  return entries.filter(
    // What only its own name tells is not told to who does not know it.
    (entry) =>
      entry.kind !== 'directory' &&
      entry.path.endsWith(`/${path}`) &&
      content.shownPath(entry) === entry.path,
  );
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
