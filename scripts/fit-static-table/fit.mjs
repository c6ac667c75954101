/**
 * Step 3 of fitting the static table: from what the default model makes of texts to a row for each piece of its vocabulary.
 *
 *   node scripts/fit-static-table/fit.mjs --data DATA.json --vectors FOLDER --out src/vectors/table/static-table.bin
 *
 * A text's vector is the weighted sum of its pieces' rows. Rows begin as the model's vectors of the pieces by themselves; ridge
 * regression (conjugate gradient) moves them so that those sums point where the model's vectors of whole texts point. What is frequent
 * counts little (smooth inverse frequency over the rank in the vocabulary), signs count nothing; 256 principal components are kept,
 * in int8.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { eigenvectors } from './eigenvectors.mjs';
import { own } from './own.mjs';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    vectors: { type: 'string' },
    out: { type: 'string' },
    lambda: { type: 'string', default: '3' },
    dimensions: { type: 'string', default: '256' },
  },
});
const { preparedChunk, preparedQuery } = await own('encoders/chunk-preparation.js');
const { defaultVocabularyFile } = await own('encoders/default-model.js');
const { createStaticEmbedder } = await own('table/static-embedder.js');
const { encodeStaticTable } = await own('table/table-file.js');
const { createTextPieces } = await own('table/text-pieces.js');
const { readVocabulary } = await own('words/vocabulary.js');
const { createWordPieces } = await own('words/word-pieces.js');

/** Width of the default model. */
const WIDTH = 384;
/** Vocabulary numbers: whole words by frequency begin here; before them are marks and single characters. */
const FIRST_WORD = 1996;
/** As much of a text as the model reads. */
const PIECES_MAX = 126;
const ITERATIONS = 25;
/** Of smooth inverse frequency. */
const SMOOTHING = 1e-5;

const vocabulary = readVocabulary(defaultVocabularyFile());
const words = createWordPieces(vocabulary);
const { documents, sentences } = JSON.parse(readFileSync(values.data, 'utf8'));
const eachPiece = createTextPieces(words);
const pieceCount = vocabulary.size;
const weights = pieceWeights();
const start = centredPieces(floats('pieces'));
const texts = [...documents.map(preparedChunk), ...sentences.map(preparedQuery)];
const groups = [
  [0, documents.length],
  [documents.length, texts.length],
];
const wanted = concatenated(floats('documents'), floats('sentences'));
for (const [from, to] of groups) {
  subtractMean(wanted, from, to);
  for (let row = from; row < to; row++) normalise(wanted, row);
}
const sums = sparseSums(start);
const before = times(sums, start);
for (const [from, to] of groups) subtractMean(before, from, to);
console.log(`cosine before ${meanCosine(before).toFixed(3)}`);
const rows = add(start, ridge(sums, difference(wanted, before), Number(values.lambda)));
const after = times(sums, rows);
for (const [from, to] of groups) subtractMean(after, from, to);
console.log(`cosine after ${meanCosine(after).toFixed(3)}`);
const dimensions = Number(values.dimensions);
const table = quantizedTable(principal(rows, dimensions), dimensions);
writeFileSync(values.out, encodeStaticTable(withCentroids(table), vocabulary));
console.log(`wrote ${values.out}`);

function floats(name) {
  const bytes = readFileSync(path.join(values.vectors, `${name}.f32`));
  return new Float32Array(new Uint8Array(bytes).buffer);
}

function pieceWeights() {
  const ranks = Float64Array.from({ length: pieceCount }, (_, piece) =>
    piece >= FIRST_WORD ? piece - FIRST_WORD + 2 : piece > 999 ? piece - 998 : 1,
  );
  const total = ranks.reduce((sum, rank) => sum + 1 / (rank + 1), 0);
  const found = ranks.map((rank) => SMOOTHING / (SMOOTHING + 1 / (rank + 1) / total));
  const usual = [...found.slice(FIRST_WORD, 3000)].sort((a, b) => a - b)[(3000 - FIRST_WORD) >> 1];
  for (const [piece, number] of vocabulary) {
    if (number < FIRST_WORD) found[number] = Math.min(found[number], usual);
    if (number <= 103 || !/[\p{L}\p{N}]/u.test(piece)) found[number] = 0;
  }
  return found;
}

