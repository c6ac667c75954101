import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bundleForNode } from '../../base/testing/run-typescript.ts';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import { randomRows, randomVector } from '../testing/random-vectors.ts';
import type { VectorKind } from '../types.ts';
import { createVectorReader } from './vector-reader.ts';
import { createVectorScanner } from './vector-scanner.ts';
import { openVectorWriter, readKindCounts, readOwnerCounts } from './vector-writer.ts';

const kind: VectorKind = { model: 'small', dimensions: 40, preparation: '1' };
const other: VectorKind = { ...kind, model: 'other' };
const random = new SeededRandom(7);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-vector-writer-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const rowsOf = (...owners: number[]) => randomRows(random, 40, owners);
const ownersIn = (wanted: VectorKind) =>
  [...openVectorWriter({ folder }).rows()].flatMap(({ kind: found, owners }) =>
    found.model === wanted.model ? [...new Set(owners)] : [],
  );

test('the folder and every file in it are for their owner alone', () => {
  const own = path.join(folder, 'vectors');
  const writer = openVectorWriter({ folder: own });
  writer.append(kind, rowsOf(1, 2));
  writer.deleteOwners(Uint32Array.of(1));
  const modeOf = (file: string) => statSync(file).mode & 0o777;
  expect(modeOf(own)).toBe(0o700);
  const names = readdirSync(own);
  expect(names.length).toBeGreaterThan(2);
  for (const name of names) expect(modeOf(path.join(own, name)), name).toBe(0o600);
});

describe('rows go as they are told to', () => {
  test('of one kind, and of all editions but one', () => {
    const writer = openVectorWriter({ folder });
    writer.append(kind, rowsOf(1, 2), 'old');
    writer.append(kind, rowsOf(3), 'new');
    writer.append(other, rowsOf(1, 3), 'new');
    writer.deleteOwners(Uint32Array.of(1, 3), { notEdition: 'new' });
    expect([ownersIn(kind), ownersIn(other)]).toEqual([
      [2, 3],
      [1, 3],
    ]);
    writer.deleteOwners(Uint32Array.of(3), { kind: other });
    expect([ownersIn(kind), ownersIn(other)]).toEqual([[2, 3], [1]]);
  });

  test('editions are never merged with each other', () => {
    const writer = openVectorWriter({ folder });
    for (let owner = 0; owner < 8; owner++)
      writer.append(kind, rowsOf(owner), owner % 2 === 0 ? 'even' : 'odd');
    while (writer.merge());
    const editions = [...writer.rows()].map(({ edition, owners }) => [edition, [...new Set(owners)]]);
    expect(editions).toEqual([
      ['even', [0, 2, 4, 6]],
      ['odd', [1, 3, 5, 7]],
    ]);
  });

  test('what is purged is on no disk afterwards, whoever reads it still, and an open state finds the rest', () => {
    const writer = openVectorWriter({ folder });
    const rows = rowsOf(1, 2, 3);
    for (const owner of [1, 2, 3])
      writer.append(
        kind,
        rows.filter((row) => row.owner === owner),
      );
    // Files of before the merge are kept for readers, and hold it, too.
    writer.append(kind, rowsOf(4));
    expect(writer.merge()).toBe(true);
    writer.append(kind, rowsOf(9));
    expect(readdirSync(folder).filter((name) => name.startsWith('vectors-'))).toHaveLength(6);
    const onDisk = createVectorReader({ folder, residentBytesMax: 0 }).open();
    const query = { kind, vector: randomVector(random, 40), limit: 50, allowed: null };
    const before = createVectorScanner().search(onDisk.handle, query);
    writer.deleteOwners(Uint32Array.of(2));
    expect(writer.purge()).toBeGreaterThan(0);
    expect(readdirSync(folder).filter((name) => /^(vectors|deleted)-/.test(name))).toHaveLength(2);
    const bytes = Buffer.from(rows.find(({ owner }) => owner === 2)!.vector.values.buffer);
    for (const name of readdirSync(folder)) {
      expect(readFileSync(path.join(folder, name)).includes(bytes), name).toBe(false);
    }
    const after = createVectorScanner().search(onDisk.handle, query);
    expect(after.rows.damaged).toBeGreaterThan(0);
    expect(after.hits).toEqual(before.hits.filter(({ owner }) => owner === 9));
    expect(ownersIn(kind)).toEqual([1, 3, 4, 9]);
  });

  test('a part that is not as it was written is dropped, whichever byte it is', () => {
    const writer = openVectorWriter({ folder });
    writer.append(kind, rowsOf(1));
    writer.append(kind, rowsOf(2));
    const [file] = readdirSync(folder).filter((name) => name.startsWith('vectors-'));
    const whole = readFileSync(path.join(folder, file!));
    for (const at of [0, 40, 1030, whole.length - 1]) {
      const bytes = Buffer.from(whole);
      bytes[at]! ^= 1;
      writeFileSync(path.join(folder, file!), bytes);
      const list = readFileSync(path.join(folder, 'CURRENT'));
      expect(openVectorWriter({ folder }).dropBroken(), `byte ${at}`).toEqual([file]);
      expect(ownersIn(kind)).toEqual([2]);
      writeFileSync(path.join(folder, 'CURRENT'), list);
    }
    writeFileSync(path.join(folder, file!), whole);
    expect(openVectorWriter({ folder }).dropBroken()).toEqual([]);
  });
});

