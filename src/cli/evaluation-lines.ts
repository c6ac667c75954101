import type { Compared, Difference, Evaluation, MetricName } from '../retrieval/index.ts';

/** Two rankings side by side: each metric of both, and the difference with its interval. */
export function comparedLines(
  { questions, failed, first, second, difference, leftOut }: Compared,
  [firstName, secondName]: readonly [string, string],
): string {
  const rows = (Object.keys(difference) as MetricName[]).map((name) => [
    name,
    first[name].toFixed(3),
    second[name].toFixed(3),
    differenceSaid(difference[name]),
  ]);
  const unanswered = failed === 0 ? '' : `, ${failed} could not be asked and count as nothing found`;
  return [
    `${questions} questions${unanswered}. In brackets: the 95 % interval of the difference (paired bootstrap).`,
    ...table([['', 'first', 'second', 'difference'], ...rows]),
    `first:  ${firstName}`,
    `second: ${secondName}`,
    ...leftOutSaid(leftOut),
    '',
  ].join('\n');
}

/** What each stage adds to those before it. */
export function stageLines(stages: Evaluation['stages']): string {
  if (stages.length === 0) return '';
  const rows = stages.map(({ stage, gain }) => [
    `+ ${stage}`,
    gain.second.MRR.toFixed(3),
    differenceSaid(gain.difference.MRR),
    gain.second['recall@10'].toFixed(3),
    differenceSaid(gain.difference['recall@10']),
    gain.second['NDCG@10'].toFixed(3),
    differenceSaid(gain.difference['NDCG@10']),
  ]);
  const head = ['stage', 'MRR', 'gain', 'recall@10', 'gain', 'NDCG@10', 'gain'];
  return ['The second ranking, stage by stage:', ...table([head, ...rows]), ''].join('\n');
}

function leftOutSaid(leftOut: Compared['leftOut']): string[] {
  const said = Object.entries(leftOut).map(([stage, count]) => `${stage} (${count} questions)`);
  return said.length === 0 ? [] : [`Could not run, and so is not measured: ${said.join(', ')}.`];
}

function differenceSaid({ mean, low, high }: Difference): string {
  return `${signed(mean)} [${signed(low)}, ${signed(high)}]`;
}

function signed(value: number): string {
  return `${value < -0.0005 ? '' : '+'}${Math.abs(value) < 0.0005 ? '0.000' : value.toFixed(3)}`;
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
}
