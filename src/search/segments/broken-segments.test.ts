import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PeriscopeError } from '../../base/errors.ts';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import { EVERYTHING, literal } from '../regex/literal-query.ts';
import { openDictionaries, writeDictionaries } from './dictionary-file.ts';
import { trainDictionaries } from './dictionary-training.ts';
import { openSegment } from './open-segment.ts';
import { SegmentBuilder } from './segment-builder.ts';
import { SegmentKernels } from './segment-kernels.ts';
import { SegmentReader } from './segment-reader.ts';

const texts = [
  'export function answer(): number {\n  return 42;\n}\n',
  '',
  'the answer to the question, without a line feed',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\nbbbb\nAnswer\n',
];
const literals = ['answer', 'the', 'question', 're', 'aaaa', 'zzz'];
let folder: string;
let file: string;
let whole: Buffer;
const reader = new SegmentReader({ ringBytes: 1 << 20 });

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-broken-'));
  file = path.join(folder, 'a.seg');
  const builder = new SegmentBuilder({ file, dictionaries: null });
  texts.forEach((text, i) => {
    builder.add({ blobId: i + 1, oid: String(i).repeat(40), text: Buffer.from(text), group: 0 });
  });
  builder.finish();
  whole = readFileSync(file);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** All that can be asked of a segment, in words; or the code of the error that it ended with. */
function answerOf(bytes: Buffer): string {
  const changed = path.join(folder, 'changed.seg');
  writeFileSync(changed, bytes);
  try {
    const segment = openSegment(changed, new Map());
    try {
      const read = texts.map((_, blob) => [
        segment.tables.blobIds[blob],
        segment.oid(blob),
        segment.group(blob),
        reader.blobText(segment, blob).toString('latin1'),
        segment.tables.blockLines[segment.tables.blobFirstBlocks[blob]!],
      ]);
      const found = literals.map((bytes) => [
        ...(reader.candidates(segment, { text: literal(bytes), shapes: EVERYTHING }) ?? []),
        ...(reader.candidates(segment, { text: EVERYTHING, shapes: literal(bytes) }) ?? []),
      ]);
      return JSON.stringify([read, found]);
    } finally {
      segment.close();
    }
  } catch (error) {
    if (error instanceof PeriscopeError) return error.code;
    throw error;
  }
}

describe('a damaged segment says so and never answers wrongly', () => {
  it('whichever byte is another one', () => {
    const right = answerOf(whole);
    const random = new SeededRandom(5);
    const outcomes = new Map<string, number>();
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 1 + random.below(255);
      const answer = answerOf(changed);
      const outcome = answer === right ? 'right' : answer;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect([...outcomes.keys()].sort()).toEqual(['right', 'search/segment-broken', 'search/segment-version']);
    // Only the gaps between sections are free.
    expect(outcomes.get('right')).toBeLessThan(4 * 64);
  });

  it('wherever it is cut, and when it has grown', () => {
    for (let length = 0; length < whole.length; length++) {
      expect(answerOf(whole.subarray(0, length)), `cut at ${length}`).toBe('search/segment-broken');
    }
    expect(answerOf(Buffer.concat([whole, Buffer.from('x')]))).toBe('search/segment-broken');
  });

  it('when its dictionaries are another set or missing', () => {
    const samples = Array.from({ length: 20 }, (_, i) => ({
      group: 0,
      text: Buffer.from(`export function answer${i}(): number {\n  return 42;\n}\n`.repeat(3)),
    }));
    const dictionaries = trainDictionaries(samples);
    const compressed = path.join(folder, 'compressed.seg');
    const builder = new SegmentBuilder({ file: compressed, dictionaries });
    builder.add({ blobId: 1, oid: 'a'.repeat(40), text: samples[0]!.text, group: 0 });
    builder.finish();
    expect(() => openSegment(compressed, new Map())).toThrow(
      expect.objectContaining({ code: 'search/segment-broken' }),
    );

    const name = writeDictionaries(folder, dictionaries);
    const read = openDictionaries(path.join(folder, name));
    expect(read).toEqual(dictionaries);
    const segment = openSegment(compressed, new Map([[read.hash, read]]));
    expect(reader.blobText(segment, 0).equals(samples[0]!.text)).toBe(true);
    segment.close();

    const bytes = readFileSync(path.join(folder, name));
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(path.join(folder, name), bytes);
    expect(() => openDictionaries(path.join(folder, name))).toThrow(
      expect.objectContaining({ code: 'search/segment-broken' }),
    );
  });
});

describe('decompressing hostile bytes', () => {
  it('never writes outside of its area', () => {
    const kernels = new SegmentKernels(1 << 20);
    const random = new SeededRandom(9);
    const [from, to] = [0x10000, 0x40000];
    const lowest = to - 100;
    const guard = 0xa5;
    let accepted = 0;
    for (let round = 0; round < 20_000; round++) {
      const size = 1 + random.below(60);
      const length = random.below(300);
      kernels.bytes.fill(guard, to - 100, to + length + 32 + 100);
      for (let i = 0; i < size; i++)
        kernels.bytes[from + i] = random.pick([random.below(256), random.below(32), 255]);
      if (kernels.run.decompress(from, size, to, length, lowest) !== 0) accepted++;
      const before = kernels.bytes.subarray(to - 100, to);
      const behind = kernels.bytes.subarray(to + length + 32, to + length + 132);
      expect(before.every((byte) => byte === guard) && behind.every((byte) => byte === guard)).toBe(true);
    }
    expect(accepted).toBeGreaterThan(0);
  });
});
