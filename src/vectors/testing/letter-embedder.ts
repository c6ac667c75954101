import { cancelled } from '../../base/errors.ts';
import { createEmbedderSource, type EmbedderSource } from '../encoders/embedder-source.ts';
import type { Embedder, VectorKind } from '../types.ts';

/** An encoder that needs no model: texts by their letters. Counts what it reads. */
export interface LetterEmbedder extends Embedder {
  readonly read: string[];
  readonly source: EmbedderSource;
}

export function createLetterEmbedder(model: string): LetterEmbedder {
  const kind: VectorKind = { model, dimensions: 26, preparation: 'letters' };
  const read: string[] = [];
  const vectorOf = (text: string) => {
    const vector = new Float32Array(kind.dimensions);
    for (const letter of text.toLowerCase().match(/[a-z]/g) ?? []) vector[letter.charCodeAt(0) - 97]! += 1;
    const length = Math.hypot(...vector) || 1;
    return vector.map((value) => value / length);
  };
  const embedder: Embedder = {
    kind,
    async embedDocuments(chunks, signal) {
      if (signal.aborted) throw cancelled(signal.reason);
      read.push(...chunks.map(({ body }) => body));
      return chunks.map(({ body }) => vectorOf(body));
    },
    embedQuery: async (text) => vectorOf(text),
    close: async () => {},
  };
  return { ...embedder, read, source: createEmbedderSource(async () => embedder) };
}
