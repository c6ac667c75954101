import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLogger } from '../../base/logger.ts';
import { createMirrors, type MirrorsDeps } from '../create-mirrors.ts';
import type { Mirror, MirrorSource, Mirrors, MirrorsOptions, RemoteAccess } from '../types.ts';
import type { GitFixture } from './git-fixture.ts';

export interface TestMirrors {
  mirrors: Mirrors;
  /** Holds the mirrors folder and the worktree folder. */
  folder: string;
  options: MirrorsOptions;
  /** Moved by the test. */
  clock: { nowMs: number; now(): number };
  openFolder(fixture: GitFixture, changes?: Partial<Extract<MirrorSource, { kind: 'folder' }>>): Mirror;
  openRemote(id: number, url: string, access?: Partial<RemoteAccess>): Mirror;
  /** A second set of mirrors on the same folders, as after a restart. */
  again(changes?: { options?: Partial<MirrorsOptions>; deps?: Partial<MirrorsDeps> }): Mirrors;
  close(): Promise<void>;
}

/** Mirrors with small limits in a temporary folder. */
export function openTestMirrors(
  changes: { options?: Partial<MirrorsOptions>; deps?: Partial<MirrorsDeps> } = {},
): TestMirrors {
  const folder = mkdtempSync(path.join(tmpdir(), 'periscope-mirrors-'));
  const clock = { nowMs: Date.now(), now: () => clock.nowMs };
  const options: MirrorsOptions = {
    folder: path.join(folder, 'mirrors'),
    worktreeFolder: path.join(folder, 'worktrees'),
    fetchTtlMs: 60_000,
    fetchTimeoutMs: 20_000,
    cloneTimeoutMs: 20_000,
    readTimeoutMs: 20_000,
    diskBytesMax: 0,
    worktreesMax: 8,
    worktreeBytesMax: 64 * 1024 * 1024,
    batchProcessesMax: 4,
    processesMax: 4,
    ...changes.options,
  };
  const deps: MirrorsDeps = { clock, logger: silentLogger, ...changes.deps };
  const opened: Mirrors[] = [];
  const open = (more: typeof changes = {}) => {
    const mirrors = createMirrors({ ...options, ...more.options }, { ...deps, ...more.deps });
    opened.push(mirrors);
    return mirrors;
  };
  const mirrors = open();
  let nextId = 1000;

  return {
    mirrors,
    folder,
    options,
    clock,
    openFolder(fixture, source = {}) {
      nextId += 1;
      return mirrors.open({
        id: nextId,
        name: 'acme/folder',
        source: {
          kind: 'folder',
          gitDir: fixture.gitDir,
          workTree: fixture.gitDir === fixture.folder ? null : fixture.folder,
          root: path.dirname(fixture.folder),
          ...source,
        },
      });
    },
    openRemote: (id, url, access = {}) => mirrors.open(remoteSubject(id, url, access)),
    again: open,
    async close() {
      for (const one of opened) await one.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function remoteSubject(id: number, url: string, access: Partial<RemoteAccess> = {}) {
  return {
    id,
    name: `acme/remote-${id}`,
    source: {
      kind: 'remote' as const,
      url,
      access: {
        origin: new URL(url).origin,
        username: null,
        secret: null,
        sshKeyFile: null,
        sshKnownHostsFile: null,
        caFile: null,
        proxy: null,
        allowInsecureHttp: true,
        ...access,
      },
    },
  };
}
