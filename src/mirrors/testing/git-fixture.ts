import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bytesOfPath } from '../../base/byte-path.ts';

/** A file's bytes, or bytes with a mode: `120000` is a symlink, `160000` a submodule whose content is the commit id. `null` deletes. */
export type FixtureFile = string | Buffer | { mode: FixtureMode; content: string | Buffer } | null;
export type FixtureMode = '100644' | '100755' | '120000' | '160000';

export interface FixtureOptions {
  /** Where to make it; a new temporary folder by default, removed by `remove()`. */
  folder?: string;
  bare?: boolean;
  objectFormat?: 'sha1' | 'sha256';
  defaultBranch?: string;
}

export interface CommitOptions {
  /** The default branch when left out; made when it is missing. */
  branch?: string;
  message?: string | Buffer;
  author?: string;
  /** Seconds since the epoch; otherwise a clock that moves one minute per commit. */
  atSeconds?: number;
  /** Further parents, by commit id: a merge. */
  merge?: readonly string[];
  /** Starts from this commit, or from nothing with null, instead of the branch's tip. */
  from?: string | null;
}

/** A real repository with deterministic ids, made by the real git with the machine's git config switched off. */
export interface GitFixture {
  /** The work tree, or the bare repository. */
  readonly folder: string;
  readonly gitDir: string;
  readonly defaultBranch: string;
  /** Paths are in their shown form, so any bytes can be written. Returns the commit id. */
  commit(files: Record<string, FixtureFile>, options?: CommitOptions): string;
  /** Brings the work tree to the tip of the branch that is checked out. */
  checkout(branch?: string): void;
  /** An annotated tag; `target` may be a tag's name, a tag id, anything. Returns the tag object's id. */
  annotatedTag(name: string, target: string): string;
  blob(content: string | Buffer): string;
  /** A tree of exactly these entries, in this order, whatever git would think of their names. */
  rawTree(entries: readonly { mode: string; name: string | Buffer; oid: string }[]): string;
  commitTree(
    tree: string,
    options?: { parents?: readonly string[]; branch?: string; message?: string },
  ): string;
  /** Runs git in the fixture and returns its output; throws with git's text when it fails. */
  git(args: readonly string[], options?: { input?: string | Buffer; env?: Record<string, string> }): string;
  remove(): void;
}

const identity = 'Ada Example <ada@example.test>';

