import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PeriscopeError } from '../../base/errors.ts';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import { featureNames } from '../scorer/features.ts';
import { linearScore } from '../scorer/linear-scorer.ts';
import { defaultWeights } from '../scorer/scorer-weights.ts';
import type { StoredTrace } from '../traces/types.ts';
import type { RankingSettings } from '../types.ts';
import { evaluate } from './evaluate.ts';
import { exportedPair, parsePairs } from './labelled-pairs.ts';
import { proveWeights } from './prove-weights.ts';
import { rankingOf } from './ranking-words.ts';
import { stageLadder } from './stage-ladder.ts';
import type { Answerer, LabelledPair, RankedPlace } from './types.ts';

const configured: RankingSettings = {
  ...{ keywords: true, table: true, encoder: true, expansion: false, scorer: true, crossEncoder: false },
  ...{ files: true, nearDuplicates: true, fusionK: 10, weights: defaultWeights },
};
const { signal } = new AbortController();
const pair = (at: number, more: Partial<LabelledPair> = {}): LabelledPair => ({
  question: `question number ${at}`,
  repositories: null,
  parameters: {},
  wanted: [{ repository: 'acme/a', path: `wanted${at}.ts`, lines: null }],
  ...more,
});
const pairs = Array.from({ length: 120 }, (_, at) => pair(at));

/** Twenty places whose features tell the wanted one by `pathCoverage`, which the shipped weights hold for little. */
const made: Answerer<RankingSettings> = async ({ question }, ranking) => {
  const at = Number(/\d+/.exec(question)![0]);
  const random = new SeededRandom(at + 1);
  const wantedAt = random.below(20);
  const places = Array.from({ length: 20 }, (_, place): RankedPlace => {
    const features = Object.fromEntries(featureNames.map((name) => [name, random.next() * 0.3])) as Record<
      (typeof featureNames)[number],
      number
    >;
    if (place === wantedAt) features.pathCoverage += 0.4;
    const score = ranking.scorer ? linearScore(features, ranking.weights) : features.keywordPlace;
    const name = place === wantedAt ? `wanted${at}.ts` : `other${place}.ts`;
    return { repository: 'forge/acme/a', path: name, lines: { start: 1, end: 9 }, score, features };
  });
  places.sort((one, other) => other.score - one.score);
  return { places, leftOut: ranking.encoder ? ['encoder'] : [] };
};

describe('two rankings are compared over the same questions', () => {
  it('with their difference, and the second stage by stage', async () => {
    const first = rankingOf('keywords', configured);
    const second = rankingOf('encoder=off,files=off,nearDuplicates=off', configured);
    let steps = 0;
    const onQuestion = () => {
      steps++;
    };
    const found = await evaluate(pairs, { first, second }, made, { signal, stages: true, onQuestion });
    expect(found.compared).toMatchObject({ questions: 120, failed: 0, leftOut: {} });
    const { difference, first: before, second: after } = found.compared;
    expect(difference.MRR.mean).toBeCloseTo(after.MRR - before.MRR, 10);
    expect(difference.MRR.low).toBeLessThan(difference.MRR.mean);
    expect(found.stages.map(({ stage }) => stage)).toEqual(['keywords', 'table', 'scorer']);
    expect(found.stages[0]!.gain.second).toEqual(before);
    // The table changes nothing here.
    expect(found.stages[1]!.gain.difference.MRR).toEqual({ mean: 0, low: 0, high: 0 });
    expect(found.stages[2]!.gain.second).toEqual(after);
    // keywords, keywords+table, keywords+table+scorer: each asked once.
    expect(steps).toBe(3 * 120);
  });

  it('a question that cannot be asked counts as nothing found, and is counted', async () => {
    const failing: Answerer<RankingSettings> = (asked, ...rest) => {
      if (asked.question.endsWith('7'))
        throw new PeriscopeError('not-found-or-no-access', 'operations/x', 'gone', 'ask');
      return made(asked, ...rest);
    };
    const { compared } = await evaluate(pairs, { first: configured, second: configured }, failing, {
      signal,
      stages: false,
    });
    expect(compared).toMatchObject({ questions: 120, failed: 12, leftOut: { encoder: 108 } });
    expect(compared.difference.MRR).toEqual({ mean: 0, low: 0, high: 0 });
  });

  it('a fault of our own ends the run', async () => {
    const broken = async () => {
      throw new TypeError('ours');
    };
    const both = { first: configured, second: configured };
    await expect(evaluate(pairs, both, broken, { signal, stages: false })).rejects.toThrow('ours');
  });
});

