import picomatch from 'picomatch';

/**
 * Globs as people write them, over whole paths: `*.yaml` at any depth, `src/**` from the root, `!` leaves out, `*` never crosses `/`.
 * A plain name without any magic is that file at any depth, or everything below that directory.
 */
export function globFilter(globs: readonly string[] | undefined): (path: string) => boolean {
  const wanted = (globs ?? []).filter((glob) => !glob.startsWith('!')).map(matcherOf);
  const unwanted = (globs ?? [])
    .filter((glob) => glob.startsWith('!'))
    .map((glob) => matcherOf(glob.slice(1)));
  return (path) =>
    (wanted.length === 0 || wanted.some((matches) => matches(path))) &&
    !unwanted.some((matches) => matches(path));
}

function matcherOf(glob: string): (path: string) => boolean {
  const bare = glob.replace(/^\.?\//, '').replace(/\/+$/, '/**');
  const patterns = bare.includes('/') ? [bare] : [bare, `**/${bare}`];
  if (!/[*?[\]{}()!]/.test(bare)) patterns.push(`${bare}/**`, `**/${bare}/**`);
  const matchers = patterns.map((pattern) => picomatch(pattern, { dot: true, nonegate: true }));
  // A file may really be called `a[1].ts`: the text itself always matches.
  return (path) => path === bare || path.endsWith(`/${bare}`) || matchers.some((matches) => matches(path));
}