function centredPieces(pieces) {
  const mean = new Float64Array(WIDTH);
  for (let piece = FIRST_WORD; piece < pieceCount; piece++) {
    for (let i = 0; i < WIDTH; i++) mean[i] += pieces[piece * WIDTH + i];
  }
  return pieces.map((value, at) => value - mean[at % WIDTH] / (pieceCount - FIRST_WORD));
}

/** For each text its pieces with the factors of their rows. */
function sparseSums(table) {
  return texts.map((text) => {
    const counts = new Map();
    eachPiece(text, PIECES_MAX, (piece) => counts.set(piece, (counts.get(piece) ?? 0) + 1));
    const pieces = Int32Array.from(counts.keys()).filter((piece) => weights[piece] > 0);
    const factors = Float32Array.from(pieces, (piece) => (1 + Math.log(counts.get(piece))) * weights[piece]);
    const sum = new Float64Array(WIDTH);
    pieces.forEach((piece, k) => {
      for (let i = 0; i < WIDTH; i++) sum[i] += factors[k] * table[piece * WIDTH + i];
    });
    const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0)) || 1;
    return { pieces, factors: factors.map((factor) => factor / length) };
  });
}

function times(matrix, table) {
  const found = new Float32Array(matrix.length * WIDTH);
  matrix.forEach(({ pieces, factors }, row) => {
    const at = row * WIDTH;
    for (let k = 0; k < pieces.length; k++) {
      const from = pieces[k] * WIDTH;
      const factor = factors[k];
      for (let i = 0; i < WIDTH; i++) found[at + i] += factor * table[from + i];
    }
  });
  return found;
}

function transposedTimes(matrix, values) {
  const found = new Float32Array(pieceCount * WIDTH);
  matrix.forEach(({ pieces, factors }, row) => {
    const from = row * WIDTH;
    for (let k = 0; k < pieces.length; k++) {
      const at = pieces[k] * WIDTH;
      const factor = factors[k];
      for (let i = 0; i < WIDTH; i++) found[at + i] += factor * values[from + i];
    }
  });
  return found;
}

/** Solves (AᵀA + lambda) X = Aᵀ B, all columns side by side. */
function ridge(matrix, right, lambda) {
  const x = new Float32Array(pieceCount * WIDTH);
  const rest = transposedTimes(matrix, right);
  const direction = rest.slice();
  let size = columnDots(rest, rest);
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const image = transposedTimes(matrix, times(matrix, direction));
    for (let at = 0; at < image.length; at++) image[at] += lambda * direction[at];
    const along = columnDots(direction, image);
    const step = size.map((value, i) => value / (along[i] + 1e-20));
    for (let at = 0, i = 0; at < x.length; at++, i = i + 1 === WIDTH ? 0 : i + 1) {
      x[at] += step[i] * direction[at];
      rest[at] -= step[i] * image[at];
    }
    const next = columnDots(rest, rest);
    const turn = next.map((value, i) => value / (size[i] + 1e-20));
    for (let at = 0, i = 0; at < x.length; at++, i = i + 1 === WIDTH ? 0 : i + 1) {
      direction[at] = rest[at] + turn[i] * direction[at];
    }
    size = next;
    console.log(`iteration ${iteration + 1}: ${Math.sqrt(size.reduce((a, b) => a + b, 0)).toExponential(2)}`);
  }
  return x;
}

function columnDots(a, b) {
  const found = new Float64Array(WIDTH);
  for (let at = 0, i = 0; at < a.length; at++, i = i + 1 === WIDTH ? 0 : i + 1) found[i] += a[at] * b[at];
  return found;
}

