import type { AskedGround, FactsSkip } from '../../search/index.ts';
import { segmentsBySlot } from '../../search/index.ts';
import type { GraphCoverage } from './types.ts';

/** Counted documents of one revision. */
export interface RevisionCoverage {
  documents: number;
  withFacts: number;
  withoutLanguage: number;
  skipped: Partial<Record<Exclude<FactsSkip, 'no-language'>, number>>;
  pending: number;
}

/** By revision: how many of its documents have facts, and why the others have none. Documents without a text do not count. */
export function revisionsCoverage(
  { manifests, table, segments }: Pick<AskedGround, 'manifests' | 'table' | 'segments'>,
  damaged: ReadonlySet<number>,
  skipped: (segment: number, blob: number) => FactsSkip | null,
): RevisionCoverage[] {
  const segmentOfSlot = segmentsBySlot(segments);
  const statesOf = segments.map(({ facts }, segment) =>
    facts === null || damaged.has(segment) ? null : facts.tables.states,
  );
  /** By the state that is stored of a text: what it means, once it has been met. */
  const meanings: (FactsSkip | null | undefined)[] = [];
  return manifests.map((manifest) => {
    const byState = new Uint32Array(256);
    const counted: RevisionCoverage = {
      documents: 0,
      withFacts: 0,
      withoutLanguage: 0,
      skipped: {},
      pending: 0,
    };
    const { blobIds, rows } = manifest;
    for (let row = 0; row < rows; row++) {
      const blobId = blobIds[row]!;
      if (blobId === 0) {
        if (manifest.skipped(row) !== 'pending') continue;
        counted.documents++;
        counted.pending++;
        continue;
      }
      counted.documents++;
      const segment = segmentOfSlot[table[2 * blobId]!] ?? -1;
      const states = segment < 0 ? null : statesOf[segment]!;
      if (states === null) {
        counted.pending++;
        continue;
      }
      const blob = table[2 * blobId + 1]!;
      const state = states[blob]!;
      byState[state]! += 1;
      if (meanings[state] === undefined) meanings[state] = skipped(segment, blob);
    }
    for (const [state, count] of byState.entries()) {
      const reason = meanings[state];
      if (count === 0 || reason === undefined) continue;
      if (reason === null) counted.withFacts += count;
      else if (reason === 'no-language') counted.withoutLanguage += count;
      else counted.skipped[reason] = (counted.skipped[reason] ?? 0) + count;
    }
    return counted;
  });
}

export function summedCoverage(
  parts: readonly RevisionCoverage[],
): Omit<GraphCoverage, 'unindexed' | 'start'> {
  const skipped: Partial<Record<Exclude<FactsSkip, 'no-language'>, number>> = {};
  const sum = { documents: 0, withFacts: 0, withoutLanguage: 0, pending: 0 };
  for (const part of parts) {
    sum.documents += part.documents;
    sum.withFacts += part.withFacts;
    sum.withoutLanguage += part.withoutLanguage;
    sum.pending += part.pending;
    for (const [reason, count] of Object.entries(part.skipped) as [keyof typeof skipped, number][])
      skipped[reason] = (skipped[reason] ?? 0) + count;
  }
  return { ...sum, skipped };
}
