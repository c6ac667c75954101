/**
 * Functions and the first sentences of the comments that document them: the comments are taken out of the texts, which become
 * repositories of their own, and each sentence, without the function's name, asks for its function.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { built } from '../../support/built.mjs';
import { filesAtHead, textBlobs } from '../../support/corpus-repositories.mjs';
import { drawn } from './drawn.mjs';
import { firstSentence } from './first-sentence.mjs';
import { writeRepository } from './write-repository.mjs';

/** Of each repository. */
const FUNCTIONS = 420;
const QUESTIONS = 64;
const FILES_LOOKED_AT = 700;
const FILE_BYTES_MAX = 100_000;
const functionKinds = new Set(['function', 'method', 'constructor']);

/** Writes the repositories below `folder` and gives the questions as labelled pairs. */
export async function makeFunctionSet(repositories, folder) {
  rmSync(folder, { recursive: true, force: true });
  const { createExtractor } = await built('symbols');
  const extractor = await createExtractor();
  const pairs = [];
  for (const { name, gitDir } of repositories) {
    const found = await filesOf(gitDir, extractor);
    const files = [];
    let functions = 0;
    for (const file of found) {
      if (functions >= FUNCTIONS) break;
      files.push(file);
      functions += file.functions.length;
    }
    writeRepository(path.join(folder, `${name}.git`), files);
    const asked = new Map();
    for (const file of files) {
      for (const { sentence, ...lines } of file.functions) {
        if (sentence === null) continue;
        asked.set(sentence, [...(asked.get(sentence) ?? []), { repository: name, path: file.path, lines }]);
      }
    }
    // A sentence that several functions have asks for none of them.
    const single = drawn(
      [...asked].filter(([, wanted]) => wanted.length === 1),
      name,
    ).slice(0, QUESTIONS);
    for (const [question, wanted] of single)
      pairs.push({ question, repositories: null, parameters: {}, wanted });
    console.error(`${name}: ${files.length} files, ${functions} functions, ${single.length} questions`);
  }
  extractor.close();
  return pairs;
}

/** Files with functions, without comments that document anything, in the order in which they are drawn. */
async function filesOf(gitDir, extractor) {
  const { languageOf, languageName } = await built('search');
  const chosen = new Map();
  for (const file of drawn(filesAtHead(gitDir), 'functions')) {
    if (chosen.size >= FILES_LOOKED_AT) break;
    const number = languageOf(file.path);
    const language = number ? languageName(number) : undefined;
    if (!language || extractor.versionOf(language) === null || isNoSource(file.path)) continue;
    chosen.set(file.objectId, { path: file.path, language });
  }
  const found = new Map();
  for await (const { objectId, content } of textBlobs(gitDir, [...chosen.keys()])) {
    if (content.length > FILE_BYTES_MAX) continue;
    if (/Code generated|DO NOT EDIT|@generated/.test(content.toString('latin1', 0, 600))) continue;
    const { path: place, language } = chosen.get(objectId);
    const file = withoutComments({ place, language, content: Buffer.from(content) }, extractor);
    if (file !== null && file.functions.length > 0) found.set(objectId, { path: place, ...file });
  }
  return [...chosen.keys()].flatMap((objectId) => found.get(objectId) ?? []);
}

function isNoSource(place) {
  return /(^|\/)(tests?|testing|testdata|testutils?|__tests__|specs?|vendor|node_modules|dist|examples?|benchmarks?|third[_-]party|generated|docs?)\/|[._-](test|spec)s?\.|Tests?\.java$|\.min\.|\.d\.ts$|(^|\/)test_/i.test(
    place,
  );
}

function withoutComments({ place, language, content }, extractor) {
  const before = symbolsOf({ place, language, content }, extractor);
  if (before === null) return null;
  const stripped = textWithoutComments(content, before);
  const after = symbolsOf({ place, language, content: stripped }, extractor);
  // What is told apart by its comment alone cannot be found again.
  if (after === null || after.length !== before.length) return null;
  if (after.some(({ name, kind }, at) => name !== before[at].name || kind !== before[at].kind)) return null;
  const functions = after.flatMap(({ name, kind, start, end, startLine, endLine }, at) => {
    if (!functionKinds.has(kind) || endLine - startLine < 2 || end - start < 80) return [];
    const { docStart, docEnd } = before[at];
    const sentence = docStart < 0 ? null : firstSentence(content.toString('utf8', docStart, docEnd), name);
    return [{ sentence, start: startLine, end: endLine }];
  });
  return { content: stripped, functions };
}

function symbolsOf({ place, language, content }, extractor) {
  const outcome = extractor.extract({ language, path: place, text: new Uint8Array(content) });
  return 'facts' in outcome ? outcome.facts.symbols : null;
}

/** Whole lines go; where a comment shares its line with code, it alone. */
function textWithoutComments(content, symbols) {
  const spans = symbols
    .filter(({ docStart }) => docStart >= 0)
    .map(({ docStart, docEnd }) => spanOf(content, docStart, docEnd))
    .sort(([a], [b]) => a - b);
  const parts = [];
  let at = 0;
  for (const [start, end] of spans) {
    if (start < at) continue;
    parts.push(content.subarray(at, start));
    at = end;
  }
  parts.push(content.subarray(at));
  return Buffer.concat(parts);
}

function spanOf(content, docStart, docEnd) {
  const lineStart = content.lastIndexOf(10, docStart - 1) + 1;
  const next = content[docEnd - 1] === 10 ? docEnd - 1 : content.indexOf(10, docEnd);
  const lineEnd = next < 0 ? content.length : next;
  const alone =
    content.toString('utf8', lineStart, docStart).trim() === '' &&
    content.toString('utf8', docEnd, Math.max(docEnd, lineEnd)).trim() === '';
  return alone ? [lineStart, Math.min(content.length, lineEnd + 1)] : [docStart, docEnd];
}
