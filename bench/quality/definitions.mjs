/**
 * `node bench/quality/definitions.mjs FOLDER... --language NAME [--repository OWNER/NAME] [--missed COUNT] [--extra COUNT]`: definitions
 * that we find of those that universal-ctags finds (by name and line), by its kinds, over the bare repositories below the folders.
 * --missed prints some that we do not find, --extra some that we alone find. Built code; run `npm run build` first.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { built } from '../support/built.mjs';
import { corpusRepositories, filesAtHead, textBlobs } from '../support/corpus-repositories.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    language: { type: 'string', multiple: true },
    repository: { type: 'string', multiple: true },
    missed: { type: 'string', default: '0' },
    extra: { type: 'string', default: '0' },
    kind: { type: 'string' },
    sample: { type: 'string', default: '10000000' },
  },
});
/** Names of ctags for those languages whose name differs. */
const ctagsNames = { Shell: 'Sh', 'Protocol Buffer': 'Protobuf', HCL: 'Terraform' };
const functionLike = new Set(['function', 'method', 'generator', 'getter', 'setter', 'member', 'func']);
const { createExtractor } = await built('symbols');
const { languageOf, languageName } = await built('search');
const extractor = await createExtractor(values.language ? { languages: values.language } : {});
const folder = mkdtempSync(path.join(tmpdir(), 'periscope-definitions-'));
const table = new Map();
const missed = [];
const extra = [];
const bytesOf = new Map();
try {
  for (const corpus of positionals) {
    for (const { name, gitDir } of corpusRepositories(path.resolve(corpus))) {
      if (values.repository && !values.repository.includes(name)) continue;
      await compareRepository(name, gitDir);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
  extractor.close();
}
console.log('| language | kind of ctags | found | of | share |\n|---|---|---|---|---|');
for (const [key, { found, total }] of [...table].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const [language, kind] = key.split('\0');
  console.log(
    `| ${language} | ${kind} | ${found} | ${total} | ${((100 * found) / Math.max(1, total)).toFixed(1)} % |`,
  );
}
for (const line of drawn(missed, Number(values.missed))) console.log(`missed ${line}`);
for (const line of drawn(extra, Number(values.extra))) console.log(`extra ${line}`);

async function compareRepository(repository, gitDir) {
  const byLanguage = new Map();
  const files = new Map();
  for (const file of filesAtHead(gitDir)) {
    const number = languageOf(file.path);
    const language = number ? languageName(number) : undefined;
    if (!language || extractor.versionOf(language) === null) continue;
    if (values.language && !values.language.includes(language)) continue;
    files.set(file.objectId, { ...file, language });
  }
  for await (const { objectId, content } of textBlobs(gitDir, [...files.keys()])) {
    const file = files.get(objectId);
    if ((bytesOf.get(file.language) ?? 0) > Number(values.sample)) continue;
    const text = new Uint8Array(content);
    const outcome = extractor.extract({ language: file.language, path: file.path, text });
    if (!('facts' in outcome)) continue;
    bytesOf.set(file.language, (bytesOf.get(file.language) ?? 0) + text.length);
    const place = path.join(folder, repository, file.path);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, text);
    const ours = byLanguage.get(file.language) ?? new Map();
    byLanguage.set(file.language, ours);
    ours.set(place, outcome.facts.symbols);
  }
  for (const [language, ours] of byLanguage) {
    const name = ctagsNames[language] ?? language;
    const output = execFileSync(
      'ctags',
      [
        '--output-format=json',
        '--fields=+nKZ',
        '--sort=no',
        `--language-force=${name}`,
        '-L',
        '-',
        '-f',
        '-',
      ],
      {
        input: [...ours.keys()].join('\n'),
        maxBuffer: 1 << 30,
        stdio: ['pipe', 'pipe', 'ignore'],
      },
    ).toString();
    const theirs = new Map();
    for (const line of output.split('\n')) {
      if (!line.startsWith('{')) continue;
      const tag = JSON.parse(line);
      if (
        tag._type !== 'tag' ||
        typeof tag.name !== 'string' ||
        /^(?:__anon|Anonymous)/.test(tag.name) ||
        tag.name.startsWith('anonymous')
      )
        continue;
      if (isNoDefinition(language, tag)) continue;
      // What is local to a function is no symbol of ours.
      if (/^(?:constant|variable|local)$/.test(tag.kind) && functionLike.has(tag.scopeKind)) continue;
      // ctags does not tell what an anonymous function holds; at the top nothing is indented. Imports are none of the definitions.
      if (
        /Script$/.test(language) &&
        /^(?:constant|variable)$/.test(tag.kind) &&
        /^\/\^\s/.test(tag.pattern)
      ) {
        continue;
      }
      if (
        /^(?:alias|unknown|namespace|packageName)$/.test(tag.kind) &&
        /\bimport\b|^\/\^\s+\w+,|"\$\//.test(tag.pattern)
      ) {
        continue;
      }
      const symbols = ours.get(tag.path) ?? [];
      const known = theirs.get(tag.path) ?? new Set();
      theirs.set(tag.path, known);
      known.add(`${tag.name}\0${tag.line}`);
      count(
        language,
        tag,
        symbols.some(
          ({ name: own, nameLine }) =>
            nameLine === tag.line && own.replace(/^#/, '') === nameOf(language, tag).replace(/^#/, ''),
        ),
      );
    }
    for (const [place, symbols] of ours) {
      for (const symbol of symbols) {
        if (theirs.get(place)?.has(`${symbol.name}\0${symbol.nameLine}`)) continue;
        if (values.kind && values.kind !== symbol.kind) continue;
        extra.push(`${symbol.kind} ${symbol.name} ${path.relative(folder, place)}:${symbol.nameLine}`);
      }
    }
  }
}

/** What ctags tells beside definitions: imports, and what has no name. */
function isNoDefinition(language, { name, kind }) {
  if (name.startsWith('<')) return true;
  if (language === 'PHP' && kind === 'alias') return true;
  return language === 'Kotlin' && kind === 'package';
}

/** `IFormattable.ToString` of C# defines ToString; `attr_accessor :a` of Ruby is one definition to us, ctags tells `a=` as well. */
function nameOf(language, { name, kind }) {
  if (language === 'C#' && kind !== 'namespace')
    return name.slice(name.lastIndexOf('.') + 1).replace(/^operator (?=\W)/, 'operator');
  return language === 'Ruby' && kind === 'accessor' ? name.replace(/=$/, '') : name;
}

function count(language, tag, found) {
  const key = `${language}\0${tag.kind}`;
  const row = table.get(key) ?? { found: 0, total: 0 };
  table.set(key, row);
  row.total++;
  if (found) row.found++;
  else if (!values.kind || values.kind === tag.kind) {
    missed.push(`${tag.kind} ${tag.name} ${path.relative(folder, tag.path)}:${tag.line}`);
  }
}

/** Evenly spread, so that a run shows the same ones again. */
function drawn(all, wanted) {
  const step = Math.max(1, Math.floor(all.length / Math.max(1, wanted)));
  return all.filter((_, i) => i % step === 0).slice(0, wanted);
}
