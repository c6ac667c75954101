/**
 * How fast vectors are found, and how well sketches pick them.
 *
 *   node --expose-gc bench/vectors/store.mjs
 *
 * BENCH_ROWS (default 100 000) and BENCH_DIMENSIONS (384): a scan of all records in memory, with and without a filter.
 * BENCH_SKETCHED_ROWS (default 1 000 000; 10 000 000 takes 2.7 GB of disk and minutes) and BENCH_SKETCHED_DIMENSIONS (256): picked by sketches, and how
 * many of the ten nearest of a scan of all records are among them. Rows are made up: neighbourhoods around centres, as texts have them.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { built } from '../support/built.mjs';

const { createVectorReader, createVectorScanner, openVectorWriter } = await built('vectors');
const number = (name, usual) => Number(process.env[name] ?? usual);
let random = seeded(5);
const gaussians = Float32Array.from({ length: 1 << 16 }, gaussian);
const [filled] = process.argv.slice(2);

if (filled !== undefined) {
  const { kind, rows } = JSON.parse(process.argv[3]);
  fill(filled, kind, rows, centresOf(kind.dimensions));
  process.exit();
}
measure('all records', number('BENCH_ROWS', 100_000), number('BENCH_DIMENSIONS', 384), false);
measure('sketches', number('BENCH_SKETCHED_ROWS', 1_000_000), number('BENCH_SKETCHED_DIMENSIONS', 256), true);

function measure(title, rows, dimensions, isSketched) {
  const folder = mkdtempSync(path.join(process.env['BENCH_FOLDER'] ?? tmpdir(), 'vectors-bench-'));
  try {
    const kind = { model: 'made-up', dimensions, preparation: '1' };
    const centres = centresOf(dimensions);
    // In a process of its own: what is resident here is what searching takes.
    const writing = seconds(() => {
      const { status } = spawnSync(
        process.execPath,
        [import.meta.filename, folder, JSON.stringify({ kind, rows })],
        { stdio: 'inherit' },
      );
      if (status !== 0) throw new Error('the rows could not be written');
    });
    const reader = createVectorReader({ folder, residentBytesMax: isSketched ? 0 : 1e12 });
    let generation;
    const opening = seconds(() => {
      generation = reader.open();
    });
    console.log(
      `${title}: ${rows} rows of ${dimensions}, written in ${writing.toFixed(1)} s, opened in ${opening.toFixed(2)} s, ${(reader.usedBytes() / 1e6).toFixed(0)} MB shared`,
    );
    // Not what rows were drawn from.
    random = seeded(dimensions + 1);
    const queries = Array.from({ length: isSketched ? 30 : 100 }, () => near(centres, dimensions));
    const tenth = new Uint8Array(Math.ceil(rows / 8)).map((_, i) => (i % 5 === 0 ? 0x81 : 0));
    const few = Uint32Array.from({ length: 2000 }, (_, i) => Math.floor((i * rows) / 20_000));
    const scanner = createVectorScanner();
    run('  all', queries, (vector) =>
      scanner.search(generation.handle, { kind, vector, limit: 50, allowed: null }),
    );
    run('  a tenth, by bitmap', queries, (vector) =>
      scanner.search(generation.handle, {
        kind,
        vector,
        limit: 50,
        allowed: { form: 'bitmap', bits: tenth },
      }),
    );
    run('  2000 texts, by list', queries, (vector) =>
      scanner.search(generation.handle, { kind, vector, limit: 50, allowed: { form: 'list', owners: few } }),
    );
    global.gc?.();
    console.log(`  resident ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`);
    if (isSketched) recall(folder, kind, generation, queries);
    generation.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The same ones in every process. */
function centresOf(dimensions) {
  random = seeded(dimensions);
  return Array.from({ length: 2000 }, () => direction(dimensions));
}

