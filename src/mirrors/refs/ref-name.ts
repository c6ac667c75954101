/**
 * Whether a name may be looked up as a reference: what `git check-ref-format --allow-onelevel` takes, and nothing that any git
 * command could read as an option or an expression.
 */
export function isRefName(name: string): boolean {
  if (name === '' || name.length > 1024 || name === '@') return false;
  if (name.startsWith('-') || name.startsWith('/') || name.endsWith('/') || name.endsWith('.')) return false;
  if (/[\x00-\x20\x7f~^:?*[\\]/.test(name) || /\.\.|@\{|\/\//.test(name)) return false;
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}

/** Where git looks for a short name, in its order (gitrevisions(7)). */
export function refCandidates(name: string): string[] {
  return [name, `refs/${name}`, `refs/tags/${name}`, `refs/heads/${name}`, `refs/remotes/${name}`];
}

/** A full reference as people write it. */
export function shortRefName(full: string): string {
  return full.replace(/^refs\/(?:heads|tags|remotes)\//, '');
}
