/** A set of questions over repositories that a bench has written, with its index and vectors; all but the code is kept in a work folder. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeCommitSet } from './commit-set.mjs';
import { makeFunctionSet } from './function-set.mjs';
import { figuresOf, gain, markdown, mean, metrics, said, saidGain } from './ladder.mjs';
import { indexFolder, openMeaningIndex } from './meaning-index.mjs';
import { openVectorCache } from './vector-cache.mjs';

const makers = { functions: makeFunctionSet, commits: makeCommitSet };

export function benchOptions(usage) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      work: { type: 'string' },
      set: { type: 'string', default: 'reported' },
      raw: { type: 'string' },
      only: { type: 'string', multiple: true },
      sets: { type: 'string', default: new URL('sets.json', import.meta.url).pathname },
    },
  });
  if (positionals.length > 0 && values.work !== undefined) return { ...values, corpora: positionals };
  console.error(usage);
  process.exit(2);
}

/** `kind`: functions or commits. `shares`: by name, which share of the chunks has a vector of the encoder. */
export async function openSet(kind, { set, sets, work, corpora }, shares) {
  const folder = path.resolve(work, `${kind}-${set}`);
  const pairsFile = `${folder}-pairs.json`;
  const names = JSON.parse(readFileSync(sets))[kind][set];
  if (!existsSync(pairsFile)) {
    const pairs = await makers[kind](
      names.map((name) => ({ name, gitDir: gitDirOf(name, corpora) })),
      folder,
    );
    writeFileSync(pairsFile, JSON.stringify(pairs));
  }
  const pairs = JSON.parse(readFileSync(pairsFile, 'utf8'));
  indexFolder(`${folder}-data`, folder);
  const cache = await openVectorCache(path.resolve(work, 'vectors'), { log: console.error });
  const index = await openMeaningIndex(`${folder}-data`, { cache });
  await cache.questions(pairs.map(({ question }) => question));
  let chunks = 0;
  for (const [name, share] of Object.entries(shares))
    chunks = (await index.embed(name, (chunk, at) => drawnShare(chunk) < share || (share > 0 && at === 0)))
      .all;
  return {
    ...{ folder, names, pairs, index },
    said: `${pairs.length} questions, ${names.length} repositories, ${chunks} chunks`,
    async close() {
      await index.close();
      await cache.close();
    },
  };
}

/** Figures of each ranking as a table in Markdown: [{name, answer(pair), beside}]. Of each question, too, where a file is named. */
export async function report(pairs, rankings, { only, raw }) {
  const known = new Map();
  const rows = [];
  for (const { name, answer, beside } of rankings) {
    if (only && !only.includes(name)) continue;
    const figures = await figuresOf(pairs, answer);
    known.set(name, figures);
    const before = known.get(beside);
    rows.push([
      name,
      ...Object.keys(metrics).map((metric) => said(mean(figures, metric))),
      ...['MRR@10', 'R@10'].map((metric) => (before ? saidGain(gain(before, figures, metric)) : '')),
      before ? beside : '',
    ]);
    console.error(rows.at(-1).join('  '));
  }
  if (raw) writeFileSync(raw, JSON.stringify(Object.fromEntries(known)));
  return markdown(['ranking', ...Object.keys(metrics), 'gain in MRR@10', 'gain in R@10', 'over'], rows);
}

/** Between 0 and 1, by where a chunk stands. */
function drawnShare({ repository, path: place, part }) {
  return createHash('sha1').update(`${repository}:${place}:${part}`).digest().readUInt32BE(0) / 2 ** 32;
}

function gitDirOf(name, corpora) {
  const found = corpora
    .map((folder) => path.join(folder, `${name}.git`))
    .find((gitDir) => existsSync(path.join(gitDir, 'HEAD')));
  if (found === undefined) throw new Error(`${name}.git is below none of the folders`);
  return found;
}
