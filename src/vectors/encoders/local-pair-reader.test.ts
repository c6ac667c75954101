import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bundleForNode } from '../../base/testing/run-typescript.ts';
import { writeTinyPairModel } from '../testing/tiny-pair-model.ts';
import { createLocalPairReader, type LocalPairReader } from './local-pair-reader.ts';

const { signal } = new AbortController();
let folder: string;
let workerFile: string;
let reader: LocalPairReader | null = null;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-pairs-'));
  workerFile = await bundleForNode(path.join(import.meta.dirname, 'pair-worker.ts'));
});
afterEach(async () => {
  await reader?.close();
  reader = null;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const model = (name: string, outputs: 1 | 2 | 3 = 1) =>
  writeTinyPairModel(path.join(folder, name), { outputs });
const open = (name: string, options: { waitingMax?: number; batchMax?: number } = {}) => {
  reader = createLocalPairReader({ folder: path.join(folder, name), workerFile, ...options });
  return reader;
};
const rounded = (scores: Float64Array) => [...scores].map((score) => Number(score.toFixed(3)));
/** The mark behind a text counts a tenth against it. */
const texts = ['mail', 'refreshToken token session', 'token'];
const expected = [-0.2, 1.7, 0.9];

for (const outputs of [1, 2] as const) {
  test(`scores come in the order of the texts, whatever runs they went in, from ${outputs} numbers a pair`, async () => {
    model(`of-${outputs}`, outputs);
    const scores = await open(`of-${outputs}`, { batchMax: 2 }).scores('where is the token?', texts, signal);
    expect(rounded(scores)).toEqual(expected);
  });
}

test('a long question leaves room for the text, and a long text is cut', async () => {
  model('long');
  const question = 'where is the token '.repeat(30);
  const [score] = await open('long').scores(question, [`token ${'mail '.repeat(100)}`], signal);
  // 32 pieces: 12 of the question, 20 of the text with its mark.
  expect(score).toBeCloseTo(1 - 0.1 * 19, 5);
});

test('what is no cross-encoder is an error of each call, not the end', async () => {
  model('three', 3);
  writeFileSync(path.join(model('broken'), 'model.onnx'), 'no model');
  for (const name of ['three', 'broken', 'nowhere']) {
    const other = open(name);
    for (let i = 0; i < 2; i++)
      await expect(other.scores('x', texts, signal)).rejects.toMatchObject({
        code: 'vectors/model-file-broken',
      });
    await other.close();
  }
});

test('questions wait for each other, only so many, and those that nobody waits for are let go', async () => {
  model('queue');
  const busy = open('queue', { waitingMax: 2 });
  const leaving = new AbortController();
  const first = busy.scores('where', texts, signal);
  const second = busy.scores('where', texts, leaving.signal);
  await expect(busy.scores('where', texts, signal)).rejects.toMatchObject({ kind: 'busy' });
  leaving.abort();
  expect(rounded(await first)).toEqual(expected);
  await expect(second).rejects.toMatchObject({ kind: 'cancelled' });
  expect(rounded(await busy.scores('where', texts, signal))).toEqual(expected);
});

test('closing ends what waits, and not the process', async () => {
  model('closing');
  const closing = open('closing');
  const reading = closing.scores('where', texts, signal).then(
    () => 'done',
    ({ kind }: { kind: string }) => kind,
  );
  await closing.close();
  expect(['cancelled', 'done']).toContain(await reading);
  await expect(closing.scores('where', texts, signal)).rejects.toMatchObject({ kind: 'cancelled' });
});
