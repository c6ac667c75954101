import { readFileSync } from 'node:fs';
import { weightsUnreadable } from '../errors.ts';
import type { ScorerWeights } from '../types.ts';
import shipped from './default-weights.json' with { type: 'json' };
import { type FeatureName, featureNames } from './features.ts';

/** Those that come with the program. */
export const defaultWeights: ScorerWeights = shipped;

/** Weights that `periscope eval fit` wrote. Fails with `retrieval/weights-unreadable` and says what is wrong with them. */
export function readWeights(file: string): ScorerWeights {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (fault) {
    throw weightsUnreadable(file, 'it cannot be read', fault);
  }
  return parseWeights(text, file);
}

/** `file` is where they come from, for the error. */
export function parseWeights(text: string, file: string): ScorerWeights {
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch (fault) {
    throw weightsUnreadable(file, 'it is no JSON', fault);
  }
  const { provenance, weights } = (written ?? {}) as { provenance?: unknown; weights?: unknown };
  if (typeof provenance !== 'string') throw weightsUnreadable(file, 'it does not say its provenance');
  const given = (typeof weights === 'object' && weights !== null ? weights : {}) as Record<string, unknown>;
  const unknown = Object.keys(given).find((name) => !featureNames.some((known) => known === name));
  if (unknown !== undefined) throw weightsUnreadable(file, `it weighs "${unknown}", which is no feature`);
  const read = featureNames.map((name): [FeatureName, number] => {
    const value = given[name];
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw weightsUnreadable(file, `its weight of "${name}" is no number`);
    return [name, value];
  });
  return { provenance, weights: Object.fromEntries(read) as Record<FeatureName, number> };
}
