import type { GraphCoverage } from '../../symbols/index.ts';

/** What has no symbols yet: told wherever symbols are asked for, so that nothing is missing in silence. */
export function symbolGapNotes({ pending }: Pick<GraphCoverage, 'pending'>): string[] {
  if (pending === 0) return [];
  return [
    `Not read for symbols yet: ${pending === 1 ? '1 file' : `${pending} files`}. Ask again in a moment.`,
  ];
}
