/** Plain BM25 over whole files: what search by meaning has to beat where files are wanted. */
import path from 'node:path';
import { built } from '../../support/built.mjs';
import { filesAtHead, textBlobs } from '../../support/corpus-repositories.mjs';

const K1 = 1.2;
const B = 0.75;

/** An answerer over the bare repositories below `folder`. `withPaths`: the words of a file's path count as words of its text. */
export async function fileKeywords(folder, names, { withPaths }) {
  const { termsOfText } = await built('search');
  const files = [];
  const postings = new Map();
  for (const name of names) {
    const gitDir = path.join(folder, `${name}.git`);
    const paths = new Map();
    for (const file of filesAtHead(gitDir))
      paths.set(file.objectId, [...(paths.get(file.objectId) ?? []), file.path]);
    for await (const { objectId, content } of textBlobs(gitDir, [...paths.keys()])) {
      const words = termsOfText(content.toString('utf8'));
      for (const file of paths.get(objectId)) {
        const all = withPaths ? [...words, ...termsOfText(file)] : words;
        const counts = new Map();
        for (const word of all) counts.set(word, (counts.get(word) ?? 0) + 1);
        for (const [word, count] of counts) {
          if (!postings.has(word)) postings.set(word, []);
          postings.get(word).push([files.length, count]);
        }
        files.push({ repository: name, path: file, words: all.length });
      }
    }
  }
  return async ({ question, repositories }) => {
    const isAsked = files.map(({ repository }) => repositories === null || repositories.includes(repository));
    const asked = files.filter((_, at) => isAsked[at]);
    const mean = asked.reduce((sum, { words }) => sum + words, 0) / Math.max(1, asked.length);
    const scores = new Map();
    for (const word of new Set(termsOfText(question))) {
      const found = (postings.get(word) ?? []).filter(([file]) => isAsked[file]);
      const idf = Math.log(1 + (asked.length - found.length + 0.5) / (found.length + 0.5));
      for (const [file, count] of found) {
        const norm = K1 * (1 - B + (B * files[file].words) / mean);
        scores.set(file, (scores.get(file) ?? 0) + (idf * count * (K1 + 1)) / (count + norm));
      }
    }
    const places = [...scores]
      .sort(([a, x], [b, y]) => y - x || a - b)
      .slice(0, 50)
      .map(([file]) => ({ ...files[file], lines: { start: 1, end: 1 } }));
    return { places };
  };
}
