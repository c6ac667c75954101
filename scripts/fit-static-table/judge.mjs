/**
 * How well a static table finds functions by their first sentence, beside keywords (BM25 with identifiers split), over a set that
 * `collect.mjs --only ...` drew from repositories that the table was not fitted on:
 *
 *   node scripts/fit-static-table/judge.mjs --data SET.json [--table FILE] [--model FOLDER]
 *
 * With `--model`, also the default model itself (slow); FOLDER keeps it between runs. Prints MRR@10, recall@10 and recall@50.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { own } from './own.mjs';

const { values } = parseArgs({
  options: { data: { type: 'string' }, table: { type: 'string' }, model: { type: 'string' } },
});
const { loadStaticEmbedder } = await own('table/static-embedder.js');
const { documents, pairs } = JSON.parse(readFileSync(values.data, 'utf8'));
const embedder = loadStaticEmbedder(values.table);
const started = process.cpuUsage();
const rows = documents.map((one) => embedder.embedDocument(one));
const { user, system } = process.cpuUsage(started);
console.log(
  `${documents.length} functions, ${pairs.length} questions; ${(documents.length / ((user + system) / 1e6)).toFixed(0)} functions per CPU-second`,
);
const ofTable = pairs.map(({ query }) => {
  const vector = embedder.embedQuery(query);
  return rows.map(({ values: small, scale }) => scale * dot(vector, small));
});
const ofKeywords = keywordScores();
report('keywords', ofKeywords);
report('table', ofTable);
report('keywords + table', fused([ofKeywords, 1], [ofTable, 1]));
if (values.model) {
  const ofModel = await modelScores(values.model);
  report('model', ofModel);
  report('keywords + model', fused([ofKeywords, 1], [ofModel, 1]));
  report('keywords + model + half table', fused([ofKeywords, 1], [ofModel, 1], [ofTable, 0.5]));
}

async function modelScores(folder) {
  const { loadOnnxEncoder } = await own('encoders/onnx-encoder.js');
  const { prepareDefaultModel } = await own('encoders/default-model.js');
  const { preparedChunk, preparedQuery } = await own('encoders/chunk-preparation.js');
  const encoder = await loadOnnxEncoder(await prepareDefaultModel(folder));
  const encode = async (texts) => {
    const found = [];
    for (let from = 0; from < texts.length; from += 8) {
      const vectors = await encoder.encode(texts.slice(from, from + 8));
      for (let at = 0; at < vectors.length; at += 384) found.push(vectors.slice(at, at + 384));
    }
    return found;
  };
  const vectors = await encode(documents.map(preparedChunk));
  const questions = await encode(pairs.map(({ query }) => preparedQuery(query)));
  return questions.map((question) => vectors.map((vector) => dot(question, vector)));
}

function keywordScores() {
  const texts = documents.map(({ name, path: place, body }) => [
    ...wordsOf(body),
    ...wordsOf(name),
    ...wordsOf(name),
    ...wordsOf(place.replace(/\.\w+$/, '')),
  ]);
  const mean = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
  const postings = new Map();
  texts.forEach((words, document) => {
    const counts = new Map();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts) {
      if (!postings.has(word)) postings.set(word, []);
      postings.get(word).push([document, count / (count + 1.2 * (0.25 + (0.75 * words.length) / mean))]);
    }
  });
  return pairs.map(({ query }) => {
    const scores = new Float64Array(documents.length);
    for (const word of new Set(wordsOf(query))) {
      const found = postings.get(word) ?? [];
      const rarity = Math.log(1 + (documents.length - found.length + 0.5) / (found.length + 0.5));
      for (const [document, score] of found) scores[document] += rarity * score;
    }
    return scores;
  });
}

function wordsOf(text) {
  return (text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) =>
    word
      .toLowerCase()
      .replace(/(?<=.{3})(?:ing|ed|es|s)$/, '')
      .replace(/(?<=.{3})e$/, ''),
  );
}

function fused(...lists) {
  return pairs.map((_, query) => {
    const scores = new Float64Array(documents.length);
    for (const [list, weight] of lists) {
      order(list[query])
        .slice(0, 200)
        .forEach((document, rank) => {
          scores[document] += weight / (10 + rank + 1);
        });
    }
    return scores;
  });
}

function order(scores) {
  return [...scores.keys()].sort((a, b) => scores[b] - scores[a] || a - b);
}

function report(name, lists) {
  const ranks = lists.map((scores, query) => {
    const wanted = scores[pairs[query].document];
    return scores.reduce(
      (rank, score, i) => rank + (score > wanted || (score === wanted && i < pairs[query].document)),
      1,
    );
  });
  const mean = (of) => (ranks.reduce((sum, rank) => sum + of(rank), 0) / ranks.length).toFixed(3);
  const [mrr, ten, fifty] = [
    (r) => (r <= 10 ? 1 / r : 0),
    (r) => Number(r <= 10),
    (r) => Number(r <= 50),
  ].map(mean);
  console.log(`${name.padEnd(32)} ${mrr} ${ten} ${fifty}`);
}

function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
