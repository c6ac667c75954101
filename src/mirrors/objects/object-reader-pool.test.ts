import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGitHome } from '../git/git-home.ts';
import { createGitRunner, type GitRunner } from '../git/git-process.ts';
import type { ObjectSource } from '../git/object-commands.ts';
import { createGitFixture, type GitFixture } from '../testing/git-fixture.ts';
import { createObjectReaderPool, type ObjectReaderPool } from './object-reader-pool.ts';

const realGit = execFileSync('/bin/sh', ['-c', 'command -v git']).toString().trim();

let folder: string;
let fixture: GitFixture;
let runner: GitRunner;
let pool: ObjectReaderPool;
let oids: string[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-pool-'));
  fixture = createGitFixture({ folder: path.join(folder, 'a.git'), bare: true });
  oids = Array.from({ length: 30 }, (_, index) => fixture.blob(`blob ${index}`));
  const home = createGitHome(path.join(folder, 'home'));
  runner = createGitRunner({ cwd: folder, processesMax: 4 });
  pool = createObjectReaderPool({ processesMax: 2, timeoutMs: 20_000 }, { runner, home });
});
afterEach(async () => {
  pool.close();
  await runner.close();
  rmSync(folder, { recursive: true, force: true });
});

const source = (key: string): ObjectSource => ({
  key,
  objectFormat: 'sha1',
  objectDirectory: path.join(fixture.gitDir, 'objects'),
  shallowFile: null,
});

async function read(key: string, index: number): Promise<string> {
  const reply = await pool.ask(source(key), oids[index]!, 1000);
  return typeof reply === 'string' ? reply : reply.content!.toString();
}

describe('a bounded number of persistent processes answers for any number of repositories', () => {
  it('one process for a repository, however many ask at once', async () => {
    const replies = await Promise.all(oids.map((_, index) => read('one', index)));
    expect(replies).toEqual(oids.map((_, index) => `blob ${index}`));
    await read('one', 3);
    expect(runner.processesStarted()).toBe(1);
  });

  it('takes the place of one unused, and keeps those in use', async () => {
    await read('one', 0);
    await read('two', 0);
    await read('one', 0);
    await read('three', 0);
    expect(runner.processesStarted()).toBe(3);
    await read('one', 0);
    expect(runner.processesStarted()).toBe(3);
    await read('two', 0);
    expect(runner.processesStarted()).toBe(4);
  });

  it('serves many repositories at once with few processes, each in the end', async () => {
    const keys = Array.from({ length: 12 }, (_, index) => `repository ${index}`);
    const asked = keys.flatMap((key) => oids.map((_, index) => read(key, index)));
    expect(new Set(await Promise.all(asked)).size).toBe(oids.length);
  });

  it('asks again a process that was to make room and was not needed to', async () => {
    const large = fixture.blob(Buffer.alloc(20_000_000, 'x'));
    // The first is still busy when the second makes room for the third.
    const first = pool.ask(source('one'), large, 1e9);
    expect(await Promise.all([read('two', 0), read('three', 0)])).toEqual(['blob 0', 'blob 0']);
    await first;
    expect(await read('one', 1)).toBe('blob 1');
  });

  it('goes on with a new process when one is killed under it', async () => {
    expect(await read('one', 0)).toBe('blob 0');
    pool.drop('one');
    expect(await read('one', 1)).toBe('blob 1');
    const asked = oids.map((_, index) => read('one', index));
    queueMicrotask(() => pool.drop('one'));
    expect(await Promise.all(asked)).toEqual(oids.map((_, index) => `blob ${index}`));
  });

  it('tells what is missing and passes over what is too large', async () => {
    expect(await pool.ask(source('one'), '3'.repeat(40), 10)).toBe('missing');
    const large = fixture.blob(Buffer.alloc(300_000, 'x'));
    const [passed, next] = await Promise.all([pool.ask(source('one'), large, 10), read('one', 2)]);
    expect(passed).toMatchObject({ sizeBytes: 300_000, content: null });
    expect(next).toBe('blob 2');
  });

  it('rejects what is asked after closing', async () => {
    pool.close();
    await expect(read('one', 0)).rejects.toMatchObject({ code: 'mirrors/closed' });
  });
});

describe('a reader that hangs is replaced', () => {
  it('its first request times out, the ones behind are asked again', async () => {
    await runner.close();
    const home = createGitHome(path.join(folder, 'home'));
    // Real git behind a shell that stops answering the first time.
    const stuck = path.join(folder, 'git');
    writeFileSync(
      stuck,
      `#!/bin/sh\nif [ ! -e '${folder}/once' ]; then touch '${folder}/once'; sleep 60; fi\nexec ${realGit} "$@"\n`,
      { mode: 0o755 },
    );
    const previous = process.env['PATH'];
    process.env['PATH'] = `${folder}:${previous}`;
    try {
      runner = createGitRunner({ cwd: folder, processesMax: 4 });
      pool = createObjectReaderPool({ processesMax: 2, timeoutMs: 1500 }, { runner, home });
      const [first, second] = await Promise.allSettled([read('one', 0), read('one', 1)]);
      expect(first).toMatchObject({ status: 'rejected', reason: { kind: 'timeout' } });
      expect(second).toEqual({ status: 'fulfilled', value: 'blob 1' });
    } finally {
      process.env['PATH'] = previous;
    }
  });
});
