import { expect, test } from 'vitest';
import type { KindCount } from '../store/store-types.ts';
import { createLetterEmbedder } from '../testing/letter-embedder.ts';
import type { VectorKind } from '../types.ts';
import { createQuestionEncoder } from './question-encoder.ts';

const { signal } = new AbortController();
const wanted = createLetterEmbedder('new');
const before = createLetterEmbedder('old');
const count = (kind: VectorKind, rows: number): KindCount => ({ kind, rows, deletedRows: 0, segments: 1 });

function encoderOver(kinds: () => readonly KindCount[], reachable = true) {
  return createQuestionEncoder(
    { renewMs: 0 },
    {
      wanted: wanted.source,
      earlier: ({ model }) => (reachable && model === 'old' ? before.source : null),
      kinds,
      clock: { now: () => 0 },
    },
  );
}

test('questions are encoded as most of the vectors are, and so change over when the new ones are there', async () => {
  let kinds = [count(before.kind, 10)];
  const encoder = encoderOver(() => kinds);
  const used = async () => {
    await encoder.embedQuery('open', signal);
    return encoder.kind.model;
  };
  expect(await used()).toBe('old');
  kinds = [count(wanted.kind, 9), count(before.kind, 10)];
  expect(await used()).toBe('old');
  kinds = [count(wanted.kind, 11), count(before.kind, 10)];
  expect(await used()).toBe('new');
  kinds = [count(wanted.kind, 11)];
  expect(await used()).toBe('new');
});

test('where the model of before is gone, the new one is used from its first vector on', async () => {
  const encoder = encoderOver(() => [count(before.kind, 10), count(wanted.kind, 1)], false);
  await encoder.embedQuery('open', signal);
  expect(encoder.kind.model).toBe('new');
});

test('while nothing is kept no model is opened', async () => {
  let opened = 0;
  const encoder = createQuestionEncoder(
    {},
    {
      wanted: {
        open: () => {
          opened += 1;
          return wanted.source.open(signal);
        },
        close: async () => {},
      },
      earlier: () => null,
      kinds: () => [],
      clock: { now: () => 0 },
    },
  );
  await expect(encoder.embedQuery('open', signal)).rejects.toMatchObject({ code: 'vectors/nothing-encoded' });
  expect(opened).toBe(0);
});
