import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bundleForNode } from '../../base/testing/run-typescript.ts';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import { naiveHits, randomRows, randomVector } from '../testing/random-vectors.ts';
import type { VectorKind } from '../types.ts';
import { openFolderStore } from './folder-store.ts';
import { quantize } from './quantize.ts';
import type { AllowedOwners, VectorAnswer, VectorRow } from './store-types.ts';
import { decodeVectorHead, sectionsOf, type VectorSections } from './vector-format.ts';
import { createVectorReader } from './vector-reader.ts';
import { createVectorScanner } from './vector-scanner.ts';
import { openVectorWriter } from './vector-writer.ts';

const kind: VectorKind = { model: 'small', dimensions: 40, preparation: '1' };
const { signal } = new AbortController();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-vectors-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a search finds what a look at every row finds', () => {
  for (const seed of [1, 2, 3, 4]) {
    for (const residence of ['records in memory', 'records on disk'] as const) {
      test(`after appends, deletes and merges, ${residence}, seed ${seed}`, async () => {
        const random = new SeededRandom(seed);
        const dimensions = 1 + random.below(200);
        const own = { ...kind, dimensions };
        const store = openFolderStore({
          folder,
          residentBytesMax: residence === 'records in memory' ? 1e9 : 0,
          sketchedMost: 100_000,
          scoredMost: 100_000,
        });
        let rows: VectorRow[] = [];
        for (let step = 0; step < 12; step++) {
          const owners = [...new Set(Array.from({ length: 60 }, () => random.below(5000)))];
          const known = new Set(rows.map(({ owner }) => owner));
          const added = randomRows(
            random,
            dimensions,
            owners.filter((owner) => !known.has(owner)),
          );
          // After a fall the last batch may come again.
          const again = step % 2 === 0 ? rows.slice(-30) : [];
          await store.append(own, [...added, ...again]);
          rows = [...rows, ...added];
          if (step % 3 === 2) {
            const gone = Uint32Array.from({ length: 40 }, () => random.pick(rows).owner);
            const without = rows.filter(({ owner }) => !gone.includes(owner));
            expect(await store.deleteOwners(gone)).toBeGreaterThanOrEqual(rows.length - without.length);
            rows = without;
          }
          if (step % 4 === 3) await store.tidy(signal);
          const query = randomVector(random, dimensions);
          const places = [...rows.filter(() => random.next() < 0.02), { owner: 5001, part: 0 }];
          expect(await store.scoresOf({ kind: own, vector: query }, places)).toEqual(
            places.map((place) => ('vector' in place ? naiveHits([place], query, 1)[0]!.score : null)),
          );
          const limit = 1 + random.below(20);
          const visible = new Set(rows.filter(() => random.next() < 0.3).map(({ owner }) => owner));
          const listed = Uint32Array.from(visible).sort();
          const bits = new Uint8Array(700);
          for (const owner of visible) bits[owner >> 3]! |= 1 << (owner & 7);
          for (const allowed of [null, { form: 'list', owners: listed }, { form: 'bitmap', bits }] as const) {
            const answer = await store.search({ kind: own, vector: query, limit, allowed }, signal);
            const among = allowed === null ? rows : rows.filter(({ owner }) => visible.has(owner));
            expect(answer.hits).toEqual(naiveHits(among, query, limit));
            expect(answer.rows.damaged).toBe(0);
          }
        }
        expect([...(await store.ownersOf(own))]).toEqual(
          [...new Set(rows.map(({ owner }) => owner))].sort((a, b) => a - b),
        );
        await store.close();
      });
    }
  }
});

