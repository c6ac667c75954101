import type { KeywordWeights } from './keyword-types.ts';

/** To begin with; `periscope eval fit` and the benches of quality say which are better. */
export const keywordWeights: KeywordWeights = {
  k1: 1.2,
  fields: {
    name: { weight: 3, b: 0.3 },
    outline: { weight: 0.7, b: 0.5 },
    doc: { weight: 1.5, b: 0.6 },
    body: { weight: 1, b: 0.75 },
  },
  path: { weight: 0.8, fileName: 2, b: 0.5 },
};
