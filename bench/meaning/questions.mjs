/**
 * `node bench/meaning/questions.mjs DATA_FOLDER [FOLDER...] [--questions N] [--encoder made-up] [--every-stage] [--embedding]`: how long whole questions take, stage
 * by stage, over an index that `periscope index --once --data DATA_FOLDER FOLDER` has made, with one thread that searches. Questions are first
 * sentences of comments that document something, without its name. Built code; run `npm run build` first.
 *
 * `--encoder made-up`: every chunk gets a made-up vector of the encoder's kind, in a folder of its own: what the second scan takes once
 * the encoder has seen everything. `--embedding`: the encoder goes through the index's chunks in the same process meanwhile, of the
 * repositories below the folders that the index was made from.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { firstSentence } from '../quality/meaning/first-sentence.mjs';
import { built, builtFile } from '../support/built.mjs';
import { summary } from '../support/percentiles.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    questions: { type: 'string', default: '200' },
    encoder: { type: 'string', default: 'as-is' },
    'every-stage': { type: 'boolean', default: false },
    embedding: { type: 'boolean', default: false },
  },
});
const { loadConfig } = await built('config');
const { createApp } = await built('app');
const { openSearch } = await builtFile('app/open-search.js');
const { openEncoder } = await builtFile('app/open-encoder.js');
const search = await built('search');
const vectors = await built('vectors');

const dataFolder = path.resolve(positionals[0]);
const overrides = { dataFolder, folders: positionals.slice(1), logLevel: 'error' };
const config = await loadConfig({ env: process.env, cwd: process.cwd(), homeFolder: tmpdir(), overrides });
const indexFolder = path.join(dataFolder, 'index');
const scratch = mkdtempSync(path.join(process.env['BENCH_FOLDER'] ?? tmpdir(), 'meaning-bench-'));
const clock = { now: () => Date.now() };
const stagesOn = values['every-stage'] ? { ranking: { expansion: true } } : {};
const signal = new AbortController().signal;
try {
  await measure();
} finally {
  rmSync(scratch, { recursive: true });
}

async function measure() {
  const state = await search.readIndexState(indexFolder);
  const { questions, chunks } = readSegments(state);
  const asked = everyNth(questions, Number(values.questions));
  const vectorFolder = values.encoder === 'made-up' ? madeUp(chunks) : config.index.vectorFolder;
  const repositories = [...new Set(state.revisions.map(({ repositoryId }) => repositoryId))];
  const scope = repositories.map((id) => ({
    id,
    host: 'local',
    name: `repository-${id}`,
    archived: false,
    fork: false,
  }));
  const own = {
    ...config,
    index: { ...config.index, vectorFolder },
    search: { ...config.search, threads: 1 },
  };
  const encoder = openEncoder(own, { clock });
  const { search: engine, retrieval } = await openSearch(own, { catalog: null, clock, encoder });
  const app = values.embedding ? await createApp(config, { discoverAtStart: false, background: true }) : null;
  if (app) await untilEncoding(app);
  console.log(
    `${chunks.length} chunks, ${repositories.length} repositories, ${asked.length} questions, ${values.embedding ? 'while embedding runs' : 'idle'}`,
  );
  const ask = (question, visible = scope) =>
    retrieval.retrieve(
      {
        question,
        scope: visible,
        revisions: new Map(),
        filters: {},
        limit: 10,
        budgetMs: 60_000,
        ...stagesOn,
      },
      signal,
    );
  await once('first question of the thread', () => ask(asked[0]));
  // What is loaded with the first use is loaded.
  for (const question of asked.slice(0, 20)) await ask(question);
  // As after a push: what is of a scope and a state of the index is made anew, what is of manifests and segments is there.
  for (const left of [1, 2, 3])
    await once(`first question of a new scope, ${left}`, () =>
      ask(asked[(20 + left) % asked.length], scope.slice(left)),
    );
  for (const round of ['first', 'again']) await run(round, asked, ask);
  const { coverage, stages } = await ask(asked[0]);
  console.log(
    JSON.stringify({ coverage, stages: stages.map(({ stage, state, why }) => `${stage} ${why ?? state}`) }),
  );
  await retrieval.close();
  await engine.close();
  await encoder?.close();
  await app?.close();
}

async function once(what, work) {
  const [before, used] = [performance.now(), process.cpuUsage()];
  const { stages } = await work();
  const took = stages
    .filter(({ ms }) => ms >= 5)
    .map(({ stage, ms }) => `${stage} ${ms.toFixed(0)}`)
    .join(', ');
  console.log(
    `${what}: ${(performance.now() - before).toFixed(0)} ms, ${cpuMs(used).toFixed(0)} CPU ms; ${took}`,
  );
}

async function run(round, questions, ask) {
  const whole = [];
  const cpu = [];
  const byStage = new Map();
  for (const question of questions) {
    const [before, used] = [performance.now(), process.cpuUsage()];
    const { stages } = await ask(question);
    whole.push(performance.now() - before);
    cpu.push(cpuMs(used));
    for (const { stage, state, ms } of stages) {
      if (state !== 'ran') continue;
      if (!byStage.has(stage)) byStage.set(stage, []);
      byStage.get(stage).push(ms);
    }
  }
  console.log(`${round}: ${shown(whole)} by the clock, ${shown(cpu)} of the process's CPU`);
  for (const [stage, times] of byStage) console.log(`  ${stage.padEnd(16)} ${shown(times)}`);
  const vector = byStage
    .get('table')
    ?.map((ms, i) => ms + (byStage.get('encoder')?.[i] ?? 0) + (byStage.get('encode-question')?.[i] ?? 0));
  if (vector) console.log(`  vectors in all   ${shown(vector)}`);
}

/** Chunks as owner and part, and questions. */
function readSegments({ segments }) {
  const reader = new search.ChunksReader();
  const texts = new search.SegmentReader({ ringBytes: 2 << 20 });
  const questions = [];
  const chunks = [];
  for (const { file, dictionaries, chunks: beside } of segments) {
    if (beside === null) continue;
    const sets = new Map();
    if (dictionaries !== null) {
      const set = search.openDictionaries(path.join(indexFolder, dictionaries));
      sets.set(set.hash, set);
    }
    const segment = search.openSegment(path.join(indexFolder, file), sets);
    const open = search.openChunks(path.join(indexFolder, beside.file));
    const { chunkStarts } = open.tables;
    for (let blob = 0; blob < open.blobs; blob++) {
      const count = chunkStarts[blob + 1] - chunkStarts[blob];
      for (let part = 0; part < count; part++) chunks.push({ owner: segment.tables.blobIds[blob], part });
      const documented = reader
        .chunksOf(open, blob)
        .find(({ docStart, part, name }) => docStart >= 0 && part === 0 && name !== '');
      if (!documented) continue;
      const { docStart, docEnd, name } = documented;
      const question = firstSentence(texts.blobText(segment, blob).toString('utf8', docStart, docEnd), name);
      if (question !== null) questions.push(question);
    }
    segment.close();
    open.close();
  }
  return { questions, chunks };
}

