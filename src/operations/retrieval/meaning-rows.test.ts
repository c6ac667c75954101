import { describe, expect, it } from 'vitest';
import type { FeatureName, RetrievalCoverage, RetrievedChunk } from '../../retrieval/index.ts';
import { type MeaningRowOptions, meaningRows } from './meaning-rows.ts';
import { coverageSaid, isAllOff, nextSaid, stageNotes } from './meaning-said.ts';

const place = {
  repositoryId: 1,
  revision: 'main',
  commit: 'c'.repeat(40),
  path: 'src/a.ts',
  startLine: 1,
  endLine: 40,
};
const hit: RetrievedChunk = {
  place,
  name: 'refresh',
  container: 'Session.refresh',
  kind: 'method',
  language: 'TypeScript',
  score: 1,
  features: { cosine: 0.5 } as Record<FeatureName, number>,
  because: [
    { by: 'keywords', rank: 1, terms: ['expired'] },
    { by: 'table', rank: 2, cosine: 0.4321 },
    { by: 'graph', relation: 'calls', of: 'login' },
  ],
  signatureLine: 13,
  slices: [
    { startLine: 80, endLine: 90 },
    { startLine: 41, endLine: 60 },
  ],
  also: [{ ...place, repositoryId: 2 }],
  alsoCount: 5,
  similar: [],
  similarCount: 0,
};
const line = (number: number) =>
  number <= 12
    ? ` * refresh, line ${number}`
    : number === 13
      ? 'refresh() {'
      : number === 35
        ? '  expired();'
        : '  x;';
const options: MeaningRowOptions = {
  nameOf: (id) => (id === 1 ? 'acme/app' : 'bob/app'),
  repositoryOf: () => null,
  permalink: () => null,
  positionOf: (index) => ({ skip: index + 1 }),
  slices: { line: (_, number) => line(number) },
  explains: false,
  linesMax: 60,
};

describe('a hit is shown by its most telling lines', () => {
  const [row] = meaningRows([hit], options);

  it('labelled with where it stands, what it is and why it was found', () => {
    expect(row!.heading).toBe('acme/app@main (commit cccccccccc)');
    expect(row!.text).toBe(
      [
        'src/a.ts:1-40  method Session.refresh  TypeScript',
        '  found by words: expired; meaning 0.43; calls login',
        '  also lines 41-60, 80-90',
        '  same file: bob/app@main, 4 more',
      ].join('\n'),
    );
  });

  it('the line that names it first, then those with the words of the question', () => {
    expect(row!.pieces!.map(({ from, to }) => [from, to])).toEqual([
      [11, 20],
      [31, 40],
      [1, 10],
      [21, 30],
    ]);
  });

  it('and by those alone where lines are few', () => {
    const [bounded] = meaningRows([hit], { ...options, linesMax: 10 });
    expect(bounded!.pieces!.map(({ from, to }) => [from, to])).toEqual([[11, 20]]);
    expect((bounded!.value as { lines: unknown[] }).lines.length).toBe(10);
  });
});

describe('an answer says what share can be found', () => {
  const coverage: RetrievalCoverage = {
    documents: 3,
    unread: 0,
    texts: 3,
    unchunked: 0,
    chunks: 1000,
    inTable: 1000,
    encoded: 999,
    unindexed: [7],
  };
  const answer = {
    generation: 1,
    hits: [],
    considered: 0,
    coverage,
    stages: [],
    stopped: null,
    problems: [],
  };

  const said = (counts: Partial<RetrievalCoverage>) =>
    coverageSaid({ ...answer, coverage: { ...coverage, ...counts } }, 2);
  const searched = 'searched 1 repository, 3 files, 1000 chunks';

  it('all is said only of all', () => {
    expect(said({})).toBe(`${searched}; every chunk has a vector of the table; 99% also one of the encoder`);
    expect(said({ encoded: 1000 })).toBe(
      `${searched}; every chunk has a vector of the table, and one of the encoder`,
    );
    expect(said({ encoded: 3 })).toBe(
      `${searched}; every chunk has a vector of the table; less than 1% also one of the encoder`,
    );
    expect(said({ inTable: 500, encoded: 100 })).toBe(
      `${searched}; 50% of the chunks have a vector of the table; 10% one of the encoder`,
    );
    expect(said({ encoded: null })).toBe(`${searched}; every chunk has a vector of the table`);
  });

  it('and nothing of none', () => {
    expect(said({ chunks: 0, inTable: 0, encoded: 0 })).toBe('searched 1 repository, 3 files, 0 chunks');
  });

  it('and that the encoder is off', () => {
    const stages = [{ stage: 'encoder', state: 'off', ms: 0, count: 0, why: null }] as const;
    expect(coverageSaid({ coverage: { ...coverage, encoded: null }, stages }, 2)).toBe(
      `${searched}; every chunk has a vector of the table; the encoder is off`,
    );
    expect(isAllOff(stages)).toBe(true);
    expect(isAllOff([...stages, { ...stages[0], stage: 'keywords', state: 'ran' }])).toBe(false);
  });

  it('what holds the encoder up is told instead of its outcome', () => {
    const run = { stage: 'encoder', state: 'left-out', ms: 0, count: 0 } as const;
    const stages = [{ ...run, why: 'no chunk has such a vector yet' }];
    expect(stageNotes(stages)[0]).toMatch(/no chunk has such a vector yet\.$/);
    expect(stageNotes(stages, () => 'The endpoint does not answer.')).toEqual([
      'Answered without ranking by meaning (encoder): The endpoint does not answer.',
    ]);
  });

  it('what hindered several stages is told once', () => {
    const left = { state: 'left-out', ms: 0, count: 0, why: 'It is away.' } as const;
    expect(
      stageNotes([
        { stage: 'encode-question', ...left },
        { stage: 'encoder', ...left },
        { stage: 'cross-encoder', ...left, why: 'it failed' },
      ]),
    ).toEqual([
      'Answered without the encoder: It is away.',
      'Answered without reranking by the cross-encoder: it failed.',
    ]);
  });
});

describe('the next step reads', () => {
  const later = { ...hit, place: { ...place, startLine: 100, endLine: 140 } };
  const read = (one: RetrievedChunk) =>
    /"offset": (\d+), "limit": (\d+)/.exec(nextSaid(one, 'acme/app'))?.slice(1);

  it('a slice from the first line of its symbol, where that is near', () => {
    expect(read({ ...later, signatureLine: 60 })).toEqual(['60', '81']);
    expect(read({ ...later, place: { ...later.place, startLine: 900, endLine: 940 } })).toEqual([
      '900',
      '41',
    ]);
  });

  it('and walks to callers only of what code can call', () => {
    const walks = (one: Partial<RetrievedChunk>) => / graph /.test(nextSaid({ ...hit, ...one }, 'acme/app'));
    expect(walks({})).toBe(true);
    for (const kind of ['heading', 'key', 'constant', 'property'] as const)
      expect(walks({ kind })).toBe(false);
    expect(walks({ features: { ...hit.features, test: 1 } })).toBe(false);
  });

  it('a whole symbol with the comment above it', () => {
    expect(read(hit)).toEqual(['1', '40']);
  });
});
