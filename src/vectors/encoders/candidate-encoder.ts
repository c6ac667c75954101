import { LRUCache } from 'lru-cache';
import { quantize } from '../store/quantize.ts';
import type { VectorPlace } from '../store/store-types.ts';
import { kindName } from '../store/vector-kinds.ts';
import type { ChunkText, Embedder, QuantizedVector } from '../types.ts';
import type { EmbedderSource } from './embedder-source.ts';

export interface CandidateEncoderOptions {
  /** Vectors that are remembered. Default 50 000, some 20 MB of 384 numbers. */
  keptMax?: number;
}

/** A chunk that may answer a question, with its text for the case that it was never seen. */
export interface Candidate extends VectorPlace {
  text: ChunkText;
}

/**
 * Scores chunks whose vectors are not kept, because there are too many to embed in advance: the few that other rankings bring are
 * embedded when a question needs them, and remembered by text.
 */
export interface CandidateEncoder {
  /** The cosine of each with the question, in their order. Work done when `signal` fires is remembered. */
  cosines(question: string, candidates: readonly Candidate[], signal: AbortSignal): Promise<number[]>;
  /** Texts embedded so far. */
  embedded(): number;
}

/** Texts between two looks at whether the question still waits. */
const BATCH = 8;

export function createCandidateEncoder(
  { keptMax = 50_000 }: CandidateEncoderOptions,
  source: EmbedderSource,
): CandidateEncoder {
  const kept = new LRUCache<string, QuantizedVector>({ max: keptMax });
  let embedded = 0;

  return {
    async cosines(question, candidates, signal) {
      const embedder = await source.open(signal);
      const query = await embedder.embedQuery(question, signal);
      const vectors = await vectorsOf(candidates, embedder, signal);
      return vectors.map(({ values, scale }) => {
        let sum = 0;
        for (let i = 0; i < query.length; i++) sum += query[i]! * values[i]!;
        return sum * scale;
      });
    },
    embedded: () => embedded,
  };

  async function vectorsOf(
    candidates: readonly Candidate[],
    embedder: Embedder,
    signal: AbortSignal,
  ): Promise<QuantizedVector[]> {
    const keyOf = ({ owner, part }: VectorPlace) => `${owner} ${part} ${kindName(embedder.kind)}`;
    const found = new Map<string, QuantizedVector>();
    const unseen = new Map<string, ChunkText>();
    for (const candidate of candidates) {
      const key = keyOf(candidate);
      const vector = kept.get(key);
      if (vector === undefined) unseen.set(key, candidate.text);
      else found.set(key, vector);
    }
    const missing = [...unseen];
    for (let from = 0; from < missing.length; from += BATCH) {
      const batch = missing.slice(from, from + BATCH);
      const made = await embedder.embedDocuments(
        batch.map(([, text]) => text),
        signal,
        { isAwaited: true },
      );
      embedded += made.length;
      batch.forEach(([key], i) => {
        const vector = quantize(made[i]!);
        kept.set(key, vector);
        found.set(key, vector);
      });
    }
    return candidates.map((candidate) => found.get(keyOf(candidate))!);
  }
}
