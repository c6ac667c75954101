import { gitEnvironment } from '../git/git-environment.ts';
import { failureOf } from '../git/git-failures.ts';
import type { GitHome, ObjectFormat } from '../git/git-home.ts';
import type { GitRunner } from '../git/git-process.ts';
import { listRefs } from '../refs/list-refs.ts';
import type { RemoteAccess } from '../types.ts';
import type { RemoteRefs } from './ls-remote.ts';
import type { RemoteAddress } from './remote-address.ts';
import { remoteCommand } from './remote-command.ts';

export interface MirrorUpdate {
  name: string;
  gitDir: string;
  address: RemoteAddress;
  access: RemoteAccess;
  told: RemoteRefs;
  timeoutMs: number;
  /** Of local steps. */
  readTimeoutMs: number;
  signal: AbortSignal;
}

interface Deps {
  runner: GitRunner;
  home: GitHome;
}

const looseRefsMax = 200;

export const mirroredNamespaces = ['refs/heads', 'refs/tags'];

export async function initMirror(
  mirror: { name: string; gitDir: string; objectFormat: ObjectFormat; timeoutMs: number },
  deps: Deps,
): Promise<void> {
  await local(mirror, deps, [
    'init',
    '--quiet',
    '--bare',
    '--template=',
    '--initial-branch=main',
    `--object-format=${mirror.objectFormat}`,
    '--',
    mirror.gitDir,
  ]);
}

/** Brings a bare mirror to what the remote told. `known` are the mirror's references now. Returns whether anything was fetched. */
export async function updateMirror(
  update: MirrorUpdate,
  known: ReadonlyMap<string, string>,
  deps: Deps,
): Promise<boolean> {
  const { told } = update;
  const gone = [...known.keys()].filter((name) => !told.refs.has(name));
  const changed = [...told.refs].filter(([name, oid]) => known.get(name) !== oid).length;
  const isNew = changed > 0;
  if (isNew) {
    // `a` and `a/b` cannot both be there. All other deletions wait, so that no reader misses a branch that was renamed.
    await deleteRefs(
      update,
      gone.filter((name) => isInTheWay(name, told.refs)),
      deps,
    );
    await fetchAll(update, deps);
    // Thousands of them in files and folders of their own would have to be looked at before each read.
    if (changed > looseRefsMax) {
      await local({ ...update, timeoutMs: update.readTimeoutMs }, deps, [
        `--git-dir=${update.gitDir}`,
        'pack-refs',
        '--all',
      ]);
    }
  }
  if (told.head !== null && told.refs.has(told.head)) {
    await local({ ...update, timeoutMs: update.readTimeoutMs }, deps, [
      `--git-dir=${update.gitDir}`,
      'symbolic-ref',
      'HEAD',
      told.head,
    ]);
  }
  await deleteRefs(update, gone, deps);
  return isNew;
}

async function fetchAll(update: MirrorUpdate, deps: Deps): Promise<void> {
  const output = await deps.runner.run({
    what: `Fetching ${update.name}`,
    args: [
      `--git-dir=${update.gitDir}`,
      'fetch',
      '--quiet',
      '--atomic',
      '--force',
      // Never --prune: it believes whatever this very answer says. What is gone is deleted by what ls-remote told.
      '--no-prune',
      '--no-tags',
      '--no-write-fetch-head',
      '--no-auto-maintenance',
      '--no-recurse-submodules',
      '--',
      update.address.url,
      '+refs/heads/*:refs/heads/*',
      '+refs/tags/*:refs/tags/*',
    ],
    ...(await remoteCommand(update.address, update.access, deps.home)),
    lane: 'network',
    timeoutMs: update.timeoutMs,
    signal: update.signal,
    stdoutBytesMax: 1024 * 1024,
  });
  if (output.code !== 0)
    throw failureOf(output.stderr, { name: update.name, doing: `Fetching ${update.name}` });
}

async function deleteRefs(update: MirrorUpdate, gone: readonly string[], deps: Deps): Promise<void> {
  if (gone.length === 0) return;
  const there = await listRefs(
    update,
    { timeoutMs: update.readTimeoutMs, namespaces: mirroredNamespaces },
    deps,
  );
  const deletions = gone.filter((name) => there.has(name)).map((name) => `delete ${name}\n`);
  if (deletions.length === 0) return;
  await local(
    { ...update, timeoutMs: update.readTimeoutMs },
    deps,
    [`--git-dir=${update.gitDir}`, 'update-ref', '--no-deref', '--stdin'],
    deletions.join(''),
  );
}

function isInTheWay(name: string, told: ReadonlyMap<string, string>): boolean {
  for (const other of told.keys()) {
    if (other.startsWith(`${name}/`) || name.startsWith(`${other}/`)) return true;
  }
  return false;
}

async function local(
  mirror: { name: string; timeoutMs: number; signal?: AbortSignal },
  { runner, home }: Deps,
  args: readonly string[],
  input?: string,
): Promise<void> {
  const doing = `Keeping the mirror of ${mirror.name}`;
  const output = await runner.run({
    what: doing,
    args,
    env: gitEnvironment(home),
    lane: 'local',
    timeoutMs: mirror.timeoutMs,
    ...(mirror.signal ? { signal: mirror.signal } : {}),
    stdoutBytesMax: 1024 * 1024,
    ...(input === undefined ? {} : { input }),
  });
  if (output.code !== 0) throw failureOf(output.stderr, { name: mirror.name, doing });
}
