import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GitFixture } from '../mirrors/testing/git-fixture.ts';
import { createEmbedderSource, type EmbedderSource, openEndpointEmbedder } from '../vectors/index.ts';
import { mergeLimits } from './merge-choice.ts';
import { type CountingEndpoint, startCountingEndpoint } from './testing/counting-endpoint.ts';
import { keptVectors } from './testing/kept-vectors.ts';
import {
  embeddingWorkerFile,
  factsWorkerFile,
  openTestIndexing,
  type TestIndexing,
} from './testing/open-indexing.ts';

const { signal } = new AbortController();
let test: TestIndexing;
let one: GitFixture;
let two: GitFixture;

beforeEach(async () => {
  test = await openTestIndexing({
    factsWorkerFile: await factsWorkerFile(),
    embeddingWorkerFile: await embeddingWorkerFile(),
  });
  one = test.repository('one.git');
  two = test.repository('two.git');
  one.commit({
    'src/a.ts': '/** Says how many there are. */\nexport function first(): number {\n  return second();\n}\n',
    LICENSE: 'Do what you like.\n',
  });
  two.commit({ 'src/b.ts': 'export class Second {}\n', 'test/b.test.ts': 'it("says so", () => {});\n' });
  await test.discover();
});
afterEach(() => test.close());

const embedding = { chunksMax: 0, batchMax: 2, retryFirstMs: 5 };
const open = (changes: Parameters<TestIndexing['open']>[0] = {}) =>
  test.open({ symbols: true, embedding, ...changes });
const kept = () => keptVectors(test.indexFolder);
const vectorFolder = () => path.join(test.indexFolder, 'vectors');

describe('each chunk has a vector of the table as soon as it is cut', () => {
  it('in the run that indexes it, and no more than once', async () => {
    const indexing = open();
    await indexing.indexAll({ signal });
    expect(await kept()).toEqual({ chunks: 4, inTable: 4, encoded: {}, strays: 0, twice: 0 });
    two.commit({ 'src/c.ts': 'export class Third {}\n', 'src/copy.ts': 'export class Second {}\n' });
    await indexing.indexAll({ signal });
    expect(await kept()).toMatchObject({ chunks: 5, inTable: 5, strays: 0, twice: 0 });
    expect(indexing.counters().chunksEmbedded).toBe(5);
  });

  it('a fork, a merge and a restart embed nothing', async () => {
    const first = open();
    await first.indexAll({ signal });
    await first.close();
    const fork = test.repository('fork.git');
    fork.git(['fetch', '-q', two.gitDir, 'main:main']);
    await test.discover();
    const second = open({ mergeLimits: { ...mergeLimits, deltasMax: 1 } });
    await second.indexAll({ signal });
    expect(second.counters()).toMatchObject({ chunksEmbedded: 0 });
    expect(await kept()).toMatchObject({ chunks: 4, inTable: 4 });
  });

  it('status and coverage say how many', async () => {
    const indexing = open();
    const progress = await indexing.indexAll({ signal });
    expect(progress.embedding).toEqual({ chunks: 4, inTable: 4, encoded: null, encoder: null });
    const { id } = test.named('two');
    expect(await indexing.embeddingCoverage(id)).toEqual({ chunks: 2, inTable: 2, encoded: 0 });
  });
});

describe('what goes from the texts goes from the vectors', () => {
  it('an opt-out leaves nothing of it on the disk', async () => {
    one.commit({ 'private/plan.ts': 'export function hidden() {}\n' });
    const indexing = open();
    await indexing.indexAll({ signal });
    const before = readdirSync(vectorFolder()).filter((name) => name.startsWith('vectors-'));
    expect(await kept()).toMatchObject({ chunks: 5, inTable: 5 });
    one.commit({ '.periscope/ignore': 'private/\n' });
    await indexing.indexAll({ signal });
    const { inTable, chunks, strays } = await kept();
    expect({ inTable, strays }).toEqual({ inTable: chunks, strays: 0 });
    expect(indexing.counters().vectorsDeleted).toBe(1);
    for (const file of before) expect(existsSync(path.join(vectorFolder(), file))).toBe(false);
    expect(readdirSync(vectorFolder()).filter((name) => name.startsWith('deleted-'))).toEqual([]);
  });

  it('with embedding off there are none', async () => {
    await open().indexAll({ signal });
    expect(existsSync(vectorFolder())).toBe(true);
    await open({ embedding: null }).indexAll({ signal });
    expect(existsSync(vectorFolder())).toBe(false);
  });
});

