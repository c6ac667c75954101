/**
 * `node bench/quality/meaning/functions.mjs CORPUS... --work FOLDER [--set reported|tuning] [--raw FILE]`: how well functions are found
 * by the first sentence of the comment that documents them. Bare repositories lie below the corpora as OWNER/NAME.git; which are read
 * stands in sets.json. Texts without those comments, their index and the vectors are kept in the work folder. Built code: run
 * `npm run build` first.
 */
import { benchOptions, openSet, report } from './open-set.mjs';
import { stageRankings } from './rankings.mjs';

const options = benchOptions(
  'Usage: node bench/quality/meaning/functions.mjs CORPUS... --work FOLDER [--set reported|tuning]',
);
const set = await openSet('functions', options, { all: 1, half: 0.5, tenth: 0.1 });
try {
  const answer = set.index.answerer();
  const rankings = stageRankings(set.index.everyStage).map(({ name, beside, ...configuration }) => ({
    ...{ name, beside },
    answer: (pair) => answer(pair, configuration, { limit: 50 }),
  }));
  const table = await report(set.pairs, rankings, options);
  console.log(`${set.said}\n\n${table}`);
} finally {
  await set.close();
}
