import type { ReadOptions } from '../mirrors/index.ts';
import type { Target } from './types.ts';

/** What the reader must know about how current the answer is. Nothing, when it is what it seems. */
export async function freshnessNotes(target: Target, options: ReadOptions, nowMs: number): Promise<string[]> {
  const notes: string[] = [];
  // A folder is read as it is: only a copy can be older than what it was made of.
  if (target.repository.location.kind === 'remote') {
    const { fetchedMs, problem } = await target.mirror.state(options);
    const age = fetchedMs === null ? '' : ` of ${ageOf(nowMs - fetchedMs)} ago`;
    if (problem) notes.push(`Answered from the copy${age}: ${problem}`);
  }
  if (target.revision.isDefault) {
    const changes = await target.mirror.uncommittedChanges(options);
    if (changes)
      notes.push(`${changes.branch} as committed; ${changes.changedFiles} changed files are not seen.`);
  }
  return notes;
}

export function ageOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