describe('damage is made good', () => {
  it('a part that is not as it was written is embedded anew, and nothing else', async () => {
    const first = open();
    await first.indexAll({ signal });
    two.commit({ 'src/c.ts': 'export class Third {}\n' });
    await first.indexAll({ signal });
    await first.close();
    const [file] = readdirSync(vectorFolder()).filter((name) => name.startsWith('vectors-'));
    const bytes = readFileSync(path.join(vectorFolder(), file!));
    bytes[1030]! ^= 1;
    writeFileSync(path.join(vectorFolder(), file!), bytes);
    const second = open();
    await second.indexAll({ signal });
    const { vectorPartsBroken, chunksEmbedded } = second.counters();
    expect(vectorPartsBroken).toBe(1);
    expect(chunksEmbedded).toBeLessThanOrEqual(4);
    expect(await kept()).toMatchObject({ chunks: 5, inTable: 5, strays: 0, twice: 0 });
  });

  const checkLost = (title: string, damage: (part: string) => void, named: RegExp) =>
    it(`${title} costs what it held, no more, and is named in the log once`, async () => {
      const first = open();
      await first.indexAll({ signal });
      await first.close();
      damage(readdirSync(vectorFolder()).find((name) => name.startsWith('vectors-'))!);
      const logged: unknown[] = [];
      const warn = (message: string, fields?: object) => logged.push({ message, ...fields });
      await open({ logger: { debug() {}, info() {}, warn, error: warn } }).indexAll({ signal });
      expect(await kept()).toMatchObject({ chunks: 4, inTable: 4, strays: 0 });
      expect(logged).toEqual([
        {
          message: 'damaged files of the vectors are made anew',
          files: [expect.stringMatching(named)],
          count: 1,
        },
      ]);
    });
  const at = (name: string) => path.join(vectorFolder(), name);
  checkLost(
    'a list of parts that cannot be read',
    () => writeFileSync(at('CURRENT'), 'no list'),
    /^CURRENT$/,
  );
  checkLost('a list of parts that is gone', () => rmSync(at('CURRENT')), /^CURRENT$/);
  checkLost('a part that is cut', (part) => truncateSync(at(part), 100), /^vectors-/);
  checkLost('a part that is gone', (part) => rmSync(at(part)), /^vectors-/);
});

