import { LRUCache } from 'lru-cache';
import { readFailureOf } from '../git/git-failures.ts';
import type { GitHome } from '../git/git-home.ts';
import type { GitRunner } from '../git/git-process.ts';
import { objectCommand } from '../git/object-commands.ts';
import { checkedObjectIds } from '../git/object-id.ts';
import type { ReadRepository } from '../objects/object-store.ts';
import type { RefsSnapshot } from './refs-view.ts';

/** A force push leaves its old commits in the object database; they are nobody's to read any more. */
export interface Reachability {
  isReachable(
    repository: ReadRepository,
    commit: string,
    snapshot: RefsSnapshot,
    signal: AbortSignal,
  ): Promise<boolean>;
}

export function createReachability(
  options: { timeoutMs: number },
  deps: { runner: GitRunner; home: GitHome },
): Reachability {
  /** Repository and commit to the generation of references that it was reachable in. */
  const reachable = new LRUCache<string, number>({ max: 50_000 });

  return {
    async isReachable(repository, commit, snapshot, signal) {
      const key = `${repository.objects.key}:${commit}`;
      if (reachable.get(key) === snapshot.generation) return true;
      const tips = new Set(snapshot.refs.values());
      if (snapshot.headCommit !== null) tips.add(snapshot.headCommit);
      if (!tips.has(commit) && !(await isBelow(repository, commit, tips, signal))) return false;
      reachable.set(key, snapshot.generation);
      return true;
    },
  };

  async function isBelow(
    repository: ReadRepository,
    commit: string,
    tips: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { args, env } = objectCommand(deps.home, repository.objects);
    const doing = `Looking for commit ${commit.slice(0, 12)} in ${repository.name}`;
    const output = await deps.runner.run({
      what: doing,
      // What is reachable from the tips is taken away: nothing is left of a commit below one of them.
      args: [...args, 'rev-list', '--ignore-missing', '--max-count=1', '--stdin'],
      input: `${checkedObjectIds([commit])}\n${checkedObjectIds([...tips])
        .map((tip) => `^${tip}\n`)
        .join('')}`,
      env,
      lane: 'local',
      timeoutMs: options.timeoutMs,
      signal,
      stdoutBytesMax: 4096,
    });
    if (output.code !== 0) throw readFailureOf(output.stderr, { name: repository.name, doing });
    return output.stdout.length === 0;
  }
}