test('what is not allowed changes nothing in an answer: hits, mean, deviation and counts are the same without it', async () => {
  const random = new SeededRandom(11);
  const visible = randomRows(
    random,
    40,
    Array.from({ length: 300 }, (_, i) => 2 * i),
  );
  const hidden = randomRows(
    random,
    40,
    Array.from({ length: 300 }, (_, i) => 2 * i + 1),
  );
  const query = randomVector(random, 40);
  const allowed: AllowedOwners = { form: 'list', owners: Uint32Array.from({ length: 300 }, (_, i) => 2 * i) };
  for (const residentBytesMax of [0, 1e9]) {
    const answers: VectorAnswer[] = [];
    for (const batches of [[visible], [hidden, visible], [[...visible, ...hidden]]]) {
      const own = mkdtempSync(path.join(folder, 'store-'));
      const store = openFolderStore({ folder: own, residentBytesMax, scoredMost: 20 });
      for (const rows of batches) await store.append(kind, rows);
      answers.push(await store.search({ kind, vector: query, limit: 10, allowed }, signal));
      await store.close();
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  }
});

test('the mean and the deviation are those of the scores of all allowed rows', async () => {
  const random = new SeededRandom(5);
  const rows = randomRows(
    random,
    40,
    Array.from({ length: 400 }, (_, i) => i),
  );
  const query = randomVector(random, 40);
  const store = openFolderStore({ folder });
  await store.append(kind, rows);
  const {
    mean,
    deviation,
    rows: counted,
  } = await store.search({ kind, vector: query, limit: 5, allowed: null }, signal);
  const scores = naiveHits(rows, query, rows.length).map(({ score }) => score);
  const wanted = scores.reduce((a, b) => a + b, 0) / scores.length;
  expect(mean).toBeCloseTo(wanted, 3);
  expect(deviation).toBeCloseTo(
    Math.sqrt(scores.reduce((a, b) => a + (b - wanted) ** 2, 0) / scores.length),
    3,
  );
  expect(counted).toEqual({ allowed: rows.length, scored: rows.length, sketched: 0, damaged: 0 });
  await store.close();
});

test('vectors of other models, lengths and preparations are never compared', async () => {
  const random = new SeededRandom(7);
  const others: VectorKind[] = [
    kind,
    { ...kind, model: 'large' },
    { ...kind, preparation: '2' },
    { ...kind, dimensions: 48 },
  ];
  const store = openFolderStore({ folder });
  for (const [i, other] of others.entries()) {
    for (let batch = 0; batch < 5; batch++) {
      await store.append(other, randomRows(random, other.dimensions, [100 * i + batch]));
    }
  }
  await store.tidy(signal);
  for (const [i, other] of others.entries()) {
    const vector = randomVector(random, other.dimensions);
    const { hits } = await store.search({ kind: other, vector, limit: 1000, allowed: null }, signal);
    expect(new Set(hits.map(({ owner }) => owner))).toEqual(
      new Set([0, 1, 2, 3, 4].map((batch) => 100 * i + batch)),
    );
  }
  await expect(store.append(kind, randomRows(random, 48, [1]))).rejects.toMatchObject({
    code: 'vectors/kinds-differ',
  });
  await expect(
    store.search({ kind, vector: randomVector(random, 48), limit: 1, allowed: null }, signal),
  ).rejects.toMatchObject({ code: 'vectors/kinds-differ' });
  await store.keepKinds([others[1]!]);
  expect((await store.counts()).map((count) => count.kind)).toEqual([others[1]]);
  await store.close();
});

test('a generation stays as it was while it is open, and its memory is used again afterwards', () => {
  const random = new SeededRandom(9);
  const writer = openVectorWriter({ folder, keptMs: 0 });
  const reader = createVectorReader({ folder });
  const scanner = createVectorScanner();
  const query = { kind, vector: randomVector(random, 40), limit: 50, allowed: null };
  writer.append(kind, randomRows(random, 40, [1, 2, 3, 4, 5]));
  const first = reader.open();
  const before = scanner.search(first.handle, query);
  writer.deleteOwners(Uint32Array.of(2, 3));
  for (const owner of [6, 7, 8]) writer.append(kind, randomRows(random, 40, [owner]));
  while (writer.merge());
  expect(writer.removeOldFiles()).toBeGreaterThan(0);
  const second = reader.open();
  expect(scanner.search(first.handle, query)).toEqual(before);
  expect(new Set(scanner.search(second.handle, query).hits.map(({ owner }) => owner))).toEqual(
    new Set([1, 4, 5, 6, 7, 8]),
  );
  const used = reader.usedBytes();
  first.close();
  expect(reader.usedBytes()).toBeLessThan(used);
  second.close();
  expect(reader.usedBytes()).toBe(0);
});

describe('damage', () => {
  test('of any byte is told, and the other parts are searched', () => {
    const random = new SeededRandom(3);
    const writer = openVectorWriter({ folder });
    writer.append(kind, randomRows(random, 40, [1, 2, 3, 4, 5, 6, 7, 8, 9]));
    writer.append(kind, randomRows(random, 40, [20]));
    const file = path.join(folder, 'vectors-1');
    const whole = readFileSync(file);
    const query = { kind, vector: randomVector(random, 40), limit: 50, allowed: null };
    const sections = sectionsOf(decodeVectorHead(file, whole, whole.length).rows, 40);
    for (let at = 8; at < whole.length; at += 41) {
      const bytes = Buffer.from(whole);
      bytes[at]! ^= 0x10;
      writeFileSync(file, bytes);
      for (const residentBytesMax of [1e9, 0]) {
        const generation = createVectorReader({ folder, residentBytesMax }).open();
        const { hits, rows } = createVectorScanner().search(generation.handle, query);
        expect(hits.map(({ owner }) => owner)).toContain(20);
        const isRecord = at >= sections.records && at < sections.owners;
        const isSketch = at >= sections.sketches;
        const isRead = residentBytesMax > 0 ? !isSketch : !isRecord;
        if (isRead && !isBetweenSections(at, sections, whole)) expect(generation.broken).toHaveLength(1);
        else if (isRecord && (at - sections.records) % 64 < 52) expect(rows.damaged).toBeGreaterThan(0);
        generation.close();
      }
    }
  });

  test('of a record is told when it is read alone, and a merge does not copy it', () => {
    const random = new SeededRandom(4);
    const writer = openVectorWriter({ folder });
    for (const owner of [1, 2, 3, 4]) writer.append(kind, randomRows(random, 40, [owner]));
    const file = path.join(folder, 'vectors-1');
    const bytes = readFileSync(file);
    bytes[1024 + 5]! ^= 1;
    writeFileSync(file, bytes);
    const query = { kind, vector: randomVector(random, 40), limit: 50, allowed: null };
    const onDisk = createVectorReader({ folder, residentBytesMax: 0 }).open();
    expect(createVectorScanner().search(onDisk.handle, query).rows.damaged).toBeGreaterThan(0);
    const inMemory = createVectorReader({ folder }).open();
    expect(inMemory.broken).toMatchObject([{ file: 'vectors-1', fault: { code: 'vectors/file-broken' } }]);
    expect(() => writer.merge()).toThrow(expect.objectContaining({ code: 'vectors/file-broken' }));
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('of the list of parts is an error, and a newer format is refused', () => {
    openVectorWriter({ folder }).append(kind, [
      { owner: 1, part: 0, vector: quantize(new Float32Array(40).fill(1)) },
    ]);
    const file = path.join(folder, 'CURRENT');
    const text = readFileSync(file, 'latin1');
    writeFileSync(file, text.replace('"generation":1', '"generation":2'));
    expect(() => createVectorReader({ folder }).open()).toThrow(
      expect.objectContaining({ code: 'vectors/file-broken' }),
    );
    writeFileSync(file, text.replace('periscope-vectors 1', 'periscope-vectors 9'));
    expect(() => createVectorReader({ folder }).open()).toThrow(
      expect.objectContaining({ code: 'vectors/file-version' }),
    );
  });
});

/** Bytes that only fill up what lies before them. */
function isBetweenSections(
  at: number,
  { records, owners, parts, sketches, fileBytes }: VectorSections,
  whole: Buffer,
) {
  const rows = (fileBytes - sketches) / 16;
  const ends = [records + rows * 64, owners + rows * 4, parts + rows * 4];
  const starts = [owners, parts, sketches];
  return whole.length === fileBytes && ends.some((end, i) => at >= end && at < starts[i]!);
}

test('a generation is searched in several threads at once, from memory that they share', async () => {
  const random = new SeededRandom(21);
  const rows = randomRows(
    random,
    40,
    Array.from({ length: 2000 }, (_, i) => i),
  );
  openVectorWriter({ folder }).append(kind, rows);
  const generation = createVectorReader({ folder }).open();
  const worker = await bundleForNode(path.join(import.meta.dirname, '../testing/scan-thread.ts'));
  const queries = Array.from({ length: 20 }, () => randomVector(random, 40));
  const answers = await Promise.all(
    [0, 1, 2].map(async () => {
      const thread = new Worker(worker, { workerData: { handle: generation.handle, kind, queries } });
      const [found] = (await once(thread, 'message')) as [VectorAnswer[]];
      await thread.terminate();
      return found;
    }),
  );
  for (const found of answers) {
    found.forEach(({ hits }, i) => {
      expect(hits).toEqual(naiveHits(rows, queries[i]!, 10));
    });
  }
  generation.close();
});

test('who is killed while appending loses at most the batch that was not finished', async () => {
  const program = await bundleForNode(path.join(import.meta.dirname, '../testing/append-until-killed.ts'));
  const scanner = createVectorScanner();
  let known = 0;
  for (let run = 0; run < 4; run++) {
    const child = spawn(process.execPath, [program, folder, String(known)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let told = known;
    child.stdout.on('data', (data: Buffer) => {
      told = Math.max(told, ...String(data).trim().split('\n').map(Number));
      if (told > known + 3 + 2 * run) child.kill('SIGKILL');
    });
    await once(child, 'close');
    const generation = createVectorReader({ folder }).open();
    const owners = scanner.ownersOf(generation.handle, kind);
    expect(generation.broken).toEqual([]);
    expect(owners.length).toBeGreaterThanOrEqual(told);
    expect([...owners]).toEqual(Array.from({ length: owners.length }, (_, i) => i));
    known = owners.length;
    generation.close();
  }
});
