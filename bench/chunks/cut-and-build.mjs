/**
 * `node bench/chunks/cut-and-build.mjs FOLDER [--repository OWNER/NAME]... [--show PATH]`: what cutting texts into chunks and writing
 * the file of their words costs, in MB per second of one core, beside what extracting their facts costs, and how large the file is
 * against the text; then what merging it with itself costs. Over the bare repositories (OWNER/NAME.git) below the folder. `--show`
 * prints the chunks of the files whose path ends so. Built code; run `npm run build` first.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { built, builtFile } from '../support/built.mjs';
import { corpusRepositories, filesAtHead, textBlobs } from '../support/corpus-repositories.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { repository: { type: 'string', multiple: true }, show: { type: 'string', multiple: true } },
});
const { createExtractor } = await built('symbols');
const { languageOf, languageName, openChunks, ChunksReader, ChunksBuilder, mergeChunks } =
  await built('search');
const { cutText } = await builtFile('search/chunks/cut-text.js');
const extractor = await createExtractor();
const folder = mkdtempSync(path.join(tmpdir(), 'chunks-bench-'));
const texts = [];
let facts = 0;
try {
  await readTexts();
  measure();
} finally {
  rmSync(folder, { recursive: true });
}

async function readTexts() {
  for (const { name, gitDir } of corpusRepositories(path.resolve(positionals[0]))) {
    if (values.repository && !values.repository.includes(name)) continue;
    const files = new Map(filesAtHead(gitDir).map((file) => [file.objectId, file]));
    for await (const { objectId, content } of textBlobs(gitDir, [...files.keys()])) {
      const { path: filePath } = files.get(objectId);
      const language = languageName(languageOf(filePath)) ?? '';
      const text = new Uint8Array(content);
      let outcome;
      facts += cpuMs(() => {
        outcome = extractor.extract({ language, path: filePath, text });
      });
      const symbols = 'facts' in outcome ? outcome.facts.symbols : [];
      texts.push({ text: Buffer.from(text), symbols, skipped: outcome.skipped });
      if (values.show?.some((end) => filePath.endsWith(end))) show(filePath, text, symbols);
    }
  }
}

function measure() {
  const bytes = texts.reduce((sum, { text }) => sum + text.length, 0);
  const file = path.join(folder, 'a.chunks');
  const cutting = cpuMs(() => {
    for (const { text, symbols, skipped } of texts) if (skipped !== 'machine-made') cutText(text, symbols);
  });
  const builder = new ChunksBuilder({ file, chunksVersion: 'bench', blobs: texts.length });
  const adding = cpuMs(() => {
    texts.forEach(({ text, symbols, skipped }, blob) => {
      if (skipped === 'machine-made') builder.addSkipped(blob, skipped);
      else builder.add(blob, text, symbols);
    });
  });
  let summary;
  const finishing = cpuMs(() => {
    summary = builder.finish();
  });
  const rate = (ms) => `${(bytes / 1e3 / ms).toFixed(1)} MB/s`;
  console.log(`${mega(bytes)} MB of text in ${texts.length} files; facts ${rate(facts)}`);
  console.log(
    `cut ${rate(cutting)}, cut and counted ${rate(adding)}, with writing the file ${rate(adding + finishing)}`,
  );
  console.log(
    `${summary.chunks} chunks of ${(summary.textBytes / summary.chunks).toFixed(0)} bytes, ${summary.terms} terms, ${summary.postings} postings, skipped ${JSON.stringify(summary.skips)}, cut short ${summary.cutBlobs}`,
  );
  for (const [section, size] of Object.entries({ ...summary.sectionBytes, all: summary.fileBytes }))
    console.log(
      `  ${section.padEnd(12)} ${mega(size).padStart(8)} MB  ${(size / bytes).toFixed(4)} of the text`,
    );
  const chunks = openChunks(file);
  const order = texts.map((_, blob) => ({ input: blob % 2, blob }));
  const merging = cpuMs(() => {
    mergeChunks({
      inputs: [chunks, chunks],
      order,
      file: path.join(folder, 'b.chunks'),
      reader: new ChunksReader(),
    });
  });
  console.log(`merge ${rate(merging)}; process ${mega(process.memoryUsage().rss)} MB`);
}

function show(filePath, text, symbols) {
  for (const chunk of cutText(text, symbols).chunks) {
    const { startLine, endLine, start, end, kind, name, parents, part } = chunk;
    const what = `${kind ?? '-'} ${parents ? `${parents}.` : ''}${name}${part ? ` part ${part}` : ''}`;
    console.log(`${filePath}:${startLine}-${endLine}  ${end - start} bytes  ${what}`);
  }
}

function cpuMs(run) {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e3;
}

function mega(bytes) {
  return (bytes / 1e6).toFixed(1);
}
