import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import { defaultVocabularyFile } from '../encoders/default-model.ts';
import type { QuantizedVector } from '../types.ts';
import { readVocabulary } from '../words/vocabulary.ts';
import { createWordPieces } from '../words/word-pieces.ts';
import { loadStaticEmbedder } from './static-embedder.ts';
import { createTextPieces } from './text-pieces.ts';

const embedder = loadStaticEmbedder();
const shipped = fileURLToPath(new URL('./static-table.bin', import.meta.url));

const chunks = {
  retry: {
    name: 'retryWithBackoff',
    path: 'src/net/retry.ts',
    signature: 'export async function retryWithBackoff<T>(work: () => Promise<T>, tries: number): Promise<T>',
    body: 'for (let i = 0; i < tries; i++) { try { return await work(); } catch { await sleep(2 ** i * 100); } }',
  },
  parse: {
    name: 'parse_config',
    path: 'app/config.py',
    signature: 'def parse_config(path):',
    body: 'with open(path) as f:\n    settings = yaml.safe_load(f)\nreturn Config(**settings)',
  },
  matrix: {
    name: 'multiply',
    path: 'linalg/Matrix.java',
    signature: 'public Matrix multiply(Matrix other)',
    body: 'for (int i = 0; i < rows; i++) for (int j = 0; j < other.columns; j++) result[i][j] += a[i][k] * b[k][j];',
  },
};

function cosine({ values, scale }: QuantizedVector, query: Float32Array): number {
  return query.reduce((sum, value, i) => sum + value * values[i]! * scale, 0);
}

test.each([
  ['try again after waiting when a call fails', 'retry'],
  ['read the settings from a yaml file', 'parse'],
  ['product of two matrices', 'matrix'],
] as const)('"%s" is nearest to what does it', (question, wanted) => {
  const query = embedder.embedQuery(question);
  const ranked = Object.entries(chunks)
    .map(([name, chunk]) => ({ name, score: cosine(embedder.embedDocument(chunk), query) }))
    .sort((a, b) => b.score - a.score);
  expect(ranked[0]!.name).toBe(wanted);
});

test('vectors have length 1, and a text without words has none', () => {
  const { values, scale } = embedder.embedDocument(chunks.retry);
  expect(Math.hypot(...values) * scale).toBeCloseTo(1, 2);
  expect(Math.hypot(...embedder.embedQuery('open a file'))).toBeCloseTo(1, 5);
  expect(Math.hypot(...embedder.embedQuery('{ } ; ==='))).toBe(0);
  expect(embedder.embedDocument({ name: '', path: '', signature: '', body: '' }).scale).toBe(0);
});

test('what was embedded before changes nothing', () => {
  const first = embedder.embedDocument(chunks.parse);
  embedder.embedDocument({ ...chunks.retry, body: 'x '.repeat(20_000) });
  expect(embedder.embedDocument(chunks.parse)).toEqual(first);
});

test('words of ASCII texts are those that the pattern names', () => {
  const seen: string[] = [];
  const eachPiece = createTextPieces({
    ...createWordPieces(new Map()),
    piecesOf: (word) => {
      seen.push(word);
      return [1];
    },
  });
  const random = new SeededRandom(8);
  for (let run = 0; run < 300; run++) {
    const text = Array.from({ length: random.below(30) }, () => random.pick([...'aBcD1 _.XY9z'])).join('');
    const fresh = (text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g) ?? []).map((word) =>
      word.toLowerCase(),
    );
    const before = new Set(seen);
    eachPiece(text, 1000, () => undefined);
    expect(new Set([...before, ...fresh])).toEqual(new Set(seen));
  }
});

describe('a table that is not as it was made is refused', () => {
  const check = (title: string, spoil: (bytes: Buffer) => Buffer) =>
    test(title, () => {
      const file = path.join(tmpdir(), `periscope-table-${process.pid}`);
      writeFileSync(file, spoil(readFileSync(shipped)));
      try {
        expect(() => loadStaticEmbedder(file)).toThrow(
          expect.objectContaining({ code: 'vectors/model-file-broken' }),
        );
      } finally {
        rmSync(file);
      }
    });
  check('a changed byte', (bytes) => {
    bytes[bytes.length - 7]! ^= 1;
    return bytes;
  });
  check('cut short', (bytes) => bytes.subarray(0, bytes.length - 100));
  check('something else', () => Buffer.from('no table'));
});

test('the vocabulary of the default model is the one that the table was fitted with', () => {
  expect(readVocabulary(defaultVocabularyFile()).size).toBe(30_522);
  expect(embedder.kind).toMatchObject({ dimensions: 256, preparation: 'static-1' });
});
