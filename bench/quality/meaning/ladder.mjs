/** Asks questions under several rankings and tells each one's figures, and what it gains over another with its interval. */
import { builtFile } from '../../support/built.mjs';

const { foundAt } = await builtFile('retrieval/eval/metrics.js');
const { pairedBootstrap } = await builtFile('retrieval/eval/paired-bootstrap.js');

export const metrics = {
  'MRR@10': (places) => Math.max(0, ...places.filter((place) => place <= 10).map((place) => 1 / place)),
  'R@10': (places, wanted) => places.filter((place) => place <= 10).length / wanted,
  'R@50': (places, wanted) => places.filter((place) => place <= 50).length / wanted,
};

/** Of each question its figures; `answer` gives {places}, the best first. */
export async function figuresOf(pairs, answer) {
  const figures = [];
  for (const pair of pairs) {
    const { places, leftOut = [] } = await answer(pair);
    if (leftOut.length > 0) throw new Error(`left out: ${leftOut.join(', ')}`);
    const found = foundAt(places, pair.wanted);
    figures.push(
      Object.fromEntries(Object.entries(metrics).map(([name, of]) => [name, of(found, pair.wanted.length)])),
    );
  }
  return figures;
}

export function mean(figures, metric) {
  return figures.reduce((sum, one) => sum + one[metric], 0) / Math.max(1, figures.length);
}

export function gain(before, after, metric) {
  return pairedBootstrap(after.map((one, at) => one[metric] - before[at][metric]));
}

export function said(value) {
  return value.toFixed(3).replace(/^(-?)0\./, '$1.');
}

export function saidGain({ mean: value, low, high }) {
  const signed = (number) => `${number < 0 ? '' : '+'}${said(number)}`;
  return `${signed(value)} [${signed(low)}, ${signed(high)}]`;
}

/** Rows of a table in Markdown. */
export function markdown(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