describe('fitted weights are used only where they are proven', () => {
  const at = new Date('2030-01-02T00:00:00Z');

  it('a gain on questions that the fit has not seen', async () => {
    const proof = await proveWeights(pairs, configured, made, { signal, at });
    expect(proof.verdict).toBe('gain');
    if (proof.verdict === 'too-few') return;
    expect(proof.heldOut.difference.MRR.low).toBeGreaterThan(0);
    expect(proof.weights.weights.pathCoverage).toBeGreaterThan(defaultWeights.weights.pathCoverage);
    expect(proof.weights.provenance).toMatch(/^Fitted by periscope eval fit on 2030-01-02 to \d+ questions/);
    expect(proof.fitted.questions + proof.heldOut.questions).toBe(120);
    expect(await proveWeights(pairs, configured, made, { signal, at })).toEqual(proof);
  });

  it('no gain where features tell nothing of what is wanted', async () => {
    const lottery: Answerer<RankingSettings> = async (asked, ...rest) => {
      const { places, leftOut } = await made(asked, ...rest);
      const moved = places.map((place, index) => ({
        ...place,
        path: index === 9 ? place.path : `x${index}.ts`,
      }));
      return { places: moved, leftOut };
    };
    const proof = await proveWeights(pairs, configured, lottery, { signal, at });
    expect(proof.verdict).toBe('no-gain');
  });

  it('too few questions prove nothing', async () => {
    const proof = await proveWeights(pairs.slice(0, 30), configured, made, { signal, at });
    expect(proof).toMatchObject({ verdict: 'too-few' });
  });
});

describe('a way of ranking in words', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'periscope-eval-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('changes the configured one', () => {
    expect(rankingOf('configured', configured)).toEqual(configured);
    expect(rankingOf('keywords', configured)).toMatchObject({ keywords: true, table: false, scorer: false });
    expect(rankingOf('keywords, table=on,fusionK=60', configured)).toMatchObject({
      ...{ keywords: true, table: true, encoder: false, fusionK: 60 },
    });
    const file = path.join(folder, 'weights.json');
    writeFileSync(file, JSON.stringify({ ...defaultWeights, provenance: 'mine' }));
    expect(rankingOf(`weights=${file}`, configured).weights.provenance).toBe('mine');
  });
  for (const wrong of ['', 'luck=on', 'encoder', 'encoder=yes', 'fusionK=0', 'weights='])
    it(`refuses ${JSON.stringify(wrong)}`, () =>
      expect(() => rankingOf(wrong, configured)).toThrow('is no way of ranking'));

  it('is climbed stage by stage, in their order, up to itself', () => {
    const ladder = stageLadder(configured);
    expect(ladder.map(({ stage }) => stage)).toEqual([
      'keywords',
      'table',
      'encoder',
      'scorer',
      'files',
      'nearDuplicates',
    ]);
    expect(ladder.at(-1)!.ranking).toEqual(configured);
    expect(ladder[0]!.ranking).toEqual(rankingOf('keywords', configured));
  });
});

describe('labelled pairs', () => {
  const trace: StoredTrace = {
    ...{ id: 1, atMs: Date.UTC(2030, 0, 2), account: 'ada', conversation: 'x', ranking: 'keywords' },
    question: 'where are sessions refreshed',
    parameters: { lang: ['go'] },
    narrowedTo: [1],
    citations: [1, 2, 3].map((id) => ({
      ...{ repositoryId: id, commit: 'c', path: `p${id}.go`, lines: { start: 1, end: id }, score: 1 },
      features: { cosine: 0.5 },
      usedBy: id === 2 ? [] : ['read_file'],
    })),
  };
  const nameOf = (id: number) => (id === 3 ? null : `forge/acme/r${id}`);

  it('are made of a search of which something was used, and read back', () => {
    const exported = exportedPair(trace, nameOf)!;
    expect(exported).toMatchObject({
      used: [{ repository: 'forge/acme/r1', path: 'p1.go', lines: { start: 1, end: 1 } }],
      shown: [
        { path: 'p1.go', usedBy: ['read_file'] },
        { path: 'p2.go', usedBy: [], features: { cosine: 0.5 } },
      ],
      at: '2030-01-02T00:00:00.000Z',
    });
    expect(parsePairs(`${JSON.stringify(exported)}\n\n`, 'x')).toEqual([
      {
        ...{ question: trace.question, repositories: ['forge/acme/r1'], parameters: { lang: ['go'] } },
        wanted: exported.used,
      },
    ]);
  });

  it('are not made of what was not used, not kept whole, or narrowed to what is gone', () => {
    const unused = trace.citations.map((citation) => ({ ...citation, usedBy: [] }));
    expect(exportedPair({ ...trace, citations: unused }, nameOf)).toBeNull();
    expect(exportedPair({ ...trace, question: 'explain [code]' }, nameOf)).toBeNull();
    expect(exportedPair({ ...trace, question: 'what is *** for' }, nameOf)).toBeNull();
    expect(exportedPair({ ...trace, narrowedTo: [3] }, nameOf)).toBeNull();
  });

  const faults: [string, string][] = [
    ['{', 'it is no JSON'],
    ['{"question": "x"}', 'is no labelled pair: it has neither wanted nor used.'],
    ['{"question": "x", "wanted": []}', 'wanted'],
    ['{"question": "x", "wanted": [{"path": "a"}]}', 'wanted.0.repository'],
  ];
  for (const [written, what] of faults)
    it(`a line that is none is named: ${written}`, () =>
      expect(() => parsePairs(`\n${written}`, 'pairs.jsonl')).toThrow(
        new RegExp(`Line 2 of pairs\\.jsonl.*${what.replace('.', '\\.')}`),
      ));
});
