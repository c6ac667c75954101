/**
 * Step 2 of fitting the static table: what the default model makes of the collected texts, as one file of float32 rows each.
 *
 *   node scripts/fit-static-table/embed.mjs --data DATA.json --out FOLDER
 *
 * Writes documents.f32, sentences.f32 and pieces.f32 (each piece of the vocabulary by itself). A file that is whole is not made again.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { own } from './own.mjs';

const { values } = parseArgs({
  options: { data: { type: 'string' }, out: { type: 'string' }, only: { type: 'string', multiple: true } },
});
const { preparedChunk, preparedQuery } = await own('encoders/chunk-preparation.js');
const { defaultVocabularyFile, prepareDefaultModel } = await own('encoders/default-model.js');
const { loadOnnxEncoder } = await own('encoders/onnx-encoder.js');
const { readVocabulary } = await own('words/vocabulary.js');
mkdirSync(values.out, { recursive: true });
const encoder = await loadOnnxEncoder(await prepareDefaultModel(values.out));
const { documents, sentences } = JSON.parse(readFileSync(values.data, 'utf8'));
const vocabulary = [...readVocabulary(defaultVocabularyFile())]
  .sort(([, a], [, b]) => a - b)
  .map(([piece]) => piece);
await embedAll('sentences', sentences.map(preparedQuery));
// A piece of a word's middle stands for itself: what it adds to a word is what is wanted.
await embedAll(
  'pieces',
  vocabulary.map((piece) => (/^\[.*\]$/.test(piece) ? '' : piece.replace(/^##(?=.)/, ''))),
);
await embedAll('documents', documents.map(preparedChunk));
await encoder.close();

async function embedAll(name, texts) {
  const file = path.join(values.out, `${name}.f32`);
  if (existsSync(file) || (values.only && !values.only.includes(name))) return;
  const started = process.cpuUsage();
  const order = texts.map((text, i) => [text.length, i]).sort((a, b) => a[0] - b[0]);
  const rows = new Float32Array(texts.length * 384);
  for (let from = 0; from < order.length; from += 16) {
    const batch = order.slice(from, from + 16).map(([, i]) => i);
    const vectors = await encoder.encode(batch.map((i) => texts[i]));
    batch.forEach((i, row) => {
      rows.set(vectors.subarray(row * 384, (row + 1) * 384), i * 384);
    });
    if (from % 1600 === 0) console.log(`${name} ${from}/${order.length}`);
  }
  const { user, system } = process.cpuUsage(started);
  console.log(`${name}: ${(texts.length / ((user + system) / 1e6)).toFixed(0)} per CPU-second`);
  writeFileSync(`${file}.part`, rows);
  renameSync(`${file}.part`, file);
}
