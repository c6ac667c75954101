import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openVectorWriter, quantize, type VectorKind } from '../vectors/index.ts';
import { createVectorShelf } from './vector-shelf.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'periscope-shelf-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const kind: VectorKind = { model: 'made-up', dimensions: 384, preparation: '1' };
let folders = 0;

function shelfOf(waitMs?: number) {
  const own = path.join(folder, String(++folders));
  const writer = openVectorWriter({ folder: own, rowsMax: 0 });
  let nowMs = 0;
  const clock = { now: () => nowMs };
  const shelf = createVectorShelf({ folder: own, ...(waitMs === undefined ? {} : { waitMs }) }, { clock });
  let owners = 0;
  return {
    ...shelf,
    append(rows: number) {
      const vector = quantize(Float32Array.from({ length: 384 }, (_, i) => (i === 0 ? 1 : 0)));
      writer.append(
        kind,
        Array.from({ length: rows }, () => ({ owner: ++owners, part: 0, vector })),
      );
    },
    later() {
      nowMs += 5000;
    },
  };
}

const rowsOf = ({ handle }: { handle: { segments: readonly { head: { rows: number } }[] } | null }) =>
  handle?.segments.reduce((sum, { head }) => sum + head.rows, 0) ?? 0;

describe('vectors as they are now', () => {
  it('are none, and then those that were written', async () => {
    const shelf = shelfOf();
    expect((await shelf.borrow()).handle).toBeNull();
    shelf.append(10);
    expect((await shelf.borrow()).handle).toBeNull();
    shelf.later();
    expect(rowsOf(await shelf.borrow())).toBe(10);
    shelf.close();
  });

  it('are loaded in pieces, while questions are answered from what there was', async () => {
    const shelf = shelfOf(0);
    shelf.append(10);
    const before = await shelf.borrow();
    expect(rowsOf(before)).toBe(10);
    // 16 MB: no piece is larger than one.
    shelf.append(40_000);
    shelf.later();
    expect(rowsOf(await shelf.borrow())).toBe(10);
    let turns = 0;
    while (rowsOf(await shelf.borrow()) === 10) turns++;
    expect(turns).toBeGreaterThan(3);
    expect(rowsOf(await shelf.borrow())).toBe(40_010);
    // What was borrowed stays until it is given back.
    expect(rowsOf(before)).toBe(10);
    before.release();
    shelf.close();
  });

  it('that are closed while they are being loaded are given back', async () => {
    const shelf = shelfOf();
    shelf.append(10);
    const borrowing = shelf.borrow();
    shelf.close();
    expect((await borrowing).handle).toBeNull();
  });
});
