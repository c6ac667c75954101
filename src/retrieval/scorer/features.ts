/**
 * What the scorer knows of a chunk and a question. All of it is between 0 and 1 or nearly so, and depends on what is visible alone.
 * Weights are kept by these names: a name that changes its meaning gets another name.
 */
export const featureNames = [
  /** Its place in the fused list: the fused score as a share of the best one. */
  'fused',
  /** Cosine with the encoder's vector; the table's where the encoder has not seen it. */
  'cosine',
  /** Cosine with the table's vector. */
  'tableCosine',
  /** 11 / (10 + place in the list of meaning); 0 when it is not in it. */
  'meaningPlace',
  /** 11 / (10 + place in the list of keywords); 0 when it is not in it. */
  'keywordPlace',
  /** Share of the question's words that stand anywhere in it, rare words counting more. */
  'termCoverage',
  /** The same of its name. */
  'nameCoverage',
  /** Share of the name's words that stand in the question. */
  'nameFocus',
  /** The same as termCoverage of its path. */
  'pathCoverage',
  /** Words of the name: 0 for up to two, 1 for ten and more. */
  'longName',
  /** Lines: 0 for up to five, 1 for eighty and more. */
  'longBody',
  /** 1 for a piece of a text without a name of its own. */
  'nameless',
  /** 1 for what holds others: classes, interfaces, modules. */
  'holder',
  /** 1 for data and prose: keys, headings, tables. */
  'data',
  /** 1 for tests and examples. */
  'test',
  /** 1 for documents and data files. */
  'document',
  /** 1 for what others or programs wrote. */
  'vendored',
  /** 11 / (10 + place) among what the graph leads to from the first hits. */
  'graphPlace',
] as const;
export type FeatureName = (typeof featureNames)[number];

export type Features = Readonly<Record<FeatureName, number>>;
