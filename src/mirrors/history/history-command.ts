import { readFailureOf } from '../git/git-failures.ts';
import type { GitHome } from '../git/git-home.ts';
import type { GitOutput, GitRunner } from '../git/git-process.ts';
import { objectCommand } from '../git/object-commands.ts';
import type { ReadRepository } from '../objects/object-store.ts';

export interface HistoryDeps {
  runner: GitRunner;
  home: GitHome;
  timeoutMs: number;
}

/** Runs one command over a repository's objects; its output may be cut at `stdoutBytesMax`. */
export async function historyCommand(
  repository: ReadRepository,
  command: {
    doing: string;
    args: readonly string[];
    objectIds: readonly string[];
    path?: Buffer;
    lastOption?: Buffer;
    stdoutBytesMax: number;
    onStdout?: (chunk: Buffer) => 'more' | 'enough';
    signal: AbortSignal;
  },
  deps: HistoryDeps,
): Promise<GitOutput> {
  const { args, env } = objectCommand(deps.home, repository.objects);
  const doing = `${command.doing} of ${repository.name}`;
  const output = await deps.runner.run({
    what: doing,
    args: [...args, ...command.args],
    objectIds: command.objectIds,
    // An empty path would be a pathspec that git refuses.
    ...(command.path?.length ? { path: command.path } : {}),
    ...(command.lastOption ? { lastOption: command.lastOption } : {}),
    ...(command.onStdout ? { onStdout: command.onStdout } : {}),
    env,
    lane: 'history',
    timeoutMs: deps.timeoutMs,
    signal: command.signal,
    stdoutBytesMax: command.stdoutBytesMax,
  });
  if (output.code !== 0 && !output.cut) throw readFailureOf(output.stderr, { name: repository.name, doing });
  return output;
}
