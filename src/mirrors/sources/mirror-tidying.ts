import { gitEnvironment } from '../git/git-environment.ts';
import type { GitHome } from '../git/git-home.ts';
import type { GitRunner } from '../git/git-process.ts';

/** Every fetch leaves a pack or loose objects; from so many on they are made one, and what nothing leads to for two weeks goes. */
const settings = [
  ['gc.auto', '6700'],
  ['gc.autoPackLimit', '50'],
  ['gc.autoDetach', 'false'],
] as const;

/** Costs one short process where there is nothing to do. The caller is the mirror's one writer; readers go on meanwhile. */
export async function tidyMirror(
  mirror: { name: string; gitDir: string; timeoutMs: number; signal: AbortSignal },
  deps: { runner: GitRunner; home: GitHome },
): Promise<void> {
  await deps.runner.run({
    what: `Tidying the mirror of ${mirror.name}`,
    args: [`--git-dir=${mirror.gitDir}`, 'gc', '--auto', '--quiet'],
    env: gitEnvironment(deps.home, { config: settings }),
    // It may take minutes, and no read may wait for its place.
    lane: 'network',
    timeoutMs: mirror.timeoutMs,
    signal: mirror.signal,
    stdoutBytesMax: 64 * 1024,
  });
}
