/**
 * `node bench/chunks/questions.mjs FOLDER [--repository OWNER/NAME]... [--segments N] [--limit N]`: how long a question in words takes
 * over the chunks of the bare repositories (OWNER/NAME.git) below the folder, in one thread. Questions are first sentences of comments
 * that document something, as they stand there, and pairs of their rarer words. Facts are extracted first, which takes a while. Built
 * code; run `npm run build` first.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { built, builtFile } from '../support/built.mjs';
import { corpusRepositories, filesAtHead, textBlobs } from '../support/corpus-repositories.mjs';
import { summary } from '../support/percentiles.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repository: { type: 'string', multiple: true },
    segments: { type: 'string', default: '4' },
    limit: { type: 'string', default: '200' },
    questions: { type: 'string', default: '400' },
  },
});
const { createExtractor } = await built('symbols');
const search = await built('search');
const { languageOf, languageName, documentClass, openChunks, ChunksReader, ChunksBuilder } = search;
const { viewOf } = await builtFile('search/engine/view.js');
const segmentCount = Number(values.segments);
const folder = mkdtempSync(path.join(tmpdir(), 'questions-bench-'));
try {
  await measure();
} finally {
  rmSync(folder, { recursive: true });
}

async function measure() {
  const { manifests, segments, table, comments } = await readCorpus();
  const view = viewOf(manifests, { table, segments });
  const ground = { view, manifests, segments, table, reader: new ChunksReader() };
  const ranking = search.createKeywordRanking();
  const started = performance.now();
  const coverage = ranking.coverage(ground);
  console.log(
    `${coverage.chunks} chunks in ${segmentCount} segments, ${view.documents} documents; first look ${ms(performance.now() - started)}`,
  );
  const every = Math.max(1, Math.floor(comments.length / Number(values.questions)));
  const sentences = comments.filter((_, i) => i % every === 0).slice(0, Number(values.questions));
  const long = sentences.map((sentence) => `${sentence} ${sentence}`.split(/\s+/).slice(0, 10).join(' '));
  const pairs = sentences.map((sentence) => {
    const words = sentence.split(/\s+/).sort((a, b) => b.length - a.length);
    return words.slice(0, 2).join(' ');
  });
  const common = sentences.map((sentence) => `${sentence} get set value name string return error type`);
  for (const [what, questions] of Object.entries({ sentences, long, pairs, common }))
    run(what, questions, ground, ranking);
}

function run(what, questions, ground, ranking) {
  const words = questions.map((text) => new Set(search.termsOfText(text)).size);
  const mean = (words.reduce((sum, count) => sum + count, 0) / words.length).toFixed(1);
  for (const time of ['first', 'again']) {
    const times = [];
    const cpu = [];
    let postings = 0;
    let scored = 0;
    for (const text of questions) {
      const before = performance.now();
      const used = process.cpuUsage();
      const answer = ranking.rank({ text, limit: Number(values.limit) }, ground);
      times.push(performance.now() - before);
      const { user, system } = process.cpuUsage(used);
      cpu.push((user + system) / 1000);
      postings += answer.counters.postings;
      scored += answer.scored;
    }
    const shown = ({ p50, p95 }) => `p50 ${ms(p50)}, p95 ${ms(p95)}`;
    const figures = `${shown(summary(times, 1))} by the clock, ${shown(summary(cpu, 1))} of CPU`;
    const work = `${Math.round(postings / questions.length)} postings, ${Math.round(scored / questions.length)} chunks scored`;
    console.log(`${what} (${mean} words), ${time}: ${figures}; ${work}`);
  }
}

async function readCorpus() {
  const extractor = await createExtractor();
  const texts = [];
  const blobIds = new Map();
  const comments = [];
  const manifests = [];
  for (const [number, { name, gitDir }] of corpusRepositories(path.resolve(positionals[0])).entries()) {
    if (values.repository && !values.repository.includes(name)) continue;
    const files = filesAtHead(gitDir);
    const paths = new Map(files.map((file) => [file.objectId, file.path]));
    for await (const { objectId, content } of textBlobs(gitDir, [...paths.keys()])) {
      if (blobIds.has(objectId)) continue;
      const filePath = paths.get(objectId);
      const text = Buffer.from(content);
      const language = languageName(languageOf(filePath)) ?? '';
      const outcome = extractor.extract({ language, path: filePath, text: new Uint8Array(text) });
      const symbols = 'facts' in outcome ? outcome.facts.symbols : [];
      for (const { docStart, docEnd } of symbols) {
        if (docStart < 0) continue;
        const sentence = /[A-Z][\w ,'-]{20,200}\./.exec(text.toString('utf8', docStart, docEnd))?.[0];
        if (sentence) comments.push(sentence);
      }
      blobIds.set(objectId, texts.push({ text, symbols, skipped: outcome.skipped }));
    }
    const file = path.join(folder, `${number}.man`);
    await search.writeManifest(file, {
      head: {
        repositoryId: number + 1,
        commit: '0'.repeat(40),
        committedMs: 0,
        policyKey: '',
        objectsBy: null,
        optedOut: 0,
      },
      rows: files
        .filter(({ objectId }) => blobIds.has(objectId))
        .map(({ path: shown, objectId }) => {
          const row = { path: shown, oid: objectId, blobId: blobIds.get(objectId), skipped: null };
          return {
            ...row,
            class: documentClass(shown),
            language: languageOf(shown),
            executable: false,
            maskedSpans: 0,
            interpreter: 0,
          };
        }),
    });
    manifests.push(await search.openManifest(file));
  }
  const table = new Uint32Array(2 * texts.length + 2);
  const own = Array.from({ length: segmentCount }, () => []);
  texts.forEach((text, i) => {
    const slot = Math.floor((i * segmentCount) / texts.length);
    table[2 * (i + 1)] = slot + 1;
    table[2 * (i + 1) + 1] = own[slot].push(text) - 1;
  });
  const segments = own.map((all, slot) => {
    const file = path.join(folder, `${slot}.chunks`);
    const builder = new ChunksBuilder({ file, chunksVersion: 'bench', blobs: all.length });
    all.forEach(({ text, symbols, skipped }, blob) => {
      if (skipped === 'machine-made') builder.addSkipped(blob, skipped);
      else builder.add(blob, text, symbols);
    });
    builder.finish();
    return { slot, blobs: all.length, cut: null, chunks: openChunks(file) };
  });
  return { manifests, segments, table, comments };
}

function ms(value) {
  return `${value.toFixed(1)} ms`;
}
