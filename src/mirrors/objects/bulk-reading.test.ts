import { randomBytes } from 'node:crypto';
import { chmodSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGitFixture, type GitFixture } from '../testing/git-fixture.ts';
import { openTestMirrors, type TestMirrors } from '../testing/open-mirrors.ts';
import type { BulkBlob, Mirror } from '../types.ts';

const signal = new AbortController().signal;
let fixture: GitFixture;
let test: TestMirrors;
let mirror: Mirror;
let texts: string[];
let oids: string[];

beforeAll(() => {
  fixture = createGitFixture({ bare: true });
  test = openTestMirrors();
  texts = Array.from({ length: 40 }, (_, index) => `text ${index}\n`.repeat(index * 700));
  oids = texts.map((text) => fixture.blob(text));
  mirror = test.openFolder(fixture);
});
afterAll(async () => {
  await test.close();
  fixture.remove();
});

async function readAll(asked: readonly string[], bytesMax: number): Promise<BulkBlob[]> {
  const read: BulkBlob[] = [];
  for await (const blob of mirror.blobs(asked, { signal, bytesMax })) read.push(blob);
  return read;
}

describe('many blobs are read in one go', () => {
  it('each in its turn, whole, however they are spread over what git writes', async () => {
    const asked = Array.from({ length: 1500 }, (_, index) => oids[(index * 7) % oids.length]!);
    const read = [...(await readAll(asked, 1e9)), ...(await readAll(asked, Number.POSITIVE_INFINITY))];
    expect(read.map(({ oid }) => oid)).toEqual([...asked, ...asked]);
    for (const { oid, bytes, sizeBytes } of read) {
      expect(bytes!.toString()).toBe(texts[oids.indexOf(oid)]);
      expect(sizeBytes).toBe(bytes!.length);
    }
  });

  it('one process for all of them, and for what is read soon after', async () => {
    mirror = test.openFolder(fixture);
    await readAll([], 0);
    await mirror.objectsBy({ signal });
    const before = test.mirrors.counters();
    await readAll(oids.slice(0, 9), 1e9);
    await readAll(oids.slice(9), 1e9);
    const after = test.mirrors.counters();
    expect(after.processesStarted - before.processesStarted).toBe(1);
    expect(after.blobsRead - before.blobsRead).toBe(oids.length);
  });

  it('tells what is missing, what is no blob, and what is larger than wanted', async () => {
    const commit = fixture.commit({ a: 'a' });
    const asked = ['3'.repeat(40), commit, oids[30]!, oids[1]!, '4'.repeat(40)];
    const read = await readAll(asked, 10_000);
    expect(read.map(({ sizeBytes }) => sizeBytes)).toEqual([
      null,
      null,
      texts[30]!.length,
      texts[1]!.length,
      null,
    ]);
    const unbounded = await readAll(asked, Number.POSITIVE_INFINITY);
    expect(unbounded.map(({ sizeBytes }) => sizeBytes)).toEqual(read.map(({ sizeBytes }) => sizeBytes));
    expect(unbounded[2]!.bytes!.toString()).toBe(texts[30]);
    expect(read.map(({ bytes }) => bytes?.toString())).toEqual([
      undefined,
      undefined,
      undefined,
      texts[1],
      undefined,
    ]);
  });

  it('sizes alone', async () => {
    const before = test.mirrors.counters().blobsRead;
    const read = await readAll(oids, 0);
    expect(read.map(({ sizeBytes }) => sizeBytes)).toEqual(texts.map(({ length }) => length));
    expect(test.mirrors.counters().blobsRead).toBe(before);
    expect(await readAll([], 10)).toEqual([]);
  });

  it('who stops early, or is cancelled, leaves nothing behind', async () => {
    for await (const { oid } of mirror.blobs(oids, { signal, bytesMax: 1e9 })) if (oid === oids[5]) break;
    const controller = new AbortController();
    const reading = (async () => {
      for await (const { oid } of mirror.blobs(oids, { signal: controller.signal, bytesMax: 1e9 })) {
        if (oid === oids[5]) controller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ kind: 'cancelled' });
    expect(await readAll(oids.slice(0, 2), 1e9)).toHaveLength(2);
  });

  it('refuses what is no id before it reaches git', async () => {
    await expect(readAll(['HEAD:a'], 10)).rejects.toThrow();
  });

  it('a damaged object is told, and the others are read all the same', async () => {
    const own = createGitFixture({ bare: true });
    try {
      const [first, broken, last] = ['first', randomBytes(5000).toString('hex'), 'last'].map((text) =>
        own.blob(text),
      );
      const file = path.join(own.gitDir, 'objects', broken!.slice(0, 2), broken!.slice(2));
      chmodSync(file, 0o644);
      // Its header can be read and its content cannot.
      truncateSync(file, 1000);
      const read: BulkBlob[] = [];
      const asked = [first!, broken!, last!, broken!];
      for await (const blob of test.openFolder(own).blobs(asked, { signal, bytesMax: 1e6 })) read.push(blob);
      const unbounded: BulkBlob[] = [];
      const reading = { signal, bytesMax: Number.POSITIVE_INFINITY };
      for await (const blob of test.openFolder(own).blobs(asked, reading)) unbounded.push(blob);
      expect(unbounded).toEqual(read.map((blob) => ({ ...blob, sizeBytes: blob.bytes && blob.sizeBytes })));
      expect(read.map(({ bytes }) => bytes?.toString())).toEqual(['first', undefined, 'last', undefined]);
      expect(read.map(({ damaged }) => damaged)).toEqual([false, true, false, true]);
    } finally {
      own.remove();
    }
  });
});

describe('who has put the objects there', () => {
  const check = async (mode: number) => {
    const own = createGitFixture({ bare: true });
    try {
      own.commit({ a: 'a' });
      chmodSync(path.join(own.gitDir, 'objects'), mode);
      return await test.openFolder(own).objectsBy({ signal });
    } finally {
      own.remove();
    }
  };
  it('the account that alone can write there', async () => {
    expect(await check(0o755)).toBe(`account ${process.getuid?.()}`);
  });
  it('nobody known where others can write', async () => {
    expect(await check(0o777)).toBeNull();
  });
});
