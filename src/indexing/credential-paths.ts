import type { ContentPolicy } from '../content/index.ts';

/** Looked through at once: nearly always there is nothing in any of them. */
const PATHS_AT_ONCE = 10_000;

/** Those of the paths that hold a credential: an index knows paths by heart, and so it is given none of these. */
export function credentialPaths(
  paths: readonly string[],
  { mask }: Pick<ContentPolicy, 'mask'>,
): ReadonlySet<string> {
  const found = new Set<string>();
  for (let at = 0; at < paths.length; at += PATHS_AT_ONCE) {
    const some = paths.slice(at, at + PATHS_AT_ONCE);
    if (mask(Buffer.from(some.join('\n'))) === 0) continue;
    for (const path of some) if (mask(Buffer.from(path)) > 0) found.add(path);
  }
  return found;
}
