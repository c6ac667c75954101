import type { RankingSettings } from '../types.ts';
import { type CompareOptions, compared, type Replayed, replay } from './compare-rankings.ts';
import { stageLadder } from './stage-ladder.ts';
import type { Answerer, Compared, LabelledPair } from './types.ts';

export interface Evaluation {
  compared: Compared;
  /** What each stage of the second ranking adds to those before it; the first adds to nothing at all. */
  stages: readonly { stage: string; gain: Compared }[];
}

/** Two rankings over the same questions, and the second stage by stage. */
export async function evaluate(
  pairs: readonly LabelledPair[],
  rankings: { first: RankingSettings; second: RankingSettings },
  answer: Answerer<RankingSettings>,
  options: CompareOptions & { stages: boolean },
): Promise<Evaluation> {
  const asked: { ranking: string; replayed: Replayed }[] = [];
  const { onQuestion } = options;
  const ladder = options.stages ? stageLadder(rankings.second) : [];
  const runs = 2 + Math.max(0, ladder.length - 1);
  let run = 0;
  /** The same ranking is asked once: a ladder ends with the ranking itself. */
  const replayed = async (ranking: RankingSettings) => {
    const key = JSON.stringify(ranking);
    const known = asked.find((one) => one.ranking === key);
    if (known) return known.replayed;
    const before = run++ * pairs.length;
    const found = await replay(pairs, ranking, answer, {
      ...options,
      onQuestion: (done) => onQuestion?.(before + done, runs * pairs.length),
    });
    asked.push({ ranking: key, replayed: found });
    return found;
  };
  const first = await replayed(rankings.first);
  const second = await replayed(rankings.second);
  const stages: { stage: string; gain: Compared }[] = [];
  let before: Replayed = { metrics: pairs.map(() => null), leftOut: {} };
  for (const { stage, ranking } of ladder) {
    const after = await replayed(ranking);
    stages.push({ stage, gain: compared(before, after, options.seed) });
    before = after;
  }
  return { compared: compared(first, second, options.seed), stages };
}