export function createGitFixture(options: FixtureOptions = {}): GitFixture {
  const ownFolder = options.folder === undefined ? mkdtempSync(path.join(tmpdir(), 'periscope-git-')) : null;
  const folder = options.folder ?? path.join(ownFolder!, 'repository');
  const bare = options.bare ?? false;
  const gitDir = bare ? folder : path.join(folder, '.git');
  const defaultBranch = options.defaultBranch ?? 'main';
  mkdirSync(folder, { recursive: true });
  runFixtureGit(folder, [
    'init',
    '--quiet',
    `--initial-branch=${defaultBranch}`,
    `--object-format=${options.objectFormat ?? 'sha1'}`,
    ...(bare ? ['--bare'] : []),
    '--',
    folder,
  ]);
  let seconds = 1_700_000_000;

  const git: GitFixture['git'] = (args, runOptions) =>
    runFixtureGit(folder, [`--git-dir=${gitDir}`, ...args], runOptions);
  const nextSeconds = () => {
    seconds += 60;
    return seconds;
  };
  const dates = () => {
    const date = `${nextSeconds()} +0000`;
    return { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  };
  const tipOf = (branch: string) => {
    const found = git(['for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`]).trim();
    return found === '' ? null : found.split('\n')[0]!;
  };

  return {
    folder,
    gitDir,
    defaultBranch,
    git,
    commit(files, commitOptions = {}) {
      const branch = commitOptions.branch ?? defaultBranch;
      const from = commitOptions.from === undefined ? tipOf(branch) : commitOptions.from;
      git(['fast-import', '--quiet', '--force'], {
        input: fastImportCommit({
          branch,
          from,
          files,
          message: commitOptions.message ?? 'A change',
          author: commitOptions.author ?? identity,
          seconds: commitOptions.atSeconds ?? nextSeconds(),
          merge: commitOptions.merge ?? [],
        }),
      });
      return git(['rev-parse', '--verify', `refs/heads/${branch}`]).trim();
    },
    checkout(branch = defaultBranch) {
      git(['symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
      git([`--work-tree=${folder}`, 'reset', '--quiet', '--hard']);
    },
    annotatedTag(name, target) {
      git(['tag', '--annotate', '--message', `Tag ${name}`, '--', name, target], { env: dates() });
      return git(['rev-parse', '--verify', `refs/tags/${name}`]).trim();
    },
    blob: (content) => git(['hash-object', '-w', '--stdin'], { input: content }).trim(),
    rawTree(entries) {
      const input = Buffer.concat(
        entries.flatMap((entry) => [
          Buffer.from(`${entry.mode.replace(/^0+/, '')} `),
          typeof entry.name === 'string' ? Buffer.from(entry.name) : entry.name,
          Buffer.from([0]),
          Buffer.from(entry.oid, 'hex'),
        ]),
      );
      return git(['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], { input }).trim();
    },
    commitTree(tree, treeOptions = {}) {
      const parents = (treeOptions.parents ?? []).flatMap((parent) => ['-p', parent]);
      const commit = git(['commit-tree', tree, ...parents, '-m', treeOptions.message ?? 'A change'], {
        env: dates(),
      }).trim();
      git(['update-ref', `refs/heads/${treeOptions.branch ?? defaultBranch}`, commit]);
      return commit;
    },
    remove() {
      rmSync(ownFolder ?? folder, { recursive: true, force: true });
    },
  };
}

/** Git as every fixture runs it: none of the machine's config, a fixed identity. */
export function runFixtureGit(
  cwd: string,
  args: readonly string[],
  options: { input?: string | Buffer; env?: Record<string, string> } = {},
): string {
  const result = spawnSync('git', args, {
    cwd,
    env: { ...fixtureEnvironment(), ...options.env },
    maxBuffer: 1 << 30,
    ...(options.input === undefined ? {} : { input: options.input }),
  });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`git ${args.join(' ')}: ${result.stderr.toString('utf8')}`);
  return result.stdout.toString('utf8');
}

export function fixtureEnvironment(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LC_ALL: 'C',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Ada Example',
    GIT_AUTHOR_EMAIL: 'ada@example.test',
    GIT_COMMITTER_NAME: 'Ada Example',
    GIT_COMMITTER_EMAIL: 'ada@example.test',
    GIT_AUTHOR_DATE: '1700000000 +0000',
    GIT_COMMITTER_DATE: '1700000000 +0000',
  };
}

function fastImportCommit(commit: {
  branch: string;
  from: string | null;
  files: Record<string, FixtureFile>;
  message: string | Buffer;
  author: string;
  seconds: number;
  merge: readonly string[];
}): Buffer {
  const parts: Buffer[] = [];
  const line = (text: string) => parts.push(Buffer.from(`${text}\n`));
  const data = (content: string | Buffer) => {
    const bytes = Buffer.from(content);
    line(`data ${bytes.length}`);
    parts.push(bytes, Buffer.from('\n'));
  };
  // Without a parent the branch has to be reset first, or fast-import goes on from its tip.
  if (commit.from === null) line(`reset refs/heads/${commit.branch}\n`);
  line(`commit refs/heads/${commit.branch}`);
  line(`author ${commit.author} ${commit.seconds} +0000`);
  line(`committer ${commit.author} ${commit.seconds} +0000`);
  data(commit.message);
  if (commit.from !== null) line(`from ${commit.from}`);
  for (const parent of commit.merge) line(`merge ${parent}`);
  for (const [shown, file] of Object.entries(commit.files)) {
    const name = fastImportPath(bytesOfPath(shown));
    if (file === null) {
      line(`D ${name}`);
      continue;
    }
    const { mode, content } =
      typeof file === 'string' || Buffer.isBuffer(file) ? { mode: '100644', content: file } : file;
    if (mode === '160000') {
      line(`M ${mode} ${content.toString()} ${name}`);
      continue;
    }
    line(`M ${mode} inline ${name}`);
    data(content);
  }
  return Buffer.concat(parts);
}

function fastImportPath(bytes: Buffer): string {
  let quoted = '"';
  for (const byte of bytes) {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    quoted += plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  }
  return `${quoted}"`;
}
