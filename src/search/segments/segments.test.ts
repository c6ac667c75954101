import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import { EVERYTHING, type LiteralQuery, literal } from '../regex/literal-query.ts';
import { foldTable, shapeByte } from './gram-alphabet.ts';
import { openSegment, type SegmentFile } from './open-segment.ts';
import { SegmentBuilder } from './segment-builder.ts';
import { SegmentReader } from './segment-reader.ts';
import { longLine, randomText } from './testing/random-texts.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-segments-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
let builder: SegmentBuilder | undefined;

function build(texts: readonly Buffer[]): SegmentFile {
  const file = path.join(folder, `${++files}.seg`);
  const options = { file, dictionaries: null, trigramsMax: 60_000 };
  if (builder) builder.restart(options);
  else builder = new SegmentBuilder(options);
  texts.forEach((text, i) => {
    const oid = (i + 1).toString(16).padStart(i % 7 === 6 ? 64 : 40, '0');
    expect(builder!.add({ blobId: 100 + i, oid, text, group: i % 8 })).toBe('added');
  });
  const summary = builder.finish();
  expect(summary.blobs).toBe(texts.length);
  return openSegment(file, new Map());
}

describe('a segment gives back what was put into it', () => {
  it('every byte of seeded random texts, with their lines and ids', () => {
    const reader = new SegmentReader({ ringBytes: 1 << 20 });
    for (let seed = 1; seed <= 12; seed++) {
      const random = new SeededRandom(seed);
      const texts = Array.from({ length: 60 }, () => randomText(random));
      texts.push(longLine(random, 200_000), Buffer.alloc(0), longLine(random, 1_300_000));
      const segment = build(texts);
      expect(segment.blobs).toBe(texts.length);
      texts.forEach((text, blob) => {
        expect(reader.blobText(segment, blob).equals(text), `seed ${seed}, text ${blob}`).toBe(true);
        expect(segment.tables.blobIds[blob]).toBe(100 + blob);
        expect(segment.oid(blob)).toBe((blob + 1).toString(16).padStart(blob % 7 === 6 ? 64 : 40, '0'));
        expect(segment.group(blob)).toBe(blob % 8);
        checkBlocks(segment, blob, text);
      });
      segment.close();
    }
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

function checkBlocks(segment: SegmentFile, blob: number, text: Buffer): void {
  const { blobFirstBlocks, blockStarts, blockLengths, blockLines, blockBlobs } = segment.tables;
  for (let block = blobFirstBlocks[blob]!; block < blobFirstBlocks[blob + 1]!; block++) {
    const start = blockStarts[block]!;
    expect(blockBlobs[block]).toBe(blob);
    expect(blockLines[block]).toBe(text.subarray(0, start).toString('latin1').split('\n').length);
    expect(blockLengths[block]).toBeLessThanOrEqual(48 * 1024);
  }
}

describe('candidates never lack a block', () => {
  it('that has what is asked for, over seeded texts and queries', () => {
    const reader = new SegmentReader({ ringBytes: 1 << 20 });
    let asked = 0;
    let narrowed = 0;
    for (let seed = 1; seed <= 10; seed++) {
      const random = new SeededRandom(seed * 1000);
      const texts = Array.from({ length: 80 }, () => randomText(random));
      texts.push(longLine(random, 300_000));
      const segment = build(texts);
      const blocks = blockTexts(segment, reader);
      const folded = blocks.map((block) => translated(block, (byte) => foldTable[byte]!));
      const shaped = blocks.map((block) => translated(block, shapeByte));
      for (let i = 0; i < 150; i++) {
        const text = random.below(4) === 0 ? EVERYTHING : randomQuery(random, folded, 2);
        const shapes = random.below(3) > 0 ? EVERYTHING : randomQuery(random, shaped, 2);
        const found = reader.candidates(segment, { text, shapes });
        asked++;
        if (found === null) continue;
        narrowed++;
        const kept = new Set(found);
        expect([...found]).toEqual([...kept].sort((a, b) => a - b));
        const lacking = blocks.findIndex(
          (_, block) => !kept.has(block) && holds(folded[block]!, text) && holds(shaped[block]!, shapes),
        );
        expect(lacking, `seed ${seed}, ${JSON.stringify({ text, shapes })}`).toBe(-1);
      }
      segment.close();
    }
    expect(asked).toBe(1500);
    expect(narrowed).toBeGreaterThan(1000);
  });
});

function blockTexts(segment: SegmentFile, reader: SegmentReader): string[] {
  return Array.from({ length: segment.blocks }, (_, block) => {
    const address = reader.text(segment, block);
    return reader.buffer.toString('latin1', address, address + segment.tables.blockLengths[block]!);
  });
}

function translated(text: string, byteOf: (byte: number) => number): string {
  return Buffer.from(Buffer.from(text, 'latin1').map(byteOf)).toString('latin1');
}

function holds(text: string, query: LiteralQuery): boolean {
  switch (query.kind) {
    case 'everything':
      return true;
    case 'nothing':
      return false;
    case 'literal':
      return text.includes(query.bytes);
    case 'all':
      return query.of.every((part) => holds(text, part));
    case 'any':
      return query.of.some((part) => holds(text, part));
  }
}

function randomQuery(random: SeededRandom, blocks: readonly string[], depth: number): LiteralQuery {
  const kind = depth === 0 ? 0 : random.below(4);
  if (kind < 2) {
    const block = random.pick(blocks);
    const length = random.pick([1, 2, 2, 3, 4, 5, 8, 12, 30]);
    const from =
      random.below(4) === 0
        ? Math.max(0, block.length - length)
        : random.below(Math.max(1, block.length - length));
    return literal(block.slice(from, from + length));
  }
  const of = Array.from({ length: 2 + random.below(2) }, () => randomQuery(random, blocks, depth - 1));
  return { kind: kind === 2 ? 'all' : 'any', of };
}
