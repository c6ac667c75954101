import { describe, expect, it } from 'vitest';
import { type Features, featureNames } from './features.ts';
import { linearScore } from './linear-scorer.ts';
import { defaultWeights, parseWeights } from './scorer-weights.ts';

const none = Object.fromEntries(featureNames.map((name) => [name, 0])) as Features;

describe('weights are a file that says where they come from', () => {
  it('those that come with the program weigh every feature', () => {
    expect(parseWeights(JSON.stringify(defaultWeights), 'shipped')).toEqual(defaultWeights);
    expect(Object.keys(defaultWeights.weights)).toEqual([...featureNames]);
  });

  const faults: [string, unknown][] = [
    ['no JSON', 'x'],
    ['no provenance', { weights: defaultWeights.weights }],
    ['a feature that there is not', { ...defaultWeights, weights: { ...defaultWeights.weights, luck: 1 } }],
    ['a weight missing', { ...defaultWeights, weights: { cosine: 1 } }],
    ['a weight in words', { ...defaultWeights, weights: { ...defaultWeights.weights, cosine: 'much' } }],
  ];
  for (const [title, written] of faults) {
    it(`${title} is refused`, () => {
      const text = typeof written === 'string' ? written : JSON.stringify(written);
      expect(() => parseWeights(text, 'w.json')).toThrow(/w\.json/);
    });
  }
});

describe('the score is the weighted sum', () => {
  it('of the features', () => {
    expect(linearScore(none, defaultWeights)).toBe(0);
    const weights = { ...defaultWeights, weights: { ...defaultWeights.weights, cosine: 0.5, test: -0.25 } };
    expect(linearScore({ ...none, cosine: 0.5, test: 1 }, weights)).toBe(0);
    expect(linearScore({ ...none, cosine: 1 }, weights)).toBe(0.5);
  });
});
