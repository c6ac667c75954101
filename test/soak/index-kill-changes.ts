import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { SeededRandom } from '../../src/base/testing/seeded-random.ts';
import { mergeLimits } from '../../src/indexing/merge-choice.ts';

export const killLeaseMs = 400;
/** Chunks that are encoded together, and so once more after a kill. */
export const killBatch = 8;
/** So small that nearly every other round merges. */
export const killMergeLimits = { ...mergeLimits, deltasMax: 2, deadShareMax: 0.1 };

const gitEnvironment = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.test',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.test',
};

export function git(gitDir: string, args: readonly string[], input?: string): string {
  return execFileSync('git', [`--git-dir=${gitDir}`, ...args], {
    env: gitEnvironment,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(input === undefined ? {} : { input }),
  }).toString();
}

/**
 * One commit by fast-import, so that a kill between two commands leaves the repository as it was: files written, changed and deleted,
 * and now and then an opt-out of everything below `private/`, or its end.
 */
export function changeRepository(folder: string, name: string, random: SeededRandom): void {
  const gitDir = path.join(folder, name);
  if (!existsSync(path.join(gitDir, 'HEAD'))) {
    mkdirSync(folder, { recursive: true });
    execFileSync('git', ['init', '-q', '--bare', '-b', 'main', gitDir], { env: gitEnvironment });
  }
  const tip = hasTip(gitDir) ? 'from refs/heads/main^0\n' : '';
  const lines: string[] = [];
  for (let file = 1 + random.below(12); file > 0; file--) {
    const place = `${random.pick(['src', 'private', 'test', 'docs'])}/${random.below(40)}.ts`;
    if (random.below(6) === 0 && tip !== '') lines.push(`D ${place}\n`);
    else lines.push(fileOf(place, textOf(random)));
  }
  if (random.below(5) === 0)
    lines.push(fileOf('.periscope/ignore', random.below(2) === 0 ? 'private/\n' : '# all\n'));
  const commit = `commit refs/heads/main\ncommitter A <a@example.test> ${1e9 + random.below(1e6)} +0000\ndata 1\nx\n${tip}`;
  git(gitDir, ['fast-import', '--quiet', '--force'], `${commit}${lines.join('')}\n`);
}

function hasTip(gitDir: string): boolean {
  try {
    git(gitDir, ['rev-parse', '--verify', '--quiet', 'refs/heads/main']);
    return true;
  } catch {
    return false;
  }
}

function fileOf(place: string, text: string): string {
  return `M 100644 inline ${place}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
}

/** Each defines one class, so that its facts can be told. Some texts are the same in several repositories. */
function textOf(random: SeededRandom): string {
  const words = Array.from({ length: 1 + random.below(200) }, () =>
    random.below(random.pick([3, 5000])).toString(36),
  );
  return `export class K${random.below(5000)} {}\n// ${words.join(' ')}\n`;
}
