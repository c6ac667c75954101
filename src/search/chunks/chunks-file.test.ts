import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import { CHUNKS_PER_TEXT_MAX, ChunksBuilder } from './chunks-builder.ts';
import { ChunksReader } from './chunks-reader.ts';
import { cutText } from './cut-text.ts';
import { mergeChunks } from './merge-chunks.ts';
import { type OpenChunks, openChunks } from './open-chunks.ts';
import { termHash } from './term-hash.ts';
import { PostingList } from './term-postings.ts';
import { symbolsOf } from './testing/ranked-corpus.ts';
import { termsOfText } from './words.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'periscope-chunks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => path.join(folder, `${++files}.chunks`);

function randomText(random: SeededRandom): string {
  const word = () => `word${String.fromCharCode(97 + random.below(26))}${'xyz'.slice(random.below(3))}`;
  const line = () => Array.from({ length: 1 + random.below(9) }, word).join(' ');
  const block = () => {
    const lines = Array.from({ length: 1 + random.below(30) }, line).join('\n');
    return random.below(2) === 0 ? `def ${word()}_${word()}\n${lines}` : lines;
  };
  return Array.from({ length: random.below(9) }, block).join('\n\n');
}

function build(texts: readonly string[], chunksVersion = 'one'): string {
  const file = newFile();
  const builder = new ChunksBuilder({ file, chunksVersion, blobs: texts.length });
  texts.forEach((text, blob) => {
    builder.add(blob, Buffer.from(text), symbolsOf(text));
  });
  builder.finish();
  return file;
}

/** All that a file says: chunks of each blob, and where each word stands. */
function said(open: OpenChunks, words: ReadonlySet<string>) {
  const reader = new ChunksReader();
  const chunks = Array.from({ length: open.blobs }, (_, blob) => reader.chunksOf(open, blob));
  const list = new PostingList();
  const postings = [...words].sort().map((word) => {
    const found = reader.term(open, termHash(word));
    if (found === null) return [word];
    list.clear();
    list.append(reader.list(open, found), found.count);
    return [word, [...list.chunks.subarray(0, list.length)], [...list.counts.subarray(0, list.length)]];
  });
  const { nameWords, outlineWords, docWords, bodyWords, kinds, recordSums, states } = open.tables;
  const columns = [nameWords, outlineWords, docWords, bodyWords, kinds, recordSums, states].map((column) => [
    ...column,
  ]);
  return { chunks, postings, columns, head: { ...open.head, tablesCrc: 0 } };
}

const wordsOf = (texts: readonly string[]) => new Set([...texts.flatMap(termsOfText), 'nowhere']);

describe('a file of chunks', () => {
  it.each([1, 2, 3, 4])('says what was cut and which chunk has which word, seed %i', (seed) => {
    const random = new SeededRandom(seed);
    const texts = Array.from({ length: 40 }, () => randomText(random));
    const open = openChunks(build(texts));
    const reader = new ChunksReader();
    const expected = texts.map((text) => cutText(Buffer.from(text), symbolsOf(text)).chunks);
    expect(texts.map((_, blob) => reader.chunksOf(open, blob))).toEqual(expected);
    const all = expected.flatMap((chunks, blob) => chunks.map((chunk) => ({ chunk, blob })));
    const has = all.map(({ chunk, blob }) => {
      return new Set(termsOfText(Buffer.from(texts[blob]!).toString('utf8', chunk.start, chunk.end)));
    });
    const list = new PostingList();
    for (const word of wordsOf(texts)) {
      const found = reader.term(open, termHash(word));
      list.clear();
      if (found !== null) list.append(reader.list(open, found), found.count);
      const chunks = has.flatMap((words, number) => (words.has(word) ? [number] : []));
      expect([...list.chunks.subarray(0, list.length)]).toEqual(chunks);
    }
    for (const [number, { blob }] of all.entries()) expect(reader.blobOf(open, number)).toBe(blob);
    open.close();
  });

  it.each([5, 6, 7])('merged from others is as if it had been built so, seed %i', (seed) => {
    const random = new SeededRandom(seed);
    const texts = Array.from({ length: 60 }, () => randomText(random));
    const inputs = [0, 1, 2].map((input) => openChunks(build(texts.filter((_, i) => i % 3 === input))));
    const kept = texts.map((_, i) => i).filter(() => random.below(4) > 0);
    kept.sort(() => random.below(3) - 1);
    const order = kept.map((i) => ({ input: i % 3, blob: Math.floor(i / 3) }));
    const file = newFile();
    mergeChunks({ inputs, order, file, reader: new ChunksReader() });
    const merged = openChunks(file);
    const built = openChunks(build(kept.map((i) => texts[i]!)));
    expect(said(merged, wordsOf(texts))).toEqual(said(built, wordsOf(texts)));
    for (const open of [...inputs, merged, built]) open.close();
  });

  it('chunks of different versions are not merged', () => {
    const inputs = [openChunks(build(['some words'])), openChunks(build(['other words'], 'two'))];
    const order = [{ input: 0, blob: 0 }];
    const merge = () => mergeChunks({ inputs, order, file: newFile(), reader: new ChunksReader() });
    expect(merge).toThrow(expect.objectContaining({ code: 'search/chunks-versions-differ' }));
    for (const open of inputs) open.close();
  });

  it('a text of data is cut short, and the file says so', () => {
    const text = 'one line of data that goes on for a while, over and over again\n'.repeat(40_000);
    const builder = new ChunksBuilder({ file: newFile(), chunksVersion: 'one', blobs: 1 });
    builder.add(0, Buffer.from(text), []);
    expect(builder.finish()).toMatchObject({ cutBlobs: 1, chunks: CHUNKS_PER_TEXT_MAX });
  });
});

describe('damage', () => {
  it('of whatever byte is found, or changes nothing', () => {
    const random = new SeededRandom(9);
    const texts = Array.from({ length: 12 }, () => randomText(random));
    const words = wordsOf(texts);
    const file = build(texts);
    const whole = readFileSync(file);
    const open = openChunks(file);
    const expected = said(open, words);
    open.close();
    for (let round = 0; round < 250; round++) {
      const bytes = Buffer.from(whole);
      bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
      writeFileSync(file, bytes);
      let answer: ReturnType<typeof said> | null = null;
      try {
        const damaged = openChunks(file);
        answer = said(damaged, words);
        damaged.close();
      } catch (error) {
        expect((error as { code: string }).code).toMatch(/^search\/chunks-(?:broken|format)$/);
      }
      if (answer !== null) expect(answer).toEqual(expected);
    }
  });

  it.each([
    ['empty', 0],
    ['cut within the header', 100],
    ['cut within the body', 400],
  ])('a file that is %s holds nothing', (_, length) => {
    const file = build(['def some_words\n  and others\n'.repeat(40)]);
    writeFileSync(file, readFileSync(file).subarray(0, length));
    expect(() => openChunks(file)).toThrow(expect.objectContaining({ code: 'search/chunks-broken' }));
  });
});
