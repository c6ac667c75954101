import { globMatcher } from '../../base/glob.ts';

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
  const pattern = expandClasses(bare);
  const patterns = bare.includes('/') ? [pattern] : [`**/${pattern}`];
  if (!/[*?[\]{}]/.test(bare)) patterns.push(`${bare}/**`, `**/${bare}/**`);
  const matchers = patterns.map(globMatcher);
  // A file may really be called `a[1].ts`: the text itself always matches.
  return (path) => path === bare || path.endsWith(`/${bare}`) || matchers.some((matches) => matches(path));
}

/** `[jt]` and `[0-9]` are alternatives; any other bracket is itself. */
function expandClasses(glob: string): string {
  return glob.replace(/\[([A-Za-z0-9_.-]{1,40})\]/g, (_, inside: string) => {
    const letters = inside.replace(/([A-Za-z0-9])-([A-Za-z0-9])/g, (range, from: string, to: string) => {
      const length = to.charCodeAt(0) - from.charCodeAt(0) + 1;
      return length < 1 || length > 62
        ? range
        : String.fromCharCode(...Array.from({ length }, (_unused, index) => from.charCodeAt(0) + index));
    });
    return `{${[...new Set(letters)].join(',')}}`;
  });
}
