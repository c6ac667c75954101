import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleForNode } from '../../base/testing/run-typescript.ts';
import { createScanPool, type ScanPool } from './scan-pool.ts';

let pool: ScanPool;
let workerFile: URL;
beforeAll(async () => {
  workerFile = pathToFileURL(
    await bundleForNode(fileURLToPath(new URL('./scan-worker.ts', import.meta.url))),
  );
  pool = createScanPool({ workerFile, workersMax: 2, batchesMax: 8, graceMs: 200 });
});
afterAll(() => pool.close());

const plain = { literal: false, ignoreCase: false, linesPerText: 100, rangesPerLine: 10 };
const alive = new AbortController().signal;

describe('texts are matched off the main thread', () => {
  it('each text has its own lines, in order', async () => {
    const scan = pool.start({ ...plain, pattern: 'b+' }, alive);
    const found = await scan.match([Buffer.from('a\nbb\n'), Buffer.from(''), Buffer.from('b')]);
    expect(found.map(({ lines }) => lines.map(({ number }) => number))).toEqual([[2], [], [1]]);
  });

  it('a faulty pattern fails as the parser says', async () => {
    await expect(
      pool.start({ ...plain, pattern: 'a(' }, alive).match([Buffer.from('a')]),
    ).rejects.toMatchObject({
      kind: 'invalid-request',
      code: 'search/regex-syntax',
    });
  });

  it('a scan that is stopped ends within its text, and the thread serves the next', async () => {
    const stop = new AbortController();
    const slow = pool.start({ ...plain, pattern: '[ab]*a[ab]{200}c' }, stop.signal);
    const text = Buffer.from('ab'.repeat(4_000_000));
    const running = slow.match([text, text, text]);
    setTimeout(() => stop.abort(), 50);
    await expect(running).rejects.toMatchObject({ kind: 'cancelled' });
    const next = await pool.start({ ...plain, pattern: 'x' }, alive).match([Buffer.from('x')]);
    expect(next[0]?.lines).toHaveLength(1);
    expect(pool.replaced()).toBe(0);
  });

  it('beyond its bound it says busy instead of queueing', async () => {
    const small = createScanPool({ workerFile, workersMax: 1, batchesMax: 1, graceMs: 200 });
    const first = small.start({ ...plain, pattern: 'x' }, alive).match([Buffer.from('x')]);
    const second = small.start({ ...plain, pattern: 'x' }, alive).match([Buffer.from('x')]);
    await expect(
      small.start({ ...plain, pattern: 'y' }, alive).match([Buffer.from('y')]),
    ).rejects.toMatchObject({ kind: 'busy' });
    await Promise.all([first, second]);
    await small.close();
  });

  it('whoever goes away while waiting ends no scan but their own', async () => {
    const one = createScanPool({ workerFile, workersMax: 1, batchesMax: 8, graceMs: 20 });
    const text = Buffer.from('ab'.repeat(300_000));
    const long = one.start({ ...plain, pattern: '[ab]*a[ab]{100}c' }, alive).match([text]);
    const gone = new AbortController();
    const waiting = one.start({ ...plain, pattern: 'x' }, gone.signal).match([Buffer.from('x')]);
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ kind: 'cancelled' });
    expect((await long)[0]?.ended).toBe('complete');
    expect(one.replaced()).toBe(0);
    await one.close();
  });
});
