import type { Target } from '../types.ts';

/** `owner/name@revision:path` as answers cite it, with the commit, so that it can be found again. */
export function placeOf(target: Target, path: string = target.path): string {
  const { kind, commit, revision } = target.revision;
  const root = `${target.repository.name}@${kind === 'commit' ? shortCommit(commit) : revision}`;
  return path === '' ? root : `${root}:${path}`;
}

export function commitNote(target: Target): string {
  return target.revision.kind === 'commit' ? '' : ` (commit ${shortCommit(target.revision.commit)})`;
}

export function shortCommit(commit: string): string {
  return commit.slice(0, 10);
}

export function targetFacts(target: Target): Record<string, unknown> {
  return {
    repository: target.repository.name,
    revision: target.revision.revision,
    commit: target.revision.commit,
    path: target.path,
  };
}

export function sizeOf(bytes: number | null): string {
  if (bytes === null) return '?';
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = '';
  for (const next of units) {
    if (value < 1000) break;
    value /= 1000;
    unit = next;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

export function dayOf(ms: number): string {
  const date = new Date(ms);
  // A commit may carry any date at all.
  return Number.isNaN(date.getTime()) ? 'no date' : date.toISOString().replace(/T.*$/, '');
}
