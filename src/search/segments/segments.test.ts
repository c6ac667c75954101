import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import { EVERYTHING, type LiteralQuery, literal } from '../regex/literal-query.ts';
import { trainDictionaries } from './dictionary-training.ts';
import { foldTable, shapeByte } from './gram-alphabet.ts';
import { mergeSegments } from './merge-segments.ts';
import { prepareNeedle } from './needle.ts';
import { attachSegment, type OpenSegment, openSegment } from './open-segment.ts';
import { SegmentBuilder } from './segment-builder.ts';
import { SegmentReader } from './segment-reader.ts';
import { longLine, randomText } from './testing/random-texts.ts';
import type { DictionarySet } from './types.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-segments-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const builder = new SegmentBuilder();

function nextFile(): string {
  return path.join(folder, `${++files}.seg`);
}

function build(texts: readonly Buffer[], dictionaries: DictionarySet | null = null): OpenSegment {
  const file = nextFile();
  builder.restart({ file, dictionaries, trigramsMax: 60_000 });
  texts.forEach((text, i) => {
    const oid = (i + 1).toString(16).padStart(i % 7 === 6 ? 64 : 40, '0');
    expect(builder.add({ blobId: 100 + i, oid, text, group: i % 8 })).toBe('added');
  });
  const summary = builder.finish();
  expect(summary.blobs).toBe(texts.length);
  return openSegment(file, known(dictionaries));
}

function known(dictionaries: DictionarySet | null): Map<string, DictionarySet> {
  return new Map(dictionaries === null ? [] : [[dictionaries.hash, dictionaries]]);
}

