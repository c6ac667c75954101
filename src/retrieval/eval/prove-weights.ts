import { PeriscopeError } from '../../base/errors.ts';
import type { FeatureName } from '../scorer/features.ts';
import type { RankingSettings, ScorerWeights } from '../types.ts';
import { type CompareOptions, compared, RANKED_MAX, replay } from './compare-rankings.ts';
import { type FitQuestion, type FittedWeights, fitWeights, isHeldOut } from './fit-weights.ts';
import type { Answerer, Compared, LabelledPair } from './types.ts';

/** With fewer questions an interval says more about the questions than about the weights. */
export const QUESTIONS_MIN = 20;

export type Proof =
  | { verdict: 'too-few'; fittedOn: number; heldOut: number }
  | {
      /** `gain`: on questions that the fit has not seen, the interval of the gain in MRR lies above zero. */
      verdict: 'gain' | 'no-gain';
      fitted: FittedWeights;
      weights: ScorerWeights;
      /** The weights in use against the fitted ones, over the questions that were held out. */
      heldOut: Compared;
    };

/** Fits weights to one part of the questions and asks the other part with both. Nothing is written: that is for who reads the proof. */
export async function proveWeights(
  pairs: readonly LabelledPair[],
  inUse: RankingSettings,
  answer: Answerer<RankingSettings>,
  options: CompareOptions & { regularisation?: number; at: Date },
): Promise<Proof> {
  const ranking = { ...inUse, scorer: true };
  const heldOut = pairs.filter(({ question }) => isHeldOut(question));
  const toFit = pairs.filter(({ question }) => !isHeldOut(question));
  if (heldOut.length < QUESTIONS_MIN || toFit.length < QUESTIONS_MIN)
    return { verdict: 'too-few', fittedOn: toFit.length, heldOut: heldOut.length };

  const runs = toFit.length + 2 * heldOut.length;
  const { onQuestion, signal, regularisation } = options;
  const questions: FitQuestion[] = [];
  for (const [at, pair] of toFit.entries()) {
    const candidates = await candidatesOf(pair, ranking, answer, signal);
    if (candidates) questions.push({ pair, candidates });
    onQuestion?.(at + 1, runs);
  }
  const fitted = fitWeights(questions, {
    start: ranking.weights.weights,
    ...(regularisation === undefined ? {} : { regularisation }),
  });
  const weights: ScorerWeights = {
    provenance: `Fitted by periscope eval fit on ${options.at.toISOString().slice(0, 10)} to ${fitted.questions} questions, from: ${ranking.weights.provenance.slice(0, 200)}`,
    weights: fitted.weights as Record<FeatureName, number>,
  };
  const asked = (from: number) => ({
    ...options,
    onQuestion: (done: number) => onQuestion?.(toFit.length + from + done, runs),
  });
  const before = await replay(heldOut, ranking, answer, asked(0));
  const after = await replay(heldOut, { ...ranking, weights }, answer, asked(heldOut.length));
  const proof = compared(before, after, options.seed);
  return { verdict: proof.difference.MRR.low > 0 ? 'gain' : 'no-gain', fitted, weights, heldOut: proof };
}

/** Null for a question that cannot be asked any more. */
async function candidatesOf(
  pair: LabelledPair,
  ranking: RankingSettings,
  answer: Answerer<RankingSettings>,
  signal: AbortSignal,
) {
  try {
    return (await answer(pair, ranking, { limit: RANKED_MAX, signal })).places;
  } catch (fault) {
    if (signal.aborted || !(fault instanceof PeriscopeError)) throw fault;
    return null;
  }
}
