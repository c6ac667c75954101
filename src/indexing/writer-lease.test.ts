import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestIndexing, type TestIndexing } from './testing/open-indexing.ts';
import { isDead, ownMark, type ProcessMark, writerLeaseName } from './writer-lease.ts';

let child: ChildProcess;
let killed: ChildProcess;
beforeEach(async () => {
  child = spawn('sleep', ['60']);
  killed = spawn('sleep', ['60']);
  await Promise.all([once(child, 'spawn'), once(killed, 'spawn')]);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
});
afterEach(() => void child.kill('SIGKILL'));

describe('a process is taken for dead only when that is sure', () => {
  const check = (title: string, change: () => Partial<ProcessMark>, expected: boolean) =>
    it(title, () => expect(isDead({ ...ownMark(), ...change() })).toBe(expected));
  check('this one lives', () => ({}), false);
  check('another one lives', () => ({ pid: child.pid!, started: '' }), false);
  check('one that was killed is dead', () => ({ pid: killed.pid! }), true);
  check('its number may be another one’s by now', () => ({ pid: child.pid!, started: '1' }), true);
  check('of another host nothing is known', () => ({ pid: killed.pid!, host: 'elsewhere' }), false);
  check('nor of another container', () => ({ pid: killed.pid!, boot: 'another' }), false);
  it('nor of one that left no mark', () => expect(isDead(null)).toBe(false));
});

describe('a writer that was killed keeps nobody waiting', () => {
  let test: TestIndexing;
  const { signal } = new AbortController();
  beforeEach(async () => {
    test = await openTestIndexing();
    test.repository('one.git').commit({ 'a.ts': 'a\n' });
    await test.discover();
  });
  afterEach(() => test.close());

  const heldBy = (mark: ProcessMark) =>
    test.storage.acquireLease(writerLeaseName, { owner: `x ${JSON.stringify(mark)}`, ttlMs: 60_000 });

  it('the next one takes over at once, with a new fence', async () => {
    const dead = await heldBy({ ...ownMark(), pid: killed.pid! });
    const { repositoriesDone } = await test.open().indexAll({ signal });
    expect(repositoriesDone).toBe(1);
    expect(await dead!.renew()).toBe(false);
  });

  it('one of another host is waited for', async () => {
    await heldBy({ ...ownMark(), pid: killed.pid!, host: 'elsewhere' });
    await expect(test.open().indexAll({ signal })).rejects.toMatchObject({ code: 'indexing/busy' });
  });
});
