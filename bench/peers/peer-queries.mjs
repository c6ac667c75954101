/**
 * A neutral query, as bench/speed/queries.json has them, in each peer's own form:
 * {kind, literal | regex, ignoreCase?, path?: {regex, globs}, repository?}. Regexes are of RE2 syntax, which all peers share.
 */

/** Files whose content matches: `content:` keeps zoekt from matching file names as well. */
export function zoektQuery(query) {
  return [
    `case:${query.ignoreCase ? 'no' : 'yes'}`,
    `content:${zoektQuoted(regexOf(query))}`,
    ...(query.path ? [`file:${zoektQuoted(query.path.regex)}`] : []),
    ...(query.repository ? [`repo:${zoektQuoted(`^${escaped(query.repository)}$`)}`] : []),
  ].join(' ');
}

/** For ripgrep, run in a tree of OWNER/NAME/path: the lines of each file are counted. */
export function ripgrepArguments(query) {
  return [
    ...['--no-config', '--no-ignore', '--hidden', '--text', '--count'],
    ...(query.ignoreCase ? ['--ignore-case'] : []),
    ...(query.path ? query.path.globs.flatMap((glob) => ['--glob', glob]) : []),
    ...(query.literal === undefined ? ['-e', query.regex] : ['-F', '-e', query.literal]),
    `./${query.repository ?? ''}`,
  ];
}

/** For csearch over an index of the same tree; its paths are absolute. */
export function csearchArguments(query, tree) {
  const under = `^${escaped(tree)}/${query.repository ? escaped(query.repository) : '[^/]+/[^/]+'}/`;
  const paths = [];
  // One regex for both filters: csearch takes a single one.
  if (query.path?.regex.startsWith('(^|/)')) paths.push(`${under}(.*/)?${query.path.regex.slice(5)}`);
  else if (query.path) paths.push(`${under}.*${query.path.regex}`);
  else if (query.repository) paths.push(under);
  return [
    '-c',
    ...(query.ignoreCase ? ['-i'] : []),
    ...paths.flatMap((path) => ['-f', path]),
    regexOf(query),
  ];
}

/** The text that names a query in a table. */
export function queryName(query) {
  return [
    query.literal ?? `/${query.regex}/`,
    ...(query.ignoreCase ? ['any case'] : []),
    ...(query.path ? [query.path.globs.join(' ')] : []),
    ...(query.repository ? [query.repository] : []),
  ].join(', ');
}

function regexOf(query) {
  return query.regex ?? escaped(query.literal);
}

function escaped(literal) {
  return literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function zoektQuoted(text) {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
