/**
 * `node bench/quality/meaning/fit.mjs CORPUS... --work FOLDER --out FILE [--regularisation 0.02]`: fits the weights of the scorer to the
 * sets that are for tuning, functions and commits, and writes them with where they come from. Nothing of the reported sets plays a part.
 * Built code: run `npm run build` first.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { builtFile } from '../../support/built.mjs';
import { openSet } from './open-set.mjs';

const { fitWeights, isHeldOut } = await builtFile('retrieval/eval/fit-weights.js');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    work: { type: 'string' },
    out: { type: 'string' },
    sets: { type: 'string', default: new URL('sets.json', import.meta.url).pathname },
    regularisation: { type: 'string', default: '0.02' },
  },
});
if (positionals.length === 0 || !values.work || !values.out) {
  console.error('Usage: node bench/quality/meaning/fit.mjs CORPUS... --work FOLDER --out FILE');
  process.exit(2);
}
const stages = { expansion: false, scorer: true, files: false, nearDuplicates: false };
const CANDIDATES = 60;
const questions = [];
let start;
for (const [kind, shares] of [
  ['functions', { all: 1, tenth: 0.1 }],
  ['commits', { none: 0 }],
]) {
  const set = await openSet(kind, { ...values, set: 'tuning', corpora: positionals }, shares);
  const answer = set.index.answerer();
  start = set.index.everyStage.weights.weights;
  for (const vectors of Object.keys(shares)) {
    const ranking = { ...set.index.everyStage, ...stages, encoder: shares[vectors] > 0 };
    for (const pair of set.pairs) {
      const { places } = await answer(pair, { vectors, ranking }, { limit: CANDIDATES });
      questions.push({ pair, candidates: places });
    }
  }
  console.error(`${kind}: ${set.said}`);
  await set.close();
}
const regularisation = Number(values.regularisation);
const part = fitWeights(
  questions.filter(({ pair }) => !isHeldOut(pair.question)),
  { start, regularisation },
);
report('fitted to two thirds', part);
const whole = fitWeights(questions, { start, regularisation });
report('fitted to all', whole);
const provenance = `Fitted by bench/quality/meaning/fit.mjs to ${whole.questions} questions over repositories that are not among those reported (sets.json): first sentences of doc comments that ask for functions, with all and with a tenth of the chunks encoded, and subjects of commits that ask for files, with the table alone.`;
writeFileSync(values.out, `${JSON.stringify({ provenance, weights: whole.weights }, null, 2)}\n`);

/** Of the questions that were held out: the mean reciprocal place of the first wanted candidate, before and after. */
function report(what, { weights, questions: learnt, lossBefore, lossAfter }) {
  console.log(`${what}: ${learnt} questions, loss ${lossBefore.toFixed(4)} to ${lossAfter.toFixed(4)}`);
  console.log(JSON.stringify(weights));
}
