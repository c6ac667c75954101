import { describe, expect, it } from 'vitest';
import type { ListedTrace } from '../operations/index.ts';
import { type Compared, metricNames } from '../retrieval/index.ts';
import { comparedLines, stageLines } from './evaluation-lines.ts';
import { traceLines } from './trace-lines.ts';

const every = <T>(value: T) =>
  Object.fromEntries(metricNames.map((name) => [name, value])) as Record<(typeof metricNames)[number], T>;
const compared: Compared = {
  ...{ questions: 57, failed: 2, first: every(0.5), second: every(0.5816), leftOut: { encoder: 40 } },
  difference: every({ mean: 0.0816, low: -0.0004, high: 0.12 }),
};

describe('an evaluation is written for eyes', () => {
  it('two rankings side by side, with the interval of their difference', () => {
    expect(comparedLines(compared, ['keywords', 'configured']).split('\n')).toEqual([
      '57 questions, 2 could not be asked and count as nothing found. In brackets: the 95 % interval of the difference (paired bootstrap).',
      '           first  second               difference',
      ...metricNames.map((name) => `${name.padEnd(9)}  0.500   0.582  +0.082 [+0.000, +0.120]`),
      'first:  keywords',
      'second: configured',
      'Could not run, and so is not measured: encoder (40 questions).',
      '',
    ]);
  });
  it('stage by stage, what each adds', () => {
    const [said, head, row] = stageLines([{ stage: 'table', gain: compared }]).split('\n');
    expect(said).toBe('The second ranking, stage by stage:');
    expect(head).toMatch(/^stage +MRR +gain +recall@10 +gain +NDCG@10 +gain$/);
    expect(row).toMatch(/^\+ table {2}0\.582 {2}\+0\.082 \[\+0\.000, \+0\.120\] /);
    expect(stageLines([])).toBe('');
  });
});

it('a kept search is written with its places, those that were used marked', () => {
  const place = { commit: 'c', lines: { start: 1, end: 9 }, score: 0.5, features: {} };
  const trace: ListedTrace = {
    ...{ id: 1, atMs: 0, account: 'ada', conversation: 'x', question: 'where', parameters: {}, ranking: '' },
    narrowedTo: [1],
    repositories: { 1: 'forge/acme/a' },
    citations: [
      { ...place, repositoryId: 1, path: 'a.ts', usedBy: ['graph', 'read_file'] },
      { ...place, repositoryId: 2, path: 'b.ts', usedBy: [] },
    ],
  };
  expect(traceLines(trace)).toBe(
    [
      '1970-01-01T00:00:00.000Z  ada  "where"  in forge/acme/a',
      '  * 0.500  forge/acme/a:a.ts#L1-L9  graph, read_file',
      '    0.500  repository 2, which is gone:b.ts#L1-L9',
      '',
    ].join('\n'),
  );
});
