import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PeriscopeError } from '../../base/errors.ts';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import { OpenScip, occurrenceAt, openScip } from './open-scip.ts';
import { ScipBuilder, type ScipOccurrence } from './scip-builder.ts';
import { symbolKey } from './scip-symbol.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-scip-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const noMask = () => 0;
const nameOf = (number: number, version = '1.0.0') =>
  `scip-typescript npm pkg ${version} src/\`a.ts\`/f${number}().`;

interface Written {
  documents: Map<string, ScipOccurrence[]>;
  symbols: string[];
}

function write(file: string, seed: number): Written {
  const random = new SeededRandom(seed);
  const builder = new ScipBuilder({ file, mask: noMask });
  const symbols: string[] = [];
  const documents = new Map<string, ScipOccurrence[]>();
  for (let number = 1; number <= 100; number++) {
    const text = nameOf(number);
    expect(builder.symbol(text)).toBe(number);
    symbols.push(text);
  }
  for (let number = 0; number < 20; number++) {
    const starts = new Set(Array.from({ length: random.below(200) }, () => random.below(100_000)));
    const occurrences = [...starts].map((start) => ({
      start,
      symbol: random.below(101),
      isDefinition: random.below(5) === 0,
    }));
    documents.set(`src/${number}.ts`, occurrences);
    builder.add(`src/${number}.ts`, occurrences);
  }
  builder.implementation(3, 4);
  builder.implementation(5, 4);
  const summary = builder.finish();
  expect(summary.fileBytes).toBe(readFileSync(file).length);
  return { documents, symbols };
}

describe('a SCIP file tells what was written', () => {
  const check = (seed: number) =>
    it(`seed ${seed}, in the thread that opens it and in others`, () => {
      const file = path.join(folder, `${seed}.scip`);
      const { documents, symbols } = write(file, seed);
      for (const scip of [openScip(file), new OpenScip(structuredClone(openScip(file).handle))]) {
        const definitions = new Map<number, string[]>();
        const users = new Map<number, string[]>();
        for (const [name, occurrences] of documents) {
          const document = scip.document(scip.documentAt(name));
          expect(document.path).toBe(name);
          const sorted = [...occurrences].sort((a, b) => a.start - b.start);
          expect([...document.starts]).toEqual(sorted.map(({ start }) => start));
          expect([...document.symbols]).toEqual(sorted.map(({ symbol }) => symbol));
          for (const { start, symbol, isDefinition } of sorted) {
            const at = occurrenceAt(document, start, isDefinition ? 'definition' : 'use');
            expect(document.symbols[at]).toBe(symbol);
            const map = isDefinition ? definitions : users;
            const shown = isDefinition ? `${name} ${start}` : name;
            const known = map.get(symbol) ?? [];
            if (!known.includes(shown)) known.push(shown);
            map.set(symbol, known);
          }
        }
        for (const [at, text] of symbols.entries()) {
          const symbol = scip.symbol(at + 1);
          expect(symbol.text).toBe(text);
          const pathOf = (document: number) => scip.document(document).path;
          expect(symbol.definitions.map(({ document, start }) => `${pathOf(document)} ${start}`)).toEqual(
            definitions.get(at + 1) ?? [],
          );
          expect(symbol.documents.map(pathOf)).toEqual(users.get(at + 1) ?? []);
          expect(scip.symbolsOfKey(symbolKey(nameOf(at + 1, '2.0.0')))).toEqual([at + 1]);
        }
        expect(scip.symbol(4).implementedBy).toEqual([3, 5]);
        expect(scip.symbol(3).implementations).toEqual([4]);
        expect(scip.documentAt('src/none.ts')).toBe(-1);
        expect(scip.symbolsOfKey(symbolKey(nameOf(1000)))).toEqual([]);
      }
    });
  for (let seed = 1; seed <= 5; seed++) check(seed);
});

it('at one place a definition and a use are both told, what is local only where nothing else is', () => {
  const file = path.join(folder, 'places.scip');
  const builder = new ScipBuilder({ file, mask: noMask });
  const [one, other] = [builder.symbol(nameOf(1)), builder.symbol(nameOf(2))];
  builder.add('a.ts', [
    { start: 3, symbol: 0, isDefinition: false },
    { start: 3, symbol: other, isDefinition: false },
    { start: 3, symbol: one, isDefinition: true },
    { start: 9, symbol: 0, isDefinition: false },
  ]);
  builder.finish();
  const document = openScip(file).document(0);
  const told = (start: number, of: 'definition' | 'use') =>
    document.symbols[occurrenceAt(document, start, of)];
  expect([told(3, 'definition'), told(3, 'use'), told(9, 'use'), told(9, 'definition')]).toEqual([
    one,
    other,
    0,
    undefined,
  ]);
});

it('names that look like credentials are masked before they are stored', () => {
  const file = path.join(folder, 'masked.scip');
  const builder = new ScipBuilder({
    file,
    mask: (text) => {
      const at = Buffer.from(text.buffer, text.byteOffset, text.length).indexOf('secret');
      if (at >= 0) text.fill(42, at, at + 6);
      return at >= 0 ? 1 : 0;
    },
  });
  builder.symbol('s npm p 1 secret.');
  builder.symbol('s npm p 1 other.');
  expect(builder.finish().maskedNames).toBe(1);
  expect(openScip(file).symbol(1).text).toBe('s npm p 1 ******.');
  expect(openScip(file).symbol(2).text).toBe('s npm p 1 other.');
  expect(readFileSync(file).includes('secret')).toBe(false);
});

describe('a damaged file says so and never answers wrongly', () => {
  it('whichever byte is another one, and wherever it is cut', () => {
    const file = path.join(folder, 'whole.scip');
    const { documents, symbols } = write(file, 7);
    const whole = readFileSync(file);
    const answer = (bytes: Buffer): string => {
      const changed = path.join(folder, 'changed.scip');
      writeFileSync(changed, bytes);
      try {
        const scip = openScip(changed);
        const told = [...documents.keys()].map((name) => {
          const { starts, symbols: said, definitions } = scip.document(scip.documentAt(name));
          return [...starts, ...said, ...definitions].join();
        });
        return JSON.stringify([told, symbols.map((_, at) => scip.symbol(at + 1))]);
      } catch (error) {
        if (error instanceof PeriscopeError) return error.code;
        throw error;
      }
    };
    expect(answer(whole)).not.toBe('search/scip-broken');
    for (let at = 0; at < whole.length; at += 251) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 0x41;
      expect(answer(changed), `byte ${at}`).toBe('search/scip-broken');
      expect(answer(whole.subarray(0, at)), `cut at ${at}`).toBe('search/scip-broken');
    }
  });
});
