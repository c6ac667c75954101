import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleForNode } from '../../base/testing/run-typescript.ts';
import type { ChunkText, Embedder } from '../types.ts';
import { preparedChunk } from './chunk-preparation.ts';
import { defaultVocabularyFile, prepareDefaultModel } from './default-model.ts';
import { createLocalEmbedder } from './local-embedder.ts';
import type { ModelFiles } from './model-files.ts';
import { openModelFolder } from './model-folder.ts';
import { loadOnnxEncoder } from './onnx-encoder.ts';

const { signal } = new AbortController();
let folder: string;
let files: ModelFiles;
let workerFile: string;
let embedder: Embedder;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-model-'));
  files = await prepareDefaultModel(folder);
  workerFile = await bundleForNode(path.join(import.meta.dirname, 'encoder-worker.ts'));
  embedder = createLocalEmbedder({ files, workerFile });
});
afterAll(async () => {
  await embedder.close();
  rmSync(folder, { recursive: true, force: true });
});

const chunk = (name: string, body: string): ChunkText => ({
  name,
  path: `src/${name}.ts`,
  signature: '',
  body,
});
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

test('the default model is converted once, and again when it was spoilt', async () => {
  const before = statSync(files.onnx).mtimeMs;
  await prepareDefaultModel(folder);
  expect(statSync(files.onnx).mtimeMs).toBe(before);
  const whole = readFileSync(files.onnx);
  writeFileSync(files.onnx, whole.subarray(0, 1000));
  await prepareDefaultModel(folder);
  expect(readFileSync(files.onnx).equals(whole)).toBe(true);
  expect(statSync(files.onnx).mode & 0o777).toBe(0o600);
});

test('cosines are those that are published for all-MiniLM-L6-v2', async () => {
  const encoder = await loadOnnxEncoder(files);
  const sentences = ['The weather is lovely today.', "It's so sunny outside!", 'He drove to the stadium.'];
  const rows = await encoder.encode(sentences);
  const vector = (row: number) => rows.subarray(row * 384, (row + 1) * 384);
  expect(dot(vector(0), vector(0))).toBeCloseTo(1, 4);
  // Weights in int8 move a cosine by a hundredth or two.
  expect(Math.abs(dot(vector(0), vector(1)) - 0.666)).toBeLessThan(0.03);
  expect(Math.abs(dot(vector(0), vector(2)) - 0.1046)).toBeLessThan(0.03);
  expect(Math.abs(dot(vector(1), vector(2)) - 0.1411)).toBeLessThan(0.03);
  await encoder.close();
});

test('documents come back in their order, whatever batches they went in', async () => {
  const chunks = Array.from({ length: 19 }, (_, i) =>
    chunk(`name${i}`, `${'let value = other; '.repeat(i % 7)} ${i}`),
  );
  const vectors = await embedder.embedDocuments(chunks, signal);
  const encoder = await loadOnnxEncoder(files);
  for (const i of [0, 5, 13, 18]) {
    const alone = await encoder.encode([preparedChunk(chunks[i]!)]);
    expect(dot(vectors[i]!, alone)).toBeGreaterThan(0.97);
  }
  await encoder.close();
});

test('a question is answered while documents wait, and cancelled documents are let go', async () => {
  const controller = new AbortController();
  const many = Array.from({ length: 400 }, (_, i) =>
    chunk(`name${i}`, 'return this.cache.get(key); '.repeat(20)),
  );
  let isDone = false;
  const documents = embedder.embedDocuments(many, controller.signal).finally(() => {
    isDone = true;
  });
  documents.catch(() => undefined);
  const query = await embedder.embedQuery('get something from the cache', signal);
  expect(query.length).toBe(384);
  expect(isDone).toBe(false);
  controller.abort();
  await expect(documents).rejects.toMatchObject({ kind: 'cancelled' });
  const [vector] = await embedder.embedDocuments([many[0]!], signal);
  expect(dot(query, vector!)).toBeGreaterThan(0.3);
});