/** The vectors of the index, and a made-up one of the default encoder's kind for each chunk. */
function madeUp(chunks) {
  const folder = path.join(scratch, 'vectors');
  cpSync(config.index.vectorFolder, folder, { recursive: true });
  const encoder = vectors.createLocalEmbedder({ files: { folder: config.embedding.modelFolder } });
  const { kind } = encoder;
  const writer = vectors.openVectorWriter({ folder });
  let seed = 7;
  const next = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 31 - 1;
  };
  const scale = 1 / (127 * Math.sqrt(kind.dimensions / 3));
  for (let from = 0; from < chunks.length; from += 50_000)
    writer.append(
      kind,
      chunks.slice(from, from + 50_000).map(({ owner, part }) => ({
        owner,
        part,
        vector: {
          values: Int8Array.from({ length: kind.dimensions }, () => Math.round(127 * next())),
          scale,
        },
      })),
    );
  writer.merge();
  return folder;
}

async function untilEncoding(app) {
  for (let tries = 0; tries < 600; tries++) {
    const state = app.indexing.progress().embedding?.encoder?.state;
    if (state === 'working') return;
    if (state === 'done') throw new Error('the encoder has seen everything already');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the encoder does not start');
}

function everyNth(all, wanted) {
  const count = Math.min(wanted, all.length);
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]);
}

function shown(milliseconds) {
  const { p50, p95 } = summary(milliseconds, 1);
  return `p50 ${p50.toFixed(1).padStart(6)} ms, p95 ${p95.toFixed(1).padStart(6)} ms`;
}

function cpuMs(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}
