import { expect, test } from 'vitest';
import { createLetterEmbedder } from '../testing/letter-embedder.ts';
import { createCandidateEncoder } from './candidate-encoder.ts';

const { signal } = new AbortController();
const candidate = (owner: number, part: number, body: string) => ({
  owner,
  part,
  text: { name: '', path: '', signature: '', body },
});

test('candidates are scored by the encoder, each text read once for all questions', async () => {
  const embedder = createLetterEmbedder('letters');
  const encoder = createCandidateEncoder({}, embedder.source);
  const candidates = [candidate(1, 0, 'zzz'), candidate(1, 1, 'open file'), candidate(2, 0, 'aaaa')];
  const first = await encoder.cosines('file open', candidates, signal);
  expect(first.map((cosine) => Number(cosine.toFixed(2)))).toEqual([0, 1, 0]);
  const second = await encoder.cosines('a', [candidates[2]!, candidate(3, 0, 'b')], signal);
  expect(second.map((cosine) => Number(cosine.toFixed(2)))).toEqual([1, 0]);
  expect(embedder.read).toEqual(['zzz', 'open file', 'aaaa', 'b']);
  expect(encoder.embedded()).toBe(4);
});

test('the same text twice among candidates is read once, and what is remembered is bounded', async () => {
  const embedder = createLetterEmbedder('letters');
  const encoder = createCandidateEncoder({ keptMax: 2 }, embedder.source);
  const [a, b, c] = [candidate(1, 0, 'a'), candidate(2, 0, 'b'), candidate(3, 0, 'c')];
  expect(await encoder.cosines('a', [a!, a!, b!, c!], signal)).toHaveLength(4);
  expect(embedder.read).toEqual(['a', 'b', 'c']);
  await encoder.cosines('a', [a!], signal);
  expect(embedder.read).toEqual(['a', 'b', 'c', 'a']);
});

test('a question that nobody waits for any more ends, and what was read for it is remembered', async () => {
  const embedder = createLetterEmbedder('letters');
  const ending = new AbortController();
  const many = Array.from({ length: 20 }, (_, owner) => candidate(owner, 0, `text ${owner}`));
  const slow = {
    ...embedder.source,
    open: async () => ({
      ...embedder,
      async embedDocuments(chunks: Parameters<typeof embedder.embedDocuments>[0], bounded: AbortSignal) {
        const vectors = await embedder.embedDocuments(chunks, bounded);
        ending.abort();
        return vectors;
      },
    }),
  };
  const interrupted = createCandidateEncoder({}, slow);
  await expect(interrupted.cosines('x', many, ending.signal)).rejects.toMatchObject({ kind: 'cancelled' });
  expect(interrupted.embedded()).toBe(8);
  await interrupted.cosines('x', many.slice(0, 8), signal);
  expect(interrupted.embedded()).toBe(8);
});
