/** A thread of the search pool for the benches of meaning: search by meaning as it is built, and the chunks of what it may see. */
import { built, builtFile } from '../../support/built.mjs';

const { ChunksReader, createKeywordRanking, startSearchThread } = await built('search');
const { GraphAnswers } = await built('symbols');
const { RetrievalAnswers } = await builtFile('retrieval/thread/retrieval-answers.js');
const { chunkTextOf } = await builtFile('indexing/embedding-chunk-text.js');

const graph = new GraphAnswers();
const retrieval = new RetrievalAnswers(graph);
const reader = new ChunksReader();
const keywords = createKeywordRanking();
const KEYWORDS_MAX = 200;

startSearchThread((question, ground) => {
  if (question.kind === 'retrieval') return retrieval.answer(question, ground);
  if (question.kind === 'chunks') return { chunks: chunksOf(ground), next: null };
  if (question.kind === 'keyword-lists') return { lists: keywordLists(question, ground), next: null };
  return graph.answer(question, ground);
});

/** What words find under several weights: `OWNER PART` of each chunk, the best first. */
function keywordLists({ text, variants }, ground) {
  return variants.map((weights) =>
    keywords
      .rank({ text, limit: KEYWORDS_MAX, weights }, { ...ground, reader })
      .hits.map(({ segment, blob, part }) => `${ground.segments[segment].file.tables.blobIds[blob]} ${part}`),
  );
}

/** Each chunk of each text once, with a path that shows it and the class of that path. */
function chunksOf({ manifests, table, segments, reader: texts }) {
  const seen = new Set();
  const found = [];
  for (const manifest of manifests) {
    for (let row = 0; row < manifest.rows; row++) {
      const owner = manifest.blobIds[row];
      if (owner === 0 || seen.has(owner)) continue;
      const segment = segments.find(({ slot }) => slot === table[2 * owner] - 1);
      if (!segment?.chunks) continue;
      seen.add(owner);
      const blob = table[2 * owner + 1];
      const text = texts.blobText(segment.file, blob);
      const { path, documentClass } = { path: manifest.path(row), documentClass: manifest.classOf(row) };
      for (const [part, chunk] of reader.chunksOf(segment.chunks, blob).entries()) {
        const { startLine, endLine } = chunk;
        found.push({ owner, part, path, documentClass, startLine, endLine, text: chunkTextOf(chunk, text) });
      }
    }
  }
  return found;
}
