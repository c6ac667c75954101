import { gitEnvironment } from '../git/git-environment.ts';
import { failureOf } from '../git/git-failures.ts';
import type { GitHome } from '../git/git-home.ts';
import type { GitRunner } from '../git/git-process.ts';

const listingBytesMax = 256 * 1024 * 1024;

/** Full names to object ids, unpeeled, in git's order. Reads no object: one broken reference must not hide all the others. */
export async function listRefs(
  repository: { name: string; gitDir: string },
  options: { timeoutMs: number; namespaces: readonly string[] },
  deps: { runner: GitRunner; home: GitHome },
): Promise<Map<string, string>> {
  const doing = `Reading the references of ${repository.name}`;
  const output = await deps.runner.run({
    what: doing,
    args: [
      `--git-dir=${repository.gitDir}`,
      'for-each-ref',
      '--format=%(objectname) %(refname)',
      ...options.namespaces,
    ],
    env: gitEnvironment(deps.home, { trusted: repository.gitDir }),
    lane: 'local',
    timeoutMs: options.timeoutMs,
    stdoutBytesMax: listingBytesMax,
  });
  if (output.code !== 0) throw failureOf(output.stderr, { name: repository.name, doing });
  const refs = new Map<string, string>();
  for (const line of output.stdout.toString('utf8').split('\n')) {
    const space = line.indexOf(' ');
    if (space > 0) refs.set(line.slice(space + 1), line.slice(0, space));
  }
  return refs;
}
