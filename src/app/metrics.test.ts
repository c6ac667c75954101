import { expect, it } from 'vitest';
import type { Retrieval, RetrievalAnswer, StageRun } from '../retrieval/index.ts';
import { countingRetrieval } from './metrics.ts';

const nothing: RetrievalAnswer = {
  generation: 1,
  hits: [],
  considered: 0,
  coverage: {
    ...{ documents: 0, unread: 0, texts: 0, unchunked: 0, chunks: 0 },
    ...{ inTable: null, encoded: null, unindexed: [] },
  },
  stages: [],
  stopped: null,
  problems: [],
};

it('questions are counted, and apart from them those that went without the encoder', async () => {
  const states: StageRun['state'][] = ['ran', 'left-out', 'off', 'left-out'];
  const retrieval = countingRetrieval({
    ranking: {} as Retrieval['ranking'],
    retrieve: async () => {
      const run = { stage: 'encode-question', state: states.shift()!, ms: 1, count: 0, why: null } as const;
      return { ...nothing, stages: [run] };
    },
    close: async () => {},
  });
  while (states.length > 0)
    await retrieval.retrieve({} as Parameters<Retrieval['retrieve']>[0], new AbortController().signal);
  expect(retrieval.counters()).toEqual({ asked: 4, withoutEncoder: 2 });
});
