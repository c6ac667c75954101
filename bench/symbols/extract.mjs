/**
 * `node bench/symbols/extract.mjs FOLDER... [--language NAME] [--sample BYTES]`: how fast texts become facts, by language, in MB per
 * second of one core, over the bare repositories (OWNER/NAME.git) below the folders. Built code; run `npm run build` first.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { built } from '../support/built.mjs';
import { corpusRepositories, filesAtHead, textBlobs } from '../support/corpus-repositories.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    language: { type: 'string', multiple: true },
    repository: { type: 'string', multiple: true },
    sample: { type: 'string', default: '8000000' },
  },
});
const sampleBytes = Number(values.sample);
const { createExtractor } = await built('symbols');
const { languageOf, languageName } = await built('search');
const extractor = await createExtractor(values.language ? { languages: values.language } : {});
const rows = new Map();
for (const folder of positionals) {
  for (const { name, gitDir } of corpusRepositories(path.resolve(folder))) {
    if (values.repository && !values.repository.includes(name)) continue;
    const files = new Map();
    for (const file of filesAtHead(gitDir)) {
      const number = languageOf(file.path);
      const language = number ? languageName(number) : undefined;
      if (!language || extractor.versionOf(language) === null) continue;
      if (values.language && !values.language.includes(language)) continue;
      if ((rows.get(language)?.bytes ?? 0) >= sampleBytes) continue;
      files.set(file.objectId, { ...file, language });
    }
    for await (const { objectId, content } of textBlobs(gitDir, [...files.keys()])) {
      const { path: filePath, language } = files.get(objectId);
      const row = rows.get(language) ?? newRow(language);
      if (row.bytes >= sampleBytes) continue;
      const text = new Uint8Array(content);
      const before = process.cpuUsage();
      const outcome = extractor.extract({ language, path: filePath, text });
      const used = process.cpuUsage(before);
      row.bytes += text.length;
      row.files++;
      row.seconds += (used.user + used.system) / 1e6;
      if ('facts' in outcome) {
        row.symbols += outcome.facts.symbols.length;
        row.references += outcome.facts.references.length;
        row.imports += outcome.facts.imports.length;
      } else row.skipped[outcome.skipped] = (row.skipped[outcome.skipped] ?? 0) + 1;
    }
  }
}
const head = ['language', 'MB', 'files', 'MB/s', 'symbols', 'references', 'imports', 'skipped'];
console.log(`| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|`);
const all = newRow('all');
for (const row of [...rows.values()].filter(({ language }) => language !== 'all')) {
  for (const key of ['bytes', 'files', 'seconds', 'symbols', 'references', 'imports']) all[key] += row[key];
  print(row);
}
print(all);
console.log(`peak memory ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);
extractor.close();

function newRow(language) {
  const row = {
    language,
    bytes: 0,
    files: 0,
    seconds: 0,
    symbols: 0,
    references: 0,
    imports: 0,
    skipped: {},
  };
  rows.set(language, row);
  return row;
}

function print(row) {
  const skipped = Object.entries(row.skipped).map(([reason, count]) => `${reason} ${count}`);
  console.log(
    `| ${row.language} | ${(row.bytes / 1e6).toFixed(1)} | ${row.files} | ${(row.bytes / 1e6 / row.seconds).toFixed(1)} | ${row.symbols} | ${row.references} | ${row.imports} | ${skipped.join(', ')} |`,
  );
}
