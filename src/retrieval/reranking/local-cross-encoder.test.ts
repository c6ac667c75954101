import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bundleForNode } from '../../base/testing/run-typescript.ts';
import type { Extractor } from '../../symbols/extractor/create-extractor.ts';
import { type Extraction, graphRepository, testExtractor } from '../../symbols/graph/testing/graph-index.ts';
import { createLocalPairReader, type LocalPairReader } from '../../vectors/index.ts';
import { writeTinyPairModel } from '../../vectors/testing/tiny-pair-model.ts';
import { RetrievalIndex } from '../testing/retrieval-index.ts';
import type { CrossEncoder } from './cross-encoder.ts';
import { createLocalCrossEncoder } from './local-cross-encoder.ts';

let extract: Extraction;
let extractor: Extractor;
let folder: string;
let workerFile: string;
beforeAll(async () => {
  ({ extract, extractor } = await testExtractor());
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-reranker-'));
  workerFile = await bundleForNode(
    path.resolve(import.meta.dirname, '../../vectors/encoders/pair-worker.ts'),
  );
});
afterAll(async () => {
  await extractor.close();
  rmSync(folder, { recursive: true, force: true });
});
let encoder: CrossEncoder | null = null;
let index: RetrievalIndex | null = null;
afterEach(async () => {
  await index?.close();
  await encoder?.close();
  [index, encoder] = [null, null];
});

const acme = graphRepository(1, 'acme/app', {
  'src/a.ts': 'export function sessionMail(session: Session) {\n  return mail(session.session);\n}\n',
  'src/b.ts': 'export function refresh(session: Session) {\n  return token(token(session.token));\n}\n',
});
const question = 'where is the mail of a session';

async function answered(name: string, timeoutMs = 10_000) {
  index = await RetrievalIndex.create(extract);
  await index.publish([acme]);
  const reader = createLocalPairReader({ folder: path.join(folder, name), workerFile });
  encoder = createLocalCrossEncoder({ timeoutMs }, reader);
  const before = await index.ask({ question, scope: [acme] });
  const after = await index.ask({ question, scope: [acme] }, {}, { crossEncoder: encoder });
  const names = ({ hits }: typeof after) => hits.map(({ name }) => name);
  return {
    before: names(before),
    after: names(after),
    stage: after.stages.find(({ stage }) => stage === 'cross-encoder'),
  };
}

describe('a model in a folder reranks as an endpoint does', () => {
  it('what it reads as better comes first', async () => {
    writeTinyPairModel(path.join(folder, 'tiny'));
    const { before, after, stage } = await answered('tiny');
    expect(before).toEqual(['sessionMail', 'refresh']);
    // The model knows nothing but the word "token".
    expect(after).toEqual(['refresh', 'sessionMail']);
    expect(stage).toMatchObject({ state: 'ran', count: 2 });
  });

  it('without it the order stays, and the answer says why: there is none, or it is broken', async () => {
    writeFileSync(path.join(writeTinyPairModel(path.join(folder, 'broken')), 'model.onnx'), 'no model');
    for (const name of ['nowhere', 'broken']) {
      const { before, after, stage } = await answered(name);
      expect(after).toEqual(before);
      expect(stage).toMatchObject({ state: 'left-out', why: expect.stringContaining('cannot be used') });
      await index?.close();
      await encoder?.close();
    }
  });
});

describe('whoever asks does not wait for a model', () => {
  const readerOf = (scores: LocalPairReader['scores']): LocalPairReader => ({
    scores,
    close: async () => {},
  });
  const alive = new AbortController().signal;

  it('that is slow', async () => {
    encoder = createLocalCrossEncoder(
      { timeoutMs: 20 },
      readerOf(() => new Promise(() => {})),
    );
    await expect(encoder.scores('?', ['x'], alive)).rejects.toMatchObject({
      code: 'retrieval/cross-encoder-slow',
    });
  });

  it('when the answer is not wanted any more', async () => {
    const asking = new AbortController();
    encoder = createLocalCrossEncoder(
      {},
      readerOf(() => {
        asking.abort();
        return new Promise(() => {});
      }),
    );
    await expect(encoder.scores('?', ['x'], asking.signal)).rejects.toMatchObject({ kind: 'cancelled' });
  });

  it('and takes no scores that are no numbers', async () => {
    encoder = createLocalCrossEncoder(
      {},
      readerOf(async () => Float64Array.of(1, Number.NaN)),
    );
    await expect(encoder.scores('?', ['x', 'y'], alive)).rejects.toMatchObject({
      code: 'retrieval/cross-encoder-senseless',
    });
  });
});