describe('there is one writer', () => {
  test('the one that was replaced learns of it, and what the later one wrote stays', () => {
    const first = openVectorWriter({ folder, fence: 1 });
    first.append(kind, rowsOf(1));
    const second = openVectorWriter({ folder, fence: 2 });
    second.append(kind, rowsOf(2));
    expect(() => first.append(kind, rowsOf(3))).toThrow(
      expect.objectContaining({ code: 'vectors/writer-replaced' }),
    );
    second.append(kind, rowsOf(4));
    expect(openVectorWriter({ folder }).dropBroken()).toEqual([]);
    expect(ownersIn(kind)).toEqual([1, 2, 4]);
  });

  test('any other process can count what there is, and counts nothing where it cannot be read', () => {
    expect(readKindCounts(folder)).toEqual([]);
    const writer = openVectorWriter({ folder });
    writer.append(kind, rowsOf(1, 5));
    writer.append(kind, rowsOf(7));
    writer.deleteOwners(Uint32Array.of(5));
    const [counted] = readOwnerCounts(folder);
    const has = [1, 5, 7, 8].map((owner) => (counted!.owners[owner] ?? 0) > 0);
    expect(has).toEqual([true, false, true, false]);
    expect(readKindCounts(folder)).toMatchObject([{ kind, rows: counted!.rows }]);
    writeFileSync(path.join(folder, 'CURRENT'), 'no list');
    expect([readKindCounts(folder), readOwnerCounts(folder)]).toEqual([[], []]);
  });
});

test('while another process appends, merges and clears away, a reader finds all that was there when it looked', async () => {
  const program = await bundleForNode(path.resolve(import.meta.dirname, '../testing/append-until-killed.ts'));
  const child: ChildProcess = spawn(process.execPath, [program, folder, '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let written = 0;
  createInterface({ input: child.stdout! }).on('line', (line) => {
    written = Number(line);
  });
  try {
    for (const residentBytesMax of [0, 1e9]) {
      const reader = createVectorReader({ folder, residentBytesMax });
      const scanner = createVectorScanner({ sketchedMost: 100_000, scoredMost: 100_000 });
      for (let looks = 0; looks < 20; looks++) {
        const before = written;
        while (written === before && child.exitCode === null)
          await new Promise((resolve) => setTimeout(resolve, 2));
        const known = written;
        const generation = reader.open();
        expect(generation.broken).toEqual([]);
        const query = { kind, vector: randomVector(random, 40), limit: 10, allowed: null };
        const { rows } = scanner.search(generation.handle, query);
        expect(rows.damaged).toBe(0);
        expect(rows.allowed).toBeGreaterThanOrEqual(3 * known);
        generation.close();
      }
    }
  } finally {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
});