describe('a segment gives back what was put into it', () => {
  it('every byte of seeded random texts, with their lines and ids', () => {
    const reader = new SegmentReader({ ringBytes: 1 << 20 });
    for (let seed = 1; seed <= 6; seed++) {
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

function checkBlocks(segment: OpenSegment, blob: number, text: Buffer): void {
  const { blobFirstBlocks, blockStarts, blockLengths, blockLines, blockBlobs } = segment.tables;
  let counted = 0;
  let line = 1;
  const faults: number[] = [];
  for (let block = blobFirstBlocks[blob]!; block < blobFirstBlocks[blob + 1]!; block++) {
    for (; counted < blockStarts[block]!; counted++) if (text[counted] === 10) line++;
    const right = blockBlobs[block] === blob && blockLines[block] === line;
    if (!right || blockLengths[block]! > 48 * 1024) faults.push(block);
  }
  expect(faults).toEqual([]);
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

describe('reading', () => {
  it('gives the same texts in any order, with whatever is read ahead, also to another thread', () => {
    const random = new SeededRandom(31);
    const texts = Array.from({ length: 150 }, () => randomText(random));
    const segment = attachSegment(structuredClone(build(texts).handle));
    const wanted = blockTexts(segment, new SegmentReader({ ringBytes: 1 << 20 }));
    const reader = new SegmentReader({ ringBytes: 1 << 20 });
    for (let round = 0; round < 300; round++) {
      const count = 1 + random.below(12);
      const blocks = Uint32Array.from({ length: count }, () => random.below(segment.blocks)).sort();
      blocks.forEach((block, i) => {
        const address = reader.text(segment, block, blocks, i + 1);
        const text = reader.buffer.toString('latin1', address, address + segment.tables.blockLengths[block]!);
        expect(text).toBe(wanted[block]);
      });
      if (round % 50 === 0) reader.flush();
    }
    const { blocksDecoded, blocksCached, contentReads } = reader.takeCounters();
    expect(blocksCached).toBeGreaterThan(0);
    expect(contentReads).toBeLessThan(blocksDecoded);
    expect(reader.takeCounters().blocksDecoded).toBe(0);
    segment.close();
  });

  it('scans for needles as a naive scan does, in any case and not', () => {
    const random = new SeededRandom(32);
    const texts = Array.from({ length: 40 }, () => randomText(random));
    const segment = build(texts);
    const reader = new SegmentReader({ ringBytes: 1 << 20 });
    const blocks = blockTexts(segment, reader);
    for (let round = 0; round < 400; round++) {
      const block = random.below(blocks.length);
      const text = blocks[block]!;
      const from = random.below(text.length);
      const wanted = text.slice(from, from + 1 + random.below(20));
      const ignoreCase = random.below(2) === 0;
      const spelled = ignoreCase ? wanted.replace(/[a-z]/g, (letter) => letter.toUpperCase()) : wanted;
      const needle = prepareNeedle(Buffer.from(spelled, 'latin1'), ignoreCase);
      const address = reader.text(segment, block);
      const count = reader.findAll(address, text.length, needle);
      expect([...reader.hits.subarray(0, count)]).toEqual(naiveHits(text, spelled, ignoreCase));
    }
    segment.close();
  });
});

function naiveHits(text: string, needle: string, ignoreCase: boolean): number[] {
  const lowered = (part: string) =>
    ignoreCase ? part.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : part;
  const hits: number[] = [];
  for (let at = 0; ; ) {
    const found = lowered(text).indexOf(lowered(needle), at);
    if (found < 0) return hits;
    hits.push(found);
    at = found + needle.length;
  }
}

describe('building', () => {
  it('refuses a text of too many trigrams, without a trace', () => {
    const random = new SeededRandom(41);
    const texts = Array.from({ length: 30 }, () => randomText(random));
    const data = Buffer.from(Array.from({ length: 40_000 }, () => random.below(256)));
    const files = [nextFile(), nextFile()];
    for (const [i, file] of files.entries()) {
      builder.restart({ file, dictionaries: null });
      texts.forEach((text, blob) => {
        if (i === 1 && blob % 10 === 3) {
          const refused = { blobId: 999, oid: 'f'.repeat(40), text: data, group: 0 };
          expect(builder.add(refused)).toBe('too-many-trigrams');
        }
        builder.add({ blobId: blob + 1, oid: 'a'.repeat(40), text, group: 0 });
      });
      builder.finish();
    }
    expect(readFileSync(files[0]!).equals(readFileSync(files[1]!))).toBe(true);
  });

  it('needs memory of less than half of the text, and the same again for the next segment', () => {
    const random = new SeededRandom(42);
    const used: number[] = [];
    for (let round = 0; round < 2; round++) {
      builder.restart({ file: nextFile(), dictionaries: null });
      for (let i = 0; builder.textBytes < 3_000_000; i++) {
        builder.add({ blobId: i + 1, oid: 'a'.repeat(40), text: longLine(random, 30_000), group: 0 });
      }
      used.push(builder.memoryBytes / builder.textBytes);
      builder.finish();
    }
    for (const share of used) expect(share).toBeLessThan(0.5);
  });

  it('leaves nothing behind when it is given up', () => {
    const before = readdirSync(folder).sort();
    builder.restart({ file: nextFile(), dictionaries: null });
    builder.add({ blobId: 1, oid: 'a'.repeat(40), text: Buffer.from('given up\n'), group: 0 });
    builder.discard();
    expect(readdirSync(folder).sort()).toEqual(before);
    const segment = build([Buffer.from('another one\n')]);
    const reader = new SegmentReader({ ringBytes: 1 << 20 });
    expect(reader.candidates(segment, { text: literal('given'), shapes: EVERYTHING })).toEqual(
      new Uint32Array(0),
    );
    segment.close();
  });
});

describe('a merge', () => {
  it.each([
    { what: 'without dictionaries', trained: false },
    { what: 'with the dictionaries of its inputs', trained: true },
  ])('$what is what a fresh build of the kept texts would be', ({ trained }) => {
    const random = new SeededRandom(77);
    const texts = Array.from({ length: 120 }, () => randomText(random));
    const set = trained ? trainDictionaries(texts.map((text, i) => ({ group: i % 8, text }))) : null;
    const inputs = [build(texts.slice(0, 70), set), build(texts.slice(70), set)];
    const order = Array.from({ length: 60 }, (_, i) =>
      i % 2 === 0 ? { input: 0, blob: i } : { input: 1, blob: 49 - (i >> 1) },
    );
    const file = nextFile();
    const reader = new SegmentReader({ ringBytes: 1 << 20 });
    mergeSegments({ inputs, order, file, dictionaries: set, builder, reader });

    const fresh = nextFile();
    builder.restart({ file: fresh, dictionaries: set });
    for (const { input, blob } of order) {
      const from = inputs[input]!;
      const text = texts[input * 70 + blob]!;
      builder.add({ blobId: from.tables.blobIds[blob]!, oid: from.oid(blob), text, group: from.group(blob) });
    }
    builder.finish();
    expect(readFileSync(file).equals(readFileSync(fresh))).toBe(true);
    for (const input of inputs) input.close();
  });

  it('is so, too, of more postings than are read at once', () => {
    const random = new SeededRandom(79);
    const byte = (at: number) => (at % 60 === 59 ? 10 : 0x3b + random.below(64));
    const texts = Array.from({ length: 160 }, () =>
      Buffer.from(Array.from({ length: 15_000 }, (_, at) => byte(at))),
    );
    const inputs = [build(texts.slice(0, 80)), build(texts.slice(80))];
    for (const { head } of inputs) expect(head.gramPostingBytes).toBeGreaterThan(1 << 20);
    const order = Array.from({ length: 160 }, (_, i) => ({ input: i & 1, blob: i >> 1 }));
    const file = nextFile();
    const reader = new SegmentReader({ ringBytes: 1 << 20 });
    mergeSegments({ inputs, order, file, dictionaries: null, builder, reader });
    const fresh = nextFile();
    builder.restart({ file: fresh, dictionaries: null, trigramsMax: 60_000 });
    for (const { input, blob } of order) {
      const from = inputs[input]!;
      const text = texts[input * 80 + blob]!;
      builder.add({ blobId: from.tables.blobIds[blob]!, oid: from.oid(blob), text, group: from.group(blob) });
    }
    builder.finish();
    expect(readFileSync(file).equals(readFileSync(fresh))).toBe(true);
    for (const input of inputs) input.close();
  });

  it('that changes the dictionaries keeps every text', () => {
    const random = new SeededRandom(78);
    const texts = Array.from({ length: 40 }, () => randomText(random));
    const input = build(texts);
    const set = trainDictionaries(texts.map((text, i) => ({ group: i % 8, text })));
    const file = nextFile();
    const reader = new SegmentReader({ ringBytes: 1 << 20 });
    const order = texts.map((_, blob) => ({ input: 0, blob }));
    mergeSegments({ inputs: [input], order, file, dictionaries: set, builder, reader });
    const merged = openSegment(file, known(set));
    texts.forEach((text, blob) => {
      expect(reader.blobText(merged, blob).equals(text)).toBe(true);
    });
    expect(merged.head.contentBytes).toBeLessThan(input.head.contentBytes);
    merged.close();
    input.close();
  });
});

function blockTexts(segment: OpenSegment, reader: SegmentReader): string[] {
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
