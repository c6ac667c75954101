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
  return manifests.map((manifest) => {
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
      const hasFacts = segment >= 0 && !damaged.has(segment) && segments[segment]!.facts !== null;
      if (!hasFacts) {
        counted.pending++;
        continue;
      }
      const reason = skipped(segment, table[2 * blobId + 1]!);
      if (reason === null) counted.withFacts++;
      else if (reason === 'no-language') counted.withoutLanguage++;
      else counted.skipped[reason] = (counted.skipped[reason] ?? 0) + 1;
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
