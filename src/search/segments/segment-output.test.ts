import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { HEADER_BYTES } from './segment-format.ts';
import { SegmentOutput } from './segment-output.ts';

it('an output that cannot be put into place is discarded without closing what was opened since', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'periscope-output-'));
  try {
    const file = path.join(folder, 'a.seg');
    // A folder of that name: a file cannot take its place.
    mkdirSync(path.join(file, 'not-empty'), { recursive: true });
    const output = new SegmentOutput(file);
    expect(() => output.finish(Buffer.alloc(HEADER_BYTES))).toThrow();
    const other = path.join(folder, 'other');
    const fd = openSync(other, 'w');
    output.discard();
    writeSync(fd, 'still open');
    expect(readFileSync(other, 'utf8')).toBe('still open');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
