/**
 * How many chunks a CPU-second gets vectors of the table, from the segments of a real index to files on the disk, and how well sketches
 * pick what a scan of all records finds, with first sentences of comments as questions. It reads the index and writes to a folder of
 * its own.
 *
 *   node bench/vectors/real-index.mjs INDEX_FOLDER
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { built, builtFile } from '../support/built.mjs';

const search = await built('search');
const { createVectorReader, createVectorScanner, loadStaticEmbedder } = await built('vectors');
const { createEmbeddingServing } = await builtFile('indexing/embedding-serving.js');
const index = path.resolve(process.argv[2]);
const folder = mkdtempSync(path.join(process.env['BENCH_FOLDER'] ?? tmpdir(), 'vectors-real-'));
try {
  const state = await search.readIndexState(index);
  const segments = state.segments.filter(({ chunks }) => chunks !== null);
  embed(state, segments);
  recall(questionsOf(segments));
} finally {
  rmSync(folder, { recursive: true });
}

function embed({ nextBlobId }, segments) {
  const answer = createEmbeddingServing();
  answer({ kind: 'open', folder, fence: 1, edition: 'bench', ownersEnd: nextBlobId });
  let chunks = 0;
  const seconds = cpuSeconds(() => {
    for (const segment of segments) {
      answer({ kind: 'embed-begin', segment: filesOf(segment) });
      let done = answer({ kind: 'embed-work', sliceMs: 1000 });
      for (chunks += done.embedded; !done.isDone; chunks += done.embedded) {
        done = answer({ kind: 'embed-work', sliceMs: 1000 });
      }
      chunks += answer({ kind: 'embed-finish' }).embedded;
      while (answer({ kind: 'tidy' }).isChanged);
    }
  });
  console.log(
    `${chunks} chunks embedded, written and merged in ${seconds.toFixed(1)} CPU s: ${(chunks / seconds).toFixed(0)} a CPU-second; ${readdirSync(folder).length} files`,
  );
}

/** First sentences of comments that document something, spread over the index. */
function questionsOf(segments, wanted = 200) {
  const reader = new search.ChunksReader();
  const texts = new search.SegmentReader({ ringBytes: 2 << 20 });
  const found = [];
  for (const entry of segments) {
    const { segment, chunks } = open(entry);
    for (let blob = 0; blob < chunks.blobs; blob++) {
      const documented = reader
        .chunksOf(chunks, blob)
        .find(({ docStart, part }) => docStart >= 0 && part === 0);
      if (!documented) continue;
      const comment = texts.blobText(segment, blob).toString('utf8', documented.docStart, documented.docEnd);
      const sentence = comment
        .replace(/^[\s/*#"'-]+/gm, '')
        .split(/[.\n]/)[0]
        .trim();
      if (sentence.split(' ').length > 5) found.push(sentence);
    }
    segment.close();
    chunks.close();
  }
  return Array.from(
    { length: Math.min(wanted, found.length) },
    (_, i) => found[Math.floor((i * found.length) / wanted)],
  );
}

function recall(questions) {
  const table = loadStaticEmbedder();
  const { kind } = table;
  const queries = questions
    .map((question) => table.embedQuery(question))
    .filter((vector) => vector.some(Boolean));
  const exactly = createVectorReader({ folder, residentBytesMax: 1e12 }).open();
  const bySketch = createVectorReader({ folder, residentBytesMax: 0 }).open();
  const scanner = createVectorScanner();
  const exact = queries.map((vector) =>
    scanner.search(exactly.handle, { kind, vector, limit: 50, allowed: null }),
  );
  console.log(`${queries.length} questions over ${exact[0].rows.scored} rows`);
  for (const [sketchedMost, scoredMost] of [
    [1000, 500],
    [1000, 1000],
    [2000, 1000],
    [4000, 1000],
    [8000, 2000],
  ]) {
    const picking = createVectorScanner({ sketchedMost, scoredMost });
    const shares = { 10: 0, 50: 0 };
    const started = process.cpuUsage();
    const answers = queries.map((vector) =>
      picking.search(bySketch.handle, { kind, vector, limit: 50, allowed: null }),
    );
    const { user, system } = process.cpuUsage(started);
    answers.forEach(({ hits }, i) => {
      const keys = new Set(hits.map(({ owner, part }) => `${owner} ${part}`));
      for (const top of [10, 50]) {
        // What is as good as the last one that counts is as good an answer.
        const wanted = exact[i].hits.slice(0, top);
        shares[top] +=
          wanted.filter(({ owner, part }) => keys.has(`${owner} ${part}`)).length / wanted.length;
      }
    });
    console.log(
      `  ${sketchedMost} sketches, ${scoredMost} records: recall@10 ${(shares[10] / queries.length).toFixed(3)}, @50 ${(shares[50] / queries.length).toFixed(3)}, ${((user + system) / 1e3 / queries.length).toFixed(1)} CPU ms`,
    );
  }
  exactly.close();
  bySketch.close();
}

function open({ file, dictionaries, chunks }) {
  const sets = new Map();
  if (dictionaries !== null) {
    const set = search.openDictionaries(path.join(index, dictionaries));
    sets.set(set.hash, set);
  }
  return {
    segment: search.openSegment(path.join(index, file), sets),
    chunks: search.openChunks(path.join(index, chunks.file)),
  };
}

function filesOf({ file, dictionaries, chunks }) {
  const inFolder = (name) => path.join(index, name);
  return {
    segment: inFolder(file),
    dictionaries: dictionaries === null ? null : inFolder(dictionaries),
    chunks: inFolder(chunks.file),
  };
}

function cpuSeconds(work) {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1e6;
}
