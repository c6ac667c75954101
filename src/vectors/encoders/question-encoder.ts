import type { Clock } from '../../base/clock.ts';
import { nothingEncoded } from '../errors.ts';
import type { KindCount } from '../store/store-types.ts';
import { isSameKind, kindName } from '../store/vector-kinds.ts';
import type { Embedder, VectorKind } from '../types.ts';
import type { EmbedderSource } from './embedder-source.ts';

export interface QuestionEncoderOptions {
  /** How long what is kept is taken for what there is. Default 2 s. */
  renewMs?: number;
}

export interface QuestionEncoderDeps {
  wanted: EmbedderSource;
  /** An embedder of an earlier configuration; null where there is none to be had any more. */
  earlier(kind: VectorKind): EmbedderSource | null;
  /** Vectors that are kept, of encoders alone. */
  kinds(): readonly KindCount[];
  clock: Clock;
}

/**
 * Encodes questions as most of the kept vectors were made: while a new model embeds everything anew, those of the old one go on being
 * found. `kind` is that of the last question. Where nothing is kept no model is loaded, and it fails with `vectors/nothing-encoded`.
 */
export interface QuestionEncoder extends Pick<Embedder, 'kind' | 'embedQuery'> {
  close(): Promise<void>;
}

export function createQuestionEncoder(
  { renewMs = 2000 }: QuestionEncoderOptions,
  { wanted, earlier, kinds, clock }: QuestionEncoderDeps,
): QuestionEncoder {
  const others = new Map<string, EmbedderSource | null>();
  let kind: VectorKind = { model: '', dimensions: 0, preparation: '' };
  let kept: readonly KindCount[] = [];
  let lookedMs = Number.NEGATIVE_INFINITY;

  return {
    get kind() {
      return kind;
    },
    async embedQuery(text, signal) {
      if (clock.now() - lookedMs >= renewMs) {
        kept = [...kinds()].sort((a, b) => b.rows - a.rows);
        lookedMs = clock.now();
      }
      if (kept.length === 0) throw nothingEncoded();
      const embedder = await embedderFor(signal);
      const vector = await embedder.embedQuery(text, signal);
      kind = embedder.kind;
      return vector;
    },
    async close() {
      await Promise.all([...others.values()].map((source) => source?.close()));
    },
  };

  async function embedderFor(signal: AbortSignal): Promise<Embedder> {
    const opened = await wanted.open(signal);
    for (const count of kept) {
      if (isSameKind(count.kind, opened.kind)) return opened;
      const other = await otherOf(count.kind)
        ?.open(signal)
        .catch(() => null);
      if (other && isSameKind(other.kind, count.kind)) return other;
    }
    throw nothingEncoded();
  }

  function otherOf(wantedKind: VectorKind): EmbedderSource | null {
    const name = kindName(wantedKind);
    const known = others.get(name);
    if (known !== undefined) return known;
    const source = earlier(wantedKind);
    others.set(name, source);
    return source;
  }
}
