import type { RankingSettings } from '../types.ts';

type Switch =
  | 'keywords'
  | 'table'
  | 'encoder'
  | 'expansion'
  | 'scorer'
  | 'files'
  | 'nearDuplicates'
  | 'crossEncoder';

/** In the order in which they come to a ranking. */
export const stageSwitches: readonly Switch[] = [
  'keywords',
  'table',
  'encoder',
  'expansion',
  'scorer',
  'files',
  'nearDuplicates',
  'crossEncoder',
];

export interface Rung {
  /** The stage that this rung adds to the one before. */
  stage: Switch;
  ranking: RankingSettings;
}

/** A ranking's stages, one after the other: what each is worth shows between two rungs. The last rung is the ranking itself. */
export function stageLadder(ranking: RankingSettings): Rung[] {
  const none: RankingSettings = { ...ranking };
  for (const stage of stageSwitches) none[stage] = false;
  const on = stageSwitches.filter((stage) => ranking[stage]);
  return on.map((stage, at) => {
    const rung = { ...none };
    for (const earlier of on.slice(0, at + 1)) rung[earlier] = true;
    return { stage, ranking: rung };
  });
}
