import { existsSync } from 'node:fs';
import { copyFile, mkdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { failureOf } from '../git/git-failures.ts';
import type { GitHome } from '../git/git-home.ts';
import type { GitRunner } from '../git/git-process.ts';
import { objectCommand } from '../git/object-commands.ts';
import type { FolderRepository } from '../sources/folder-source.ts';

/** How many files of a work tree differ from its commit; remembered for a few seconds, and served while it is counted anew. */
export interface UncommittedCounts {
  count(folder: WorkTree, signal: AbortSignal): Promise<number>;
}

export interface WorkTree {
  repository: FolderRepository;
  workTree: string;
  root: string;
  /** What the work tree was checked out from; null before the first commit. */
  commit: string | null;
}

const rememberedMs = 3000;
const staleMsMax = 60_000;
const listingBytesMax = 64 * 1024 * 1024;

export function createUncommittedCounts(
  options: { timeoutMs: number },
  deps: {
    runner: GitRunner;
    home: GitHome;
    clock: { now(): number };
    /** A new name in a folder of ours, swept when this process dies. */
    scratchFolder(): string;
  },
): UncommittedCounts {
  const known = new Map<string, { files: number; atMs: number; counting: Promise<number> | null }>();

  return {
    async count(folder, signal) {
      const { key } = folder.repository.objects;
      const last = known.get(key);
      if (last && (last.counting || deps.clock.now() - last.atMs < rememberedMs)) return last.files;
      if (last === undefined || deps.clock.now() - last.atMs > staleMsMax) {
        const files = await countNow(folder, signal);
        known.set(key, { files, atMs: deps.clock.now(), counting: null });
        return files;
      }
      last.counting = countNow(folder, undefined).finally(() => {
        last.counting = null;
      });
      last.counting.then(
        (files) => known.set(key, { files, atMs: deps.clock.now(), counting: null }),
        () => {
          last.atMs = deps.clock.now();
        },
      );
      return last.files;
    },
  };

  async function countNow(folder: WorkTree, signal: AbortSignal | undefined): Promise<number> {
    const [root, workTree] = await Promise.all([realpath(folder.root), realpath(folder.workTree)]);
    if (workTree !== root && !workTree.startsWith(`${root}${path.sep}`)) return 0;
    const index = path.join(folder.repository.gitDir, 'index');
    const excludes = path.join(folder.repository.commonDir, 'info', 'exclude');
    const [modified, staged, untracked] = await Promise.all([
      modifiedNames(folder, index, signal),
      folder.commit === null
        ? ''
        : ask(
            folder,
            index,
            ['diff-index', '--cached', '--name-only', '-z', '--ignore-submodules=all'],
            signal,
            { objectIds: [folder.commit] },
          ),
      ask(
        folder,
        index,
        [
          'ls-files',
          '--others',
          '-z',
          '--exclude-per-directory=.gitignore',
          ...(existsSync(excludes) ? [`--exclude-from=${excludes}`] : []),
        ],
        signal,
      ),
    ]);
    const names = `${modified}\0${staged}\0${untracked}`.split('\0').filter((name) => name !== '');
    return new Set(names).size;
  }

  /** Submodules are left out: git would start itself inside them, by their config. */
  async function modifiedNames(
    folder: WorkTree,
    index: string,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const compare = ['diff-files', '--name-only', '-z', '--ignore-submodules=all'];
    const suspects = await ask(folder, index, compare, signal);
    if (suspects === '') return '';
    // A copied or touched file only looks changed. Git finds out while it refreshes an index: a copy, because the folder is not ours.
    const scratch = deps.scratchFolder();
    await mkdir(scratch, { mode: 0o700 });
    try {
      const copy = path.join(scratch, 'index');
      await copyFile(index, copy);
      await ask(folder, copy, ['update-index', '-q', '--refresh', '--ignore-submodules'], signal, {
        goodCodes: [0, 1],
      });
      return await ask(folder, copy, compare, signal);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  /** Runs in our own git directory with the folder's index, so that no filter, fsmonitor or hook of its config exists. */
  async function ask(
    { repository, workTree }: WorkTree,
    index: string,
    args: readonly string[],
    signal: AbortSignal | undefined,
    { goodCodes = [0], objectIds }: { goodCodes?: readonly number[]; objectIds?: readonly string[] } = {},
  ): Promise<string> {
    const command = objectCommand(deps.home, repository.objects, {
      config: [
        ['core.symlinks', 'true'],
        // Mounted into a container, a folder has another owner and other times of change than its index remembers.
        ['core.checkStat', 'minimal'],
        ['core.trustctime', 'false'],
        ...repository.config.workTreeSettings,
      ],
      variables: { GIT_WORK_TREE: workTree, GIT_INDEX_FILE: index },
    });
    const doing = `Comparing the work tree of ${repository.name}`;
    const output = await deps.runner.run({
      what: doing,
      args: [...command.args, '-C', workTree, ...args],
      ...(objectIds ? { objectIds } : {}),
      env: command.env,
      lane: 'local',
      timeoutMs: options.timeoutMs,
      ...(signal ? { signal } : {}),
      stdoutBytesMax: listingBytesMax,
    });
    if (output.code === null || !goodCodes.includes(output.code)) {
      throw failureOf(output.stderr, { name: repository.name, doing });
    }
    return output.stdout.toString('latin1');
  }
}
