/**
 * How many chunks the static table embeds per CPU-second: texts of the repositories (OWNER/NAME.git) below the folders, cut every 30
 * lines. Needs `npm run build`: node bench/vectors/static-embedder.mjs FOLDER... (BENCH_CHUNKS, default 40 000)
 */
import path from 'node:path';
import { built } from '../support/built.mjs';
import { corpusRepositories, filesAtHead, textBlobs } from '../support/corpus-repositories.mjs';

const { loadStaticEmbedder } = await built('vectors');
const { languageOf } = await built('search');
const wanted = Number(process.env['BENCH_CHUNKS'] ?? 40_000);
const repositories = process.argv.slice(2).flatMap((folder) => corpusRepositories(path.resolve(folder)));
const chunks = [];
for (const { gitDir } of repositories) {
  const before = chunks.length;
  const paths = new Map(
    filesAtHead(gitDir)
      .filter((file) => languageOf(file.path))
      .slice(0, 2000)
      .map((file) => [file.objectId, file.path]),
  );
  for await (const { objectId, content } of textBlobs(gitDir, [...paths.keys()])) {
    const lines = content.toString('utf8').split('\n');
    for (let from = 0; from < lines.length; from += 30) {
      const body = lines.slice(from, from + 30).join('\n');
      chunks.push({
        name: lines[from].trim().slice(0, 40),
        path: paths.get(objectId),
        signature: lines[from],
        body,
      });
    }
    if (chunks.length - before > wanted / repositories.length) break;
  }
}
let embedder;
const loading = cpuSeconds(() => {
  embedder = loadStaticEmbedder();
});
const bytes = chunks.reduce((sum, { body }) => sum + body.length, 0);
console.log(
  `${chunks.length} chunks of ${(bytes / chunks.length).toFixed(0)} characters; table loaded in ${(loading * 1e3).toFixed(0)} ms`,
);
for (const run of ['first', 'again']) {
  const seconds = cpuSeconds(() => {
    for (const chunk of chunks) embedder.embedDocument(chunk);
  });
  console.log(
    `${run}: ${(chunks.length / seconds).toFixed(0)} chunks per CPU-second, ${(bytes / seconds / 1e6).toFixed(1)} MB/s`,
  );
}

function cpuSeconds(work) {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1e6;
}