test('it rests for as long as its share of a core wants, whether texts come at once or one after the other', async () => {
  // A clock that moves by one at each look, and by what is rested: each batch takes one, between two looks.
  let nowMs = 0;
  const rests: number[] = [];
  const slow = createLocalEmbedder({
    files,
    workerFile,
    share: 0.25,
    batchMax: 1,
    now: () => ++nowMs,
    rest: async (ms) => {
      rests.push(ms);
      nowMs += ms;
    },
  });
  const some = Array.from({ length: 4 }, (_, i) => chunk(`n${i}`, 'return 1;'));
  // What a question waits for does not rest.
  await slow.embedDocuments(some, signal, { isAwaited: true });
  expect(rests).toEqual([]);
  await slow.embedDocuments(some, signal);
  for (const one of some) await slow.embedDocuments([one], signal);
  // Eight batches of one; after each it rests for three, of which one has gone by with the look.
  expect(rests).toEqual([2, 2, 2, 2, 2, 2, 2]);
  await slow.close();
});

test('what a model wants before texts is set before them, and the mark of it goes with the vectors', async () => {
  const plain = await embedder.embedDocuments([chunk('open', 'passage: x')], signal);
  const prefixed = createLocalEmbedder({
    files,
    workerFile,
    prefixes: { document: 'passage: ', query: 'query: ' },
  });
  expect(prefixed.kind.preparation).toMatch(/^encoder-1-[0-9a-f]{8}$/);
  const [vector] = await prefixed.embedDocuments([chunk('open', 'passage: x')], signal);
  expect(dot(vector!, plain[0]!)).toBeLessThan(0.999);
  const query = await prefixed.embedQuery('open a file', signal);
  expect(dot(query, await embedder.embedQuery('query: open a file', signal))).toBeCloseTo(1, 4);
  await prefixed.close();
});

test('the default model is converted by the thread that needs it', async () => {
  const own = mkdtempSync(path.join(folder, 'own-'));
  const fresh = createLocalEmbedder({ files: { folder: own }, workerFile });
  expect(fresh.kind).toEqual(embedder.kind);
  const vector = await fresh.embedQuery('open a file', signal);
  expect(dot(vector, await embedder.embedQuery('open a file', signal))).toBeCloseTo(1, 5);
  await fresh.close();
});

test('a model that cannot be loaded is an error of each call, not the end', async () => {
  const broken = path.join(folder, 'broken.onnx');
  writeFileSync(broken, 'no model');
  const other = createLocalEmbedder({ files: { ...files, onnx: broken }, workerFile });
  for (let i = 0; i < 2; i++) {
    await expect(other.embedQuery('x', signal)).rejects.toMatchObject({ code: 'vectors/model-file-broken' });
  }
  await other.close();
  await expect(other.embedQuery('x', signal)).rejects.toMatchObject({ kind: 'cancelled' });
});

test('closing in the middle of a run ends what waits, and not the process', async () => {
  const many = Array.from({ length: 64 }, (_, i) =>
    chunk(`part${i}`, 'reads one file after another '.repeat(40)),
  );
  for (const waitMs of [0, 400, 800]) {
    const busy = createLocalEmbedder({ files, workerFile });
    const embedding = busy.embedDocuments(many, signal).then(
      () => 'done',
      ({ kind }: { kind: string }) => kind,
    );
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    await busy.close();
    expect(['cancelled', 'done']).toContain(await embedding);
  }
});

test('a folder with a model of ONNX is one more model, named by its weights', async () => {
  const own = mkdtempSync(path.join(folder, 'model-'));
  await expect(openModelFolder({ folder: own })).rejects.toMatchObject({ code: 'vectors/model-file-broken' });
  copyFileSync(files.onnx, path.join(own, 'model.onnx'));
  copyFileSync(defaultVocabularyFile(), path.join(own, 'tokenizer.json'));
  writeFileSync(
    path.join(own, 'config.json'),
    JSON.stringify({ hidden_size: 384, max_position_embeddings: 64 }),
  );
  const found = await openModelFolder({ folder: own });
  expect(found).toMatchObject({ dimensions: 384, piecesMax: 64, pooling: 'mean' });
  expect(found.model).toMatch(/^model-\w+-[0-9a-f]{12}-128$/);
  const other = createLocalEmbedder({ files: found, workerFile });
  const vector = await other.embedQuery('open a file', signal);
  expect(dot(vector, await embedder.embedQuery('open a file', signal))).toBeCloseTo(1, 4);
  await other.close();
});

test('what is missing of a model is told as missing', async () => {
  const of = (name: string) => openModelFolder({ folder: path.join(folder, name) });
  await expect(of('nowhere')).rejects.toThrow('its folder is missing');
  await expect(of('.')).rejects.toThrow('its file config.json is missing');
});
