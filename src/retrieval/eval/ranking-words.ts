import { rankingUnknown } from '../errors.ts';
import { readWeights } from '../scorer/scorer-weights.ts';
import type { RankingSettings } from '../types.ts';
import { stageSwitches } from './stage-ladder.ts';

/**
 * A way of ranking in words of the command line, as a change of the configured one: `configured`, `keywords` (nothing else), or a list
 * such as `encoder=off,fusionK=60,weights=fitted.json`.
 */
export function rankingOf(words: string, configured: RankingSettings): RankingSettings {
  const ranking = { ...configured };
  for (const word of words.split(',').map((one) => one.trim())) {
    const [name = '', value] = word.split(/=(.*)/s);
    const stage = stageSwitches.find((one) => one === name);
    if (word === 'configured') Object.assign(ranking, configured);
    else if (word === 'keywords') for (const one of stageSwitches) ranking[one] = one === 'keywords';
    else if (stage && (value === 'on' || value === 'off')) ranking[stage] = value === 'on';
    else if (name === 'fusionK' && /^\d{1,4}$/.test(value ?? '') && Number(value) > 0)
      ranking.fusionK = Number(value);
    else if (name === 'weights' && value) ranking.weights = readWeights(value);
    else throw rankingUnknown(word, stageSwitches);
  }
  return ranking;
}