/** Rows times their weights, turned to the directions in which words differ most. */
function principal(table, dimensions) {
  const mean = new Float64Array(WIDTH);
  for (let piece = FIRST_WORD; piece < pieceCount; piece++) {
    for (let i = 0; i < WIDTH; i++) mean[i] += table[piece * WIDTH + i] / (pieceCount - FIRST_WORD);
  }
  const weighted = table.map((value, at) => (value - mean[at % WIDTH]) * weights[Math.floor(at / WIDTH)]);
  const covariance = new Float64Array(WIDTH * WIDTH);
  for (let piece = FIRST_WORD; piece < pieceCount; piece++) {
    const at = piece * WIDTH;
    for (let i = 0; i < WIDTH; i++) {
      const value = weighted[at + i];
      for (let j = i; j < WIDTH; j++) covariance[i * WIDTH + j] += value * weighted[at + j];
    }
  }
  for (let i = 0; i < WIDTH; i++)
    for (let j = 0; j < i; j++) covariance[i * WIDTH + j] = covariance[j * WIDTH + i];
  const directions = eigenvectors(covariance, WIDTH).slice(0, dimensions);
  const turned = new Float32Array(pieceCount * dimensions);
  for (let piece = 0; piece < pieceCount; piece++) {
    const row = weighted.subarray(piece * WIDTH, (piece + 1) * WIDTH);
    directions.forEach((direction, d) => {
      let sum = 0;
      for (let i = 0; i < WIDTH; i++) sum += row[i] * direction[i];
      turned[piece * dimensions + d] = sum;
    });
  }
  return turned;
}

function quantizedTable(table, dimensions) {
  const rows = new Int8Array(table.length);
  const scales = new Float32Array(pieceCount);
  for (let piece = 0; piece < pieceCount; piece++) {
    const row = table.subarray(piece * dimensions, (piece + 1) * dimensions);
    const largest = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    scales[piece] = largest / 127;
    for (let i = 0; i < dimensions && largest > 0; i++) {
      rows[piece * dimensions + i] = Math.round((row[i] / largest) * 127);
    }
  }
  const none = new Float32Array(dimensions);
  return { dimensions, scales, rows, documentCentroid: none, queryCentroid: none };
}

function withCentroids(table) {
  const embedder = createStaticEmbedder({ ...table, sum: 'unfinished' }, words);
  return {
    ...table,
    documentCentroid: meanOf(
      documents.map((one) => widened(embedder.embedDocument(one))),
      table.dimensions,
    ),
    queryCentroid: meanOf(
      sentences.map((text) => embedder.embedQuery(text)),
      table.dimensions,
    ),
  };
}

function widened({ values: small, scale }) {
  return Float32Array.from(small, (value) => value * scale);
}

function meanOf(vectors, dimensions) {
  const mean = new Float32Array(dimensions);
  for (const vector of vectors) for (let i = 0; i < dimensions; i++) mean[i] += vector[i] / vectors.length;
  return mean;
}

function subtractMean(table, from, to) {
  const mean = new Float64Array(WIDTH);
  for (let row = from; row < to; row++) for (let i = 0; i < WIDTH; i++) mean[i] += table[row * WIDTH + i];
  for (let row = from; row < to; row++)
    for (let i = 0; i < WIDTH; i++) table[row * WIDTH + i] -= mean[i] / (to - from);
}

function normalise(table, row) {
  let sum = 0;
  for (let at = row * WIDTH; at < (row + 1) * WIDTH; at++) sum += table[at] * table[at];
  const factor = 1 / (Math.sqrt(sum) || 1);
  for (let at = row * WIDTH; at < (row + 1) * WIDTH; at++) table[at] *= factor;
}

/** Over the documents. */
function meanCosine(found) {
  let total = 0;
  for (let row = 0; row < documents.length; row++) {
    let dot = 0;
    let square = 0;
    for (let at = row * WIDTH; at < (row + 1) * WIDTH; at++) {
      dot += found[at] * wanted[at];
      square += found[at] * found[at];
    }
    total += dot / (Math.sqrt(square) || 1);
  }
  return total / documents.length;
}

function difference(a, b) {
  return a.map((value, at) => value - b[at]);
}

function add(a, b) {
  return a.map((value, at) => value + b[at]);
}

function concatenated(a, b) {
  const both = new Float32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
