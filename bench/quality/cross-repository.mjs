/**
 * Questions across repositories whose answers were found by grep and checked by eye (cross-repository.json says how, and at which
 * commits): which files of one repository use what another defines, and where what is used in one is defined in another.
 * `node bench/quality/cross-repository.mjs DATA_FOLDER`, which `periscope index --once` filled with the repositories at those commits.
 * Built code: run `npm run build` first.
 */
import { readFileSync } from 'node:fs';
import { built } from '../support/built.mjs';
import { openEdgesIndex } from './edges-index.mjs';

const { createGraphSearch, graphWorkerFile } = await built('symbols');
const { questions } = JSON.parse(readFileSync(new URL('cross-repository.json', import.meta.url), 'utf8'));
const index = await openEdgesIndex(process.argv[2] ?? '.', { workerFile: graphWorkerFile });
const graph = createGraphSearch(index.search);
const signal = new AbortController().signal;
const pairs = new Map();
try {
  for (const question of questions) await judge(question);
} finally {
  await index.close();
}
console.log(
  '| pair | question | questions | wholly right | answers found | of | more as possible | wrong | wrong as possible |',
);
console.log('|---|---|---|---|---|---|---|---|---|');
const all = { questions: 0, right: 0, found: 0, total: 0, guessed: 0, wrong: 0, possible: 0 };
for (const [pair, counts] of pairs) {
  for (const key of Object.keys(all)) all[key] += counts[key];
  console.log(`| ${pair} | ${Object.values(counts).join(' | ')} |`);
}
console.log(`| all | | ${Object.values(all).join(' | ')} |`);

async function judge(question) {
  const answers = question.ask === 'files' ? await filesUsing(question) : await definitionsOf(question);
  const { user, definer, ask, name } = question;
  const key = `${user}, ${definer} | ${ask}`;
  const counts = pairs.get(key) ?? {
    questions: 0,
    right: 0,
    found: 0,
    total: 0,
    guessed: 0,
    wrong: 0,
    possible: 0,
  };
  pairs.set(key, counts);
  const said = new Set(answers.sure);
  const guessed = answers.possible.filter((one) => !said.has(one));
  const missing = question.answers.filter((one) => !said.has(one));
  const wrong = [...said].filter((one) => !question.answers.includes(one));
  const wrongGuesses = guessed.filter((one) => !question.answers.includes(one));
  counts.questions++;
  counts.total += question.answers.length;
  counts.found += question.answers.length - missing.length;
  counts.guessed += missing.filter((one) => guessed.includes(one)).length;
  counts.wrong += wrong.length;
  counts.possible += wrongGuesses.length;
  if (missing.length + wrong.length === 0) counts.right++;
  const place = ask === 'files' ? `${definer} ${question.path}` : `${user} ${question.path}:${question.line}`;
  for (const one of missing)
    console.log(
      `missing: ${ask} of ${name} (${place}): ${one}${guessed.includes(one) ? ', said as possible' : ''}`,
    );
  for (const one of wrong) console.log(`wrong: ${ask} of ${name} (${place}): ${one}`);
}

async function filesUsing({ user, definer, name, path }) {
  const { nodes, edges } = await ask({
    relation: 'references',
    start: {
      by: 'name',
      name,
      repositories: [index.idOf(definer)],
      path: { source: path, literal: true, ignoreCase: false },
    },
    filters: { repositories: [index.idOf(user)] },
  });
  const inUser = edges.filter(({ from }) => nodes[from].place?.repositoryId === index.idOf(user));
  return parted(inUser.map((edge) => [edge.path, edge.confidence]));
}

async function definitionsOf({ user, path, line, name, definer }) {
  const start = { by: 'place', repositoryId: index.idOf(user), path, line, name };
  const { nodes, targets } = await ask({ relation: 'definitions', start });
  return parted(
    targets.map((target) => {
      const { place } = nodes[target];
      const prefix = place.repositoryId === index.idOf(definer) ? '' : `${index.nameOf(place.repositoryId)} `;
      return [`${prefix}${place.path}:${place.line}`, 'likely'];
    }),
  );
}

function ask(question) {
  const options = { placesMax: 1000, exact: true, after: null, budgetMs: 60_000 };
  return graph.graph({ scope: index.scope, revisions: new Map(), ...options, ...question }, signal);
}

function parted(found) {
  const of = (isPossible) => [
    ...new Set(
      found.filter(([, confidence]) => (confidence === 'possible') === isPossible).map(([one]) => one),
    ),
  ];
  return { sure: of(false), possible: of(true) };
}
