import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import { attachManifest, openManifest, readBlobIds } from './manifest.ts';
import type { DocumentClass, ManifestRow, SkipReason } from './types.ts';
import { encodeManifest, writeManifest } from './write-manifest.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'periscope-manifest-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const names = [
  'src',
  'lib',
  'Main',
  'TEST',
  'a',
  'é',
  '𝒳',
  '\uffee',
  'index.ts',
  'README.md',
  'x y',
  '\\xff',
];
const reasons: (SkipReason | null)[] = [null, null, null, 'binary', 'pending', 'missing'];

function randomRows(random: SeededRandom, count: number, oidDigits = 40): ManifestRow[] {
  return Array.from({ length: count }, (_, index) => {
    const skipped = random.pick(reasons);
    const depth = 1 + random.below(4);
    const folders = Array.from({ length: depth }, () => random.pick(names));
    return {
      path: `${folders.join('/')}${random.below(4) === 0 ? '' : random.below(1000)}`,
      oid: random
        .below(2 ** 32)
        .toString(16)
        .padStart(oidDigits, '0'),
      blobId: skipped === null ? index + 1 : 0,
      skipped,
      class: random.below(4) as DocumentClass,
      language: random.below(700),
      executable: random.below(5) === 0,
      maskedSpans: random.below(9) === 0 ? 2 : 0,
      interpreter: random.below(9) === 0 ? 7 : 0,
    };
  });
}

const head = {
  repositoryId: 7,
  commit: 'c'.repeat(40),
  committedMs: 5,
  policyKey: 'none',
  objectsBy: null,
  optedOut: 3,
};
let serial = 0;
async function written(rows: ManifestRow[]) {
  const file = path.join(folder, `${++serial}.man`);
  await writeManifest(file, { head, rows: [...rows] });
  return openManifest(file);
}

const inBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe('a manifest gives back what was written, by class and then by the bytes of the path', () => {
  for (const [count, digits] of [
    [0, 40],
    [1, 40],
    [17, 64],
    [600, 40],
  ] as const) {
    it(`${count} rows, ids of ${digits} digits`, async () => {
      const rows = randomRows(new SeededRandom(count), count, digits);
      const byPath = new Map(rows.toReversed().map((row) => [row.path, row]));
      const expected = [...byPath.values()].sort((a, b) => a.class - b.class || inBytes(a.path, b.path));
      const manifest = await written(rows);
      expect(Array.from({ length: manifest.rows }, (_, row) => manifest.row(row))).toEqual(expected);
      expect(attachManifest(manifest.handle).path(0)).toBe(expected[0]?.path ?? '');
      expect(manifest.head.documents).toBe(expected.length);
      expect(manifest.head.skippedCounts['opted-out']).toBe(3);
      for (const [row, { path }] of expected.entries()) expect(manifest.rowOfPath(path)).toBe(row);
      expect(manifest.rowOfPath('no such path')).toBe(-1);
      const { blobIds, classStarts } = await readBlobIds(manifest.handle.file);
      expect([...blobIds]).toEqual([...manifest.blobIds]);
      expect([...classStarts]).toEqual([...manifest.classStarts]);
    });
  }
});

describe('documents are found by a part of their path, in any letter case', () => {
  const rows = randomRows(new SeededRandom(3), 500);
  for (const literal of [
    's',
    'sr',
    'src/',
    'main',
    'index.ts',
    'md',
    'lib/test',
    'é',
    'é/𝒳',
    'readme.md1',
    'none of it',
  ]) {
    it(literal, async () => {
      const manifest = await written(rows);
      const folded = Buffer.from(literal);
      const all = Array.from({ length: manifest.rows }, (_, row) => row);
      // ASCII letters alone are folded.
      const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
      const expected = all.filter((row) => lower(manifest.path(row)).includes(literal));
      expect(manifest.rowsWithPath(folded, 1e9)).toEqual(expected);
      expect(manifest.rowsWithPath(folded, 2, 100)).toEqual(expected.filter((row) => row >= 100).slice(0, 2));
      if (expected.length > 0) expect(manifest.mayHavePath(folded)).toBe(true);
    });
  }

  it('a signature tells at once that most literals occur nowhere', async () => {
    const manifest = await written(rows);
    const absent = Array.from({ length: 200 }, (_, index) => Buffer.from(`zq${index}wv`));
    expect(absent.filter((literal) => manifest.mayHavePath(literal)).length).toBeLessThan(10);
  });
});

describe('what is not whole is refused', () => {
  const { bytes } = encodeManifest({ head, rows: randomRows(new SeededRandom(9), 40) });
  const check = (what: string, change: (bytes: Buffer) => Buffer, code: string) =>
    it(what, async () => {
      const file = path.join(folder, `${++serial}.man`);
      writeFileSync(file, change(Buffer.from(bytes)));
      await expect(openManifest(file)).rejects.toMatchObject({ code });
    });
  for (const at of [12, 16, 60, bytes.length - 1]) {
    check(`a byte changed at ${at}`, (own) => own.fill(own[at]! ^ 1, at, at + 1), 'search/index-file-broken');
  }
  check('cut short', (own) => own.subarray(0, own.length - 8), 'search/index-file-broken');
  check('empty', () => Buffer.alloc(0), 'search/index-file-broken');
  check('another kind of file', (own) => own.fill(1, 0, 4), 'search/index-file-broken');
  check('a newer format', (own) => own.fill(99, 4, 5), 'search/index-file-newer');

  it('a file that is there already is never written over', async () => {
    const file = path.join(folder, 'taken.man');
    writeFileSync(file, 'taken');
    await expect(writeManifest(file, { head, rows: [] })).rejects.toMatchObject({ code: 'EEXIST' });
    expect(readFileSync(file, 'utf8')).toBe('taken');
  });
});
