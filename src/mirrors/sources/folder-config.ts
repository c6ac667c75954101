import { stat } from 'node:fs/promises';
import path from 'node:path';
import { gitEnvironment } from '../git/git-environment.ts';
import type { GitHome, ObjectFormat } from '../git/git-home.ts';
import type { GitRunner } from '../git/git-process.ts';
import { readPlainConfig } from './plain-config.ts';

/** The few harmless settings of a folder's own config that decide how it is read; everything else in it is ignored. */
export interface FolderConfig {
  objectFormat: ObjectFormat;
  shallowFile: string | null;
  /** How its work tree is compared with its index: passed on as they are. */
  workTreeSettings: readonly (readonly [key: string, value: string])[];
}

const wanted = /^(?:extensions\.objectformat|core\.(?:filemode|autocrlf|eol|ignorecase))$/;

export async function readFolderConfig(
  commonDir: string,
  options: { name: string; timeoutMs: number },
  deps: { runner: GitRunner; home: GitHome },
): Promise<FolderConfig> {
  const file = path.join(commonDir, 'config');
  const all = (await readPlainConfig(file)) ?? (await listedByGit(file, options, deps));
  const settings = all.filter(([key]) => wanted.test(key));
  const format = settings.findLast(([key]) => key === 'extensions.objectformat')?.[1];
  const shallowFile = path.join(commonDir, 'shallow');
  const isShallow = await stat(shallowFile).then(
    (found) => found.isFile(),
    () => false,
  );
  return {
    objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
    shallowFile: isShallow ? shallowFile : null,
    workTreeSettings: settings.filter(([key]) => key.startsWith('core.')),
  };
}

async function listedByGit(
  file: string,
  options: { name: string; timeoutMs: number },
  deps: { runner: GitRunner; home: GitHome },
): Promise<(readonly [key: string, value: string])[]> {
  const output = await deps.runner.run({
    what: `Reading the settings of ${options.name}`,
    args: ['config', '--file', file, '--no-includes', '-z', '--list'],
    env: gitEnvironment(deps.home),
    lane: 'local',
    timeoutMs: options.timeoutMs,
    stdoutBytesMax: 4 * 1024 * 1024,
  });
  return output.stdout
    .toString('utf8')
    .split('\0')
    .map((entry) => [entry.split('\n', 1)[0]!, entry.slice(entry.indexOf('\n') + 1)] as const);
}
