import { bytesOfPath, shownPath } from '../base/byte-path.ts';
import { PeriscopeError } from '../base/errors.ts';
import type { EntryKind, Mirror, ReadOptions } from '../mirrors/index.ts';
import type { ContentPolicy } from './types.ts';

/** Whether a path is opted out. One that is written unusually is judged by what it stands for. */
export function isHidden(policy: ContentPolicy, path: string, kind: EntryKind = 'file'): boolean {
  if (policy.hidesNothing) return false;
  const plain = plainPath(path);
  return plain !== '' && policy.optedOut(plain, kind === 'directory' || kind === 'submodule');
}

export interface HiddenPlace {
  commit: string;
  path: string;
  /** What the caller takes it for; left out where it may be anything. */
  kind?: EntryKind;
}

/** Throws what a path that does not exist gives, when `path` is hidden. */
export async function refuseHidden(
  policy: ContentPolicy,
  mirror: Mirror,
  place: HiddenPlace,
  options: ReadOptions,
): Promise<void> {
  const { commit, path, kind } = place;
  if (!isHidden(policy, path, kind ?? 'directory')) return;
  // Hidden as a directory alone: a file of this name is shown. What is not there now was something at another time.
  if (kind === undefined && !isHidden(policy, path, 'file')) {
    const known = await mirror.entry(commit, path, options).catch(() => null);
    if (known !== null && !isHidden(policy, path, known.kind)) return;
  }
  throw await errorOfMissing(policy, mirror, place, options);
}

/**
 * The very error that git's absence of the path would give: asked for a name that nothing has, beside the hidden one, and told
 * with the name that was wanted.
 */
async function errorOfMissing(
  policy: ContentPolicy,
  mirror: Mirror,
  { commit, path }: { commit: string; path: string },
  options: ReadOptions,
): Promise<unknown> {
  const directory = visibleDirectory(policy, plainPath(path));
  let absent = `${directory === '' ? '' : `${directory}/`}\\x01absent`;
  for (;;) {
    try {
      await mirror.entry(commit, absent, options);
      absent += '\\x01';
    } catch (error) {
      if (!(error instanceof PeriscopeError) || error.kind !== 'path-not-found') return error;
      return renamed(error, absent, path);
    }
  }
}

function renamed(error: PeriscopeError, from: string, to: string): PeriscopeError {
  const replace = (text: string) => text.replaceAll(from, to);
  const data = Object.fromEntries(
    Object.entries(error.data).map(([key, value]) => [
      key,
      typeof value === 'string' ? replace(value) : value,
    ]),
  );
  return new PeriscopeError(error.kind, error.code, replace(error.message), replace(error.next), { data });
}

/** The deepest directory above `path` that is not hidden. */
function visibleDirectory(policy: ContentPolicy, path: string): string {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const directory = path.slice(0, end);
    if (!isHidden(policy, directory, 'directory')) return directory;
  }
  return '';
}

/** `a/b` for `./a//b`, `a/b/` and for escapes of plain characters. */
function plainPath(path: string): string {
  if (!/\\x|\/\/|(^|\/)\.(\/|$)|^\/|\/$/.test(path)) return path;
  return shownPath(bytesOfPath(path))
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');
}
