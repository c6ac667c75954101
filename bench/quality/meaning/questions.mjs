/**
 * `node bench/quality/meaning/questions.mjs CORPUS --work FOLDER [--raw FILE]`: how well the places that answer the questions of
 * questions.jsonl are found, which people wrote who had read them, over all repositories of the corpus at once. Vectors are the
 * table's: an encoder needs hours for so much. Built code: run `npm run build` first.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { indexFolder, openMeaningIndex } from './meaning-index.mjs';
import { benchOptions, report } from './open-set.mjs';
import { stageRankings } from './rankings.mjs';
import { openVectorCache } from './vector-cache.mjs';

const options = benchOptions('Usage: node bench/quality/meaning/questions.mjs CORPUS --work FOLDER');
const wanted = [
  'keywords',
  'table alone',
  'keywords + table',
  'expansion, table alone',
  'scorer, table alone',
  'files, table alone',
  'near-duplicates, table alone',
];
const pairs = readFileSync(new URL('questions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => ({ repositories: null, parameters: {}, ...JSON.parse(line) }));
const data = path.resolve(options.work, 'questions-data');
indexFolder(data, path.resolve(options.corpora[0]));
const cache = await openVectorCache(path.resolve(options.work, 'vectors'));
const index = await openMeaningIndex(data, { cache });
try {
  const { all } = await index.embed('all', () => false);
  const answer = index.answerer();
  const rankings = stageRankings(index.everyStage)
    .filter(({ name }) => wanted.includes(name))
    .map(({ name, beside, ...configuration }) => ({
      ...{ name, beside },
      answer: (pair) => answer(pair, configuration, { limit: 50 }),
    }));
  const whole = await report(pairs, rankings, options);
  const own = await report(
    pairs.map((pair) => ({ ...pair, repositories: [pair.wanted[0].repository] })),
    rankings,
    { only: options.only },
  );
  const said = `${pairs.length} questions, ${index.scope.length} repositories, ${all} chunks`;
  console.log(
    `${said}\n\nOver all repositories:\n\n${whole}\n\nNarrowed to the one that is meant:\n\n${own}`,
  );
} finally {
  await index.close();
  await cache.close();
}