function recall(folder, kind, generation, queries) {
  const all = createVectorReader({ folder, residentBytesMax: 1e12 }).open();
  const exact = createVectorScanner();
  const wanted = queries.map(
    (vector) => exact.search(all.handle, { kind, vector, limit: 10, allowed: null }).hits,
  );
  for (const [sketchedMost, scoredMost] of [
    [1000, 1000],
    [2000, 500],
    [4000, 1000],
    [8000, 2000],
  ]) {
    const scanner = createVectorScanner({ sketchedMost, scoredMost });
    let found = 0;
    let same = 0;
    queries.forEach((vector, i) => {
      const { hits } = scanner.search(generation.handle, { kind, vector, limit: 10, allowed: null });
      const keys = new Set(hits.map(({ owner }) => owner));
      found += wanted[i].filter(({ owner }) => keys.has(owner)).length;
      same += Number(hits[0]?.owner === wanted[i][0].owner);
    });
    console.log(
      `  recall@10 of ${sketchedMost} sketches, ${scoredMost} records: ${(found / queries.length / 10).toFixed(3)}, the nearest ${(same / queries.length).toFixed(2)}`,
    );
  }
  all.close();
}

function run(what, queries, search) {
  for (const vector of queries.slice(0, 5)) search(vector);
  const times = [];
  const started = process.cpuUsage();
  for (const vector of queries) {
    const before = performance.now();
    search(vector);
    times.push(performance.now() - before);
  }
  const { user, system } = process.cpuUsage(started);
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(share * times.length)].toFixed(1);
  console.log(
    `${what.padEnd(24)} p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, ${((user + system) / 1e3 / queries.length).toFixed(1)} CPU ms`,
  );
}

/** Rows lie about vectors that lie about centres; made of whole numbers, so that ten million of them take minutes and not an hour. */
function fill(folder, kind, rows, centres) {
  const { dimensions } = kind;
  const writer = openVectorWriter({ folder, rowsMax: 0 });
  const pool = Array.from({ length: 20_000 }, () => small(near(centres, dimensions)).values);
  const noise = Int8Array.from(gaussians, (value) => Math.max(-60, Math.min(60, Math.round(value * 22))));
  const made = () => {
    const from = pool[Math.floor(random() * pool.length)];
    const shift = Math.floor(random() * 0xffff);
    const values = new Int8Array(dimensions);
    let square = 0;
    for (let i = 0; i < dimensions; i++) {
      const value = (from[i] >> 1) + noise[(shift + i * 5) & 0xffff];
      values[i] = value;
      square += value * value;
    }
    return { values, scale: 1 / Math.sqrt(square) };
  };
  const batch = Math.min(rows, 500_000);
  for (let from = 0; from < rows; from += batch) {
    const count = Math.min(batch, rows - from);
    writer.append(
      kind,
      Array.from({ length: count }, (_, i) => ({ owner: from + i, part: 0, vector: made() })),
    );
  }
}

function near(centres, dimensions) {
  const centre = centres[Math.floor(random() * centres.length)];
  // A cosine of about a half to the centre, as texts of one subject have.
  const vector = new Float32Array(dimensions);
  const shift = Math.floor(random() * (1 << 16));
  const noise = 1.6 / Math.sqrt(dimensions);
  for (let i = 0; i < dimensions; i++) vector[i] = centre[i] + noise * gaussians[(shift + i * 7) & 0xffff];
  return normalised(vector);
}

function direction(dimensions) {
  return normalised(Float32Array.from({ length: dimensions }, gaussian));
}

function normalised(vector) {
  let square = 0;
  for (let i = 0; i < vector.length; i++) square += vector[i] * vector[i];
  const factor = 1 / Math.sqrt(square);
  for (let i = 0; i < vector.length; i++) vector[i] *= factor;
  return vector;
}

function small(vector) {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]));
  const values = new Int8Array(vector.length);
  for (let i = 0; i < vector.length; i++) values[i] = Math.round((vector[i] / largest) * 127);
  return { values, scale: largest / 127 };
}

function gaussian() {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function seconds(work) {
  const before = performance.now();
  work();
  return (performance.now() - before) / 1e3;
}

function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
