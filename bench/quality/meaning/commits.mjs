/**
 * `node bench/quality/meaning/commits.mjs CORPUS... --work FOLDER [--set reported|tuning] [--raw FILE]`: how well the files that a commit
 * changed are found by its subject, over all repositories of the set and over its own. A file stands where its best chunk does. Built
 * code: run `npm run build` first.
 */
import { fileKeywords } from './file-keywords.mjs';
import { benchOptions, openSet, report } from './open-set.mjs';
import { stageRankings } from './rankings.mjs';

const FILES = 'BM25 over files';
const CHUNKS = 50;
const wanted = [
  'keywords',
  'keywords + table',
  'fused, all encoded',
  '+ expansion',
  '+ scorer',
  '+ scorer + files',
  'scorer, table alone',
  'files, table alone',
  '+ scorer + near-duplicates',
];

const options = benchOptions(
  'Usage: node bench/quality/meaning/commits.mjs CORPUS... --work FOLDER [--set reported|tuning]',
);
const set = await openSet('commits', options, { all: 1 });
try {
  const { index, folder, names, pairs } = set;
  const answer = index.answerer();
  const plain = await fileKeywords(folder, names, { withPaths: false });
  const withPaths = await fileKeywords(folder, names, { withPaths: true });
  const rankings = [
    { name: FILES, answer: plain, beside: null },
    { name: `${FILES} and paths`, answer: withPaths, beside: FILES },
    ...stageRankings(index.everyStage)
      .filter(({ name }) => wanted.includes(name))
      .map(({ name, beside: _, ...configuration }) => ({
        ...{ name, beside: FILES },
        answer: async (pair) => {
          const { places, ...rest } = await answer(pair, configuration, { limit: CHUNKS });
          return { ...rest, places: bestOfFiles(places) };
        },
      })),
  ];
  const all = pairs.map((pair) => ({ ...pair, repositories: null }));
  const raw = (which) => ({ ...options, ...(options.raw ? { raw: `${options.raw}.${which}` } : {}) });
  const whole = await report(all, rankings, raw('whole'));
  const own = await report(pairs, rankings, raw('own'));
  console.log(`${set.said}\n\nOver all repositories:\n\n${whole}\n\nOver its own repository:\n\n${own}`);
} finally {
  await set.close();
}

function bestOfFiles(places) {
  const files = new Map();
  for (const place of places) {
    const key = `${place.repository}:${place.path}`;
    if (!files.has(key)) files.set(key, place);
  }
  return [...files.values()];
}
