import type { ScorerWeights } from '../types.ts';
import { type Features, featureNames } from './features.ts';

/** The weighted sum of a chunk's features. */
export function linearScore(features: Features, { weights }: ScorerWeights): number {
  let sum = 0;
  for (const name of featureNames) sum += features[name] * weights[name];
  return sum;
}