describe('the encoder follows in the background', () => {
  let endpoint: CountingEndpoint;
  let sources: EmbedderSource[];
  beforeEach(async () => {
    endpoint = await startCountingEndpoint();
    sources = [];
  });
  afterEach(async () => {
    await test.close();
    for (const source of sources) await source.close();
    await endpoint.close();
  });

  const encoder = (model: string) => {
    const source = createEmbedderSource((opening) =>
      openEndpointEmbedder({ url: endpoint.url, model, token: null, dimensions: 8, triesMax: 1 }, opening),
    );
    sources.push(source);
    return source;
  };
  const background = (changes: Parameters<TestIndexing['open']>[0] = {}) =>
    open({ background: true, encoder: encoder('small'), sweepIntervalMs: 20, ...changes });
  const until = async (indexing: ReturnType<typeof open>, isReached: () => boolean) => {
    for (let looks = 0; !isReached(); looks++) {
      if (looks > 2000) throw new Error(`never: ${JSON.stringify(indexing.progress())}`);
      await sleep(10);
    }
  };
  const isDone = (indexing: ReturnType<typeof open>, chunks: number) => () => {
    const { embedding } = indexing.progress();
    return embedding?.encoder?.state === 'done' && embedding.encoded === chunks;
  };
  const sent = () => [...endpoint.texts.keys()].map((text) => text.trim().split('\n')[0]!.trim());

  it('source before tests before the rest, each once, and durable batch by batch', async () => {
    const indexing = background();
    await until(indexing, isDone(indexing, 4));
    expect(indexing.counters()).toMatchObject({ chunksEncoded: 4, encoderFailures: 0 });
    expect([...endpoint.texts.values()]).toEqual([1, 1, 1, 1]);
    const [a, b, ...others] = sent();
    expect([[a, b].sort(), ...others]).toEqual([
      ['Second', 'first'],
      'it("says so", () => {});',
      'Do what you like.',
    ]);
    await indexing.close();
    expect(await kept()).toMatchObject({ chunks: 4, inTable: 4, encoded: { [modelName()]: 4 }, twice: 0 });
  });

  it('of a repository what others use comes first', async () => {
    const call = (name: string) => `export function ${name}(): number {\n  return shared();\n}\n`;
    two.commit({ 'src/one.ts': call('one'), 'src/three.ts': call('three'), 'src/two.ts': call('two') });
    two.commit({ 'src/zoo.ts': 'export function shared(): number {\n  return 7;\n}\n' });
    const indexing = background();
    await until(indexing, isDone(indexing, 8));
    const own = sent().filter((name) => ['Second', 'one', 'shared', 'three', 'two'].includes(name));
    expect(own).toEqual(['shared', 'Second', 'one', 'three', 'two']);
  });

  it('goes on where it was after a restart, and sees what is pushed', async () => {
    const first = background();
    await until(first, isDone(first, 4));
    await first.close();
    const second = background();
    two.commit({ 'src/c.ts': 'export class Third {}\n' });
    await until(second, isDone(second, 5));
    expect(Math.max(...endpoint.texts.values())).toBe(1);
    expect(endpoint.texts.size).toBe(5);
  });

  it('another model embeds beside the one before, which goes when it is through', async () => {
    const first = background();
    await until(first, isDone(first, 4));
    await first.close();
    endpoint.answersWith(() => ({ status: 503, body: '' }));
    const second = background({ encoder: encoder('large') });
    await until(second, () => second.progress().embedding?.encoder?.state === 'held-up');
    expect(second.progress().embedding).toMatchObject({ encoded: 0 });
    expect(Object.keys((await kept()).encoded)).toEqual([modelName()]);
    endpoint.answersWith(null);
    await until(second, isDone(second, 4));
    await second.close();
    expect((await kept()).encoded).toEqual({ [modelName('large')]: 4 });
  });

  it('an endpoint that fails is left alone for longer and longer, told in the status, and logged once', async () => {
    const logged: string[] = [];
    const warn = (message: string) => logged.push(message);
    const logger = { debug() {}, info() {}, warn, error: warn };
    endpoint.answersWith(() => ({ status: 200, body: '{"data": "rubbish"}' }));
    const indexing = background({ logger });
    await until(indexing, () => indexing.counters().encoderFailures >= 3);
    expect(logged).toEqual(['chunks are not encoded for a while']);
    const { encoder: status } = indexing.progress().embedding!;
    expect(status).toMatchObject({ state: 'held-up' });
    expect(status!.problem).toContain('no list of vectors');
    expect(await kept()).toMatchObject({ chunks: 4, inTable: 4, encoded: {} });
    endpoint.answersWith(null);
    await until(indexing, isDone(indexing, 4));
    expect(indexing.progress().embedding!.encoder!.problem).toBeNull();
  });

  it('a text that the model does not take keeps no other from being encoded', async () => {
    endpoint.answersWith((texts) =>
      texts.some((text) => text.includes('Do what you like')) ? { status: 400, body: '' } : null,
    );
    const indexing = background();
    await until(indexing, () => indexing.progress().embedding?.encoder?.state === 'done');
    expect(indexing.counters()).toMatchObject({ textsPassedOver: 1, chunksEncoded: 3, encoderFailures: 0 });
  });

  it('sees nothing in advance where there are too many chunks', async () => {
    const indexing = background({ embedding: { ...embedding, chunksMax: 3 } });
    await until(indexing, () => indexing.progress().embedding?.encoder?.state === 'at-query');
    expect(endpoint.requests()).toBe(0);
    expect(indexing.progress().embedding).toMatchObject({ chunks: 4, inTable: 4, encoded: 0 });
  });

  it('without an encoder its vectors go, and those of the table stay', async () => {
    const first = background();
    await until(first, isDone(first, 4));
    await first.close();
    await open().indexAll({ signal });
    expect(await kept()).toMatchObject({ inTable: 4, encoded: {} });
  });

  function modelName(model = 'small'): string {
    return `${model}@${new URL(endpoint.url).host}`;
  }
});
