import { cancelled } from '../../base/errors.ts';
import { orWhenAborted } from '../../base/or-when-aborted.ts';
import { withDeadline } from '../../base/with-deadline.ts';
import type { LocalPairReader } from '../../vectors/index.ts';
import { crossEncoderSenseless, crossEncoderSlow } from '../errors.ts';
import type { CrossEncoder } from './cross-encoder.ts';

export interface LocalCrossEncoderOptions {
  /** For a question, with its wait for those before it. Default 1 s. */
  timeoutMs?: number;
  /** Longer texts are cut: the model reads some hundred pieces of words. Default 2000. */
  charactersMax?: number;
}

/** A model on this machine. As with an endpoint, whoever asks goes on without it when it is slow, broken or busy. */
export function createLocalCrossEncoder(
  { timeoutMs = 1000, charactersMax = 2000 }: LocalCrossEncoderOptions,
  reader: LocalPairReader,
): CrossEncoder {
  return {
    async scores(question, texts, signal) {
      if (texts.length === 0) return new Float64Array(0);
      if (signal.aborted) throw cancelled(signal.reason);
      const cut = texts.map((text) => text.slice(0, charactersMax));
      const scores = await withDeadline(signal, timeoutMs, (bounded, expired) => {
        const read = reader.scores(question.slice(0, charactersMax), cut, bounded);
        // A run that is under way is not waited for.
        return orWhenAborted(read, bounded, () =>
          expired() ? crossEncoderSlow(timeoutMs) : cancelled(signal.reason),
        );
      });
      if (!scores.every(Number.isFinite)) throw crossEncoderSenseless();
      return scores;
    },
    close: () => reader.close(),
  };
}
