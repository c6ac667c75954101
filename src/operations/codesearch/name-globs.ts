import type { Repository } from '../../catalog/index.ts';
import { globFilter } from '../tools/glob-filter.ts';

export function isGlob(text: string): boolean {
  return /[*?{[]/.test(text);
}

/** Globs over `owner/name` and `host/owner/name`, in any letter case. */
export function globsFit(globs: readonly string[]): (repository: Repository) => boolean {
  const fits = globFilter(globs.map((glob) => glob.toLowerCase()));
  return ({ host, name }) => fits(name.toLowerCase()) || fits(`${host}/${name}`.toLowerCase());
}
