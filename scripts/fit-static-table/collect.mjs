/**
 * Step 1 of fitting the static table: functions and sentences of public repositories, into one JSON file.
 *
 *   node scripts/fit-static-table/collect.mjs --out DATA.json FOLDER...
 *
 * Bare repositories lie below the folders as OWNER/NAME.git or OWNER+NAME/repo; which ones are read stands in repositories.json.
 * `--only NAME` (repeatable) reads others instead: that is how a set to test on is made. Needs `npm run build`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { built } from '../../bench/support/built.mjs';
import { filesAtHead, textBlobs } from '../../bench/support/corpus-repositories.mjs';
import { shuffled } from './shuffled.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    only: { type: 'string', multiple: true },
    functions: { type: 'string', default: '560' },
    sentences: { type: 'string', default: '280' },
    subjects: { type: 'string', default: '90' },
    files: { type: 'string', default: '500' },
  },
});
const { createExtractor } = await built('symbols');
const { languageOf, languageName, documentClass } = await built('search');
const listed = JSON.parse(readFileSync(new URL('./repositories.json', import.meta.url), 'utf8'));
const repositories = values.only ? values.only.map((name) => ({ name, languages: null })) : listed;
const extractor = await createExtractor();
const documents = [];
const sentences = [];
const pairs = [];
for (const { name, languages } of repositories) {
  const gitDir = gitDirOf(name);
  if (gitDir === null) {
    console.error(`${name} is not below the folders: left out`);
    continue;
  }
  const found = await functionsOf(gitDir, languages);
  const kept = shuffled(found, name).slice(0, Number(values.functions));
  const asked = shuffled(found, `${name}?`).filter(({ sentence }) => sentence !== null);
  const subjects = shuffled(subjectsOf(gitDir), name).slice(0, Number(values.subjects));
  const first = documents.length;
  for (const { sentence, ...document } of kept) documents.push({ repository: name, ...document });
  const known = new Map(kept.map((one, i) => [one, first + i]));
  for (const one of asked) {
    if (known.has(one)) pairs.push({ query: one.sentence, document: known.get(one) });
  }
  sentences.push(...asked.slice(0, Number(values.sentences)).map(({ sentence }) => sentence), ...subjects);
  console.log(`${name}: ${found.length} functions, ${asked.length} sentences, ${subjects.length} subjects`);
}
writeFileSync(values.out, JSON.stringify({ documents, sentences: [...new Set(sentences)], pairs }));
console.log(`${documents.length} functions, ${sentences.length} sentences, ${pairs.length} pairs`);
extractor.close();

function gitDirOf(name) {
  for (const folder of positionals) {
    for (const place of [`${name}.git`, `${name.replace('/', '+')}/repo`]) {
      if (existsSync(path.join(folder, place, 'HEAD'))) return path.join(folder, place);
    }
  }
  return null;
}

async function functionsOf(gitDir, languages) {
  const files = new Map();
  for (const file of shuffled(filesAtHead(gitDir), gitDir)) {
    if (files.size >= Number(values.files)) break;
    const number = languageOf(file.path);
    const language = number ? languageName(number) : undefined;
    if (!language || (languages && !languages.includes(language))) continue;
    if (extractor.versionOf(language) === null || isNoSource(file.path)) continue;
    files.set(file.objectId, { ...file, language });
  }
  const found = new Map();
  for await (const { objectId, content } of textBlobs(gitDir, [...files.keys()])) {
    const { path: place, language } = files.get(objectId);
    if (/Code generated|DO NOT EDIT|@generated/.test(content.toString('latin1', 0, 600))) continue;
    const text = new Uint8Array(content);
    const outcome = extractor.extract({ language, path: place, text });
    if (!('facts' in outcome)) continue;
    for (const symbol of outcome.facts.symbols) {
      if (!['function', 'method', 'constructor'].includes(symbol.kind)) continue;
      const one = functionOf(content, symbol, place, language);
      if (one !== null && !found.has(one.body)) found.set(one.body, one);
    }
  }
  return [...found.values()];
}

function isNoSource(place) {
  return (
    documentClass?.(place) > 0 ||
    /(^|\/)(tests?|testing|testdata|__tests__|specs?|vendor|node_modules|dist|examples?|benchmarks?|third[_-]party|generated|docs?)\/|[._-](test|spec)s?\.|\.min\.|\.d\.ts$|(^|\/)test_/i.test(
      place,
    )
  );
}

function functionOf(content, symbol, place, language) {
  const text = (from, to) => content.toString('utf8', from, to);
  const documented = symbol.docStart >= 0;
  // What documents a function is asked for in the tests of quality, so it stays out of what is found.
  const inside = documented && symbol.docStart >= symbol.start && symbol.docEnd <= symbol.end;
  const whole = inside
    ? text(symbol.start, symbol.docStart) + text(symbol.docEnd, symbol.end)
    : text(symbol.start, symbol.end);
  const body = whole
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n');
  if (body.length < 80 || body.split('\n').length < 3 || body.length > 20_000) return null;
  return {
    name: symbol.name,
    path: place,
    language,
    signature: text(symbol.signatureStart, symbol.signatureEnd),
    body,
    sentence: documented ? firstSentence(text(symbol.docStart, symbol.docEnd), symbol.name) : null,
  };
}

function firstSentence(comment, name) {
  const plain = comment
    .replace(/^\s*(?:\/\*\*?|"""|'''|[rR]"""|\/\/[/!]?|#+|=begin|\*+\/?)/gm, ' ')
    .replace(/(?:\*\/|"""|'''|-->)\s*$/gm, ' ')
    .replace(/\{@(?:link|code|linkplain|literal)\s+([^}]*)\}/g, '$1')
    .replace(/<[^>]{1,60}>/g, ' ')
    .replace(/:\w+:`~?\.?([^`]*)`/g, '$1')
    .replace(/[`*]/g, '')
    .trim();
  const [sentence] = plain.split(/\n\s*\n|\n\s*@|\n\s*#|(?<=[^.])\.(?:\s|$)/);
  const words = sentence
    .replace(new RegExp(`(?<![\\w])${name.replace(/[^\w]/g, '\\$&')}(?![\\w])(\\(\\))?`, 'g'), '')
    .replace(/\s+/g, ' ')
    .replace(/^[ ,:–-]+|[ ,:–-]+$/g, '');
  const count = words.match(/[A-Za-z]{2,}/g)?.length ?? 0;
  if (count < 5 || count > 35 || words.length > 300 || !/^[\x20-\x7e]*$/.test(words)) return null;
  if (/inherit|deprecated|todo|^see |^same as|copyright|licen[sc]e|nolint|eslint|https?:/i.test(words))
    return null;
  return words;
}

function subjectsOf(gitDir) {
  let log = '';
  try {
    log = execFileSync('git', [`--git-dir=${gitDir}`, 'log', '--no-merges', '-n', '3000', '--format=%s'], {
      maxBuffer: 1 << 28,
    }).toString();
  } catch {
    // A snapshot without history has no subjects.
  }
  return log
    .split('\n')
    .map((subject) => subject.replace(/\s*\(?#\d+\)?$/, '').replace(/^\[[^\]]*\]\s*/, ''))
    .filter((subject) => !/bump|release|merge|revert|version|changelog|https?:/i.test(subject))
    .filter((subject) => (subject.match(/[A-Za-z]{2,}/g)?.length ?? 0) >= 4);
}
