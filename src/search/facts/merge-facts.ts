import { cancelled } from '../../base/errors.ts';
import type { BlobReference } from '../segments/merge-segments.ts';
import { FactsBuilder } from './facts-builder.ts';
import { factsVersionsDiffer } from './facts-errors.ts';
import type { FactsReader } from './facts-reader.ts';
import type { OpenFacts } from './open-facts.ts';
import type { FactsSummary } from './types.ts';

export interface MergeFactsOptions {
  /** All of one version of facts. */
  inputs: readonly OpenFacts[];
  /** What the new file holds, in its order: the same as for the segments that are merged. */
  order: Iterable<BlobReference>;
  /** Where the new file goes. */
  file: string;
  reader: FactsReader;
  /** Ends the merge with `cancelled`, nothing left behind. */
  signal?: AbortSignal;
}

/** Makes one file of the facts of others: records are copied, names numbered anew, nothing is extracted again. */
export function mergeFacts({ inputs, order, file, reader, signal }: MergeFactsOptions): FactsSummary {
  const factsVersion = inputs[0]!.factsVersion;
  for (const other of inputs) {
    if (other.factsVersion !== factsVersion)
      throw factsVersionsDiffer(other.file, other.factsVersion, factsVersion);
  }
  const blobs = [...order];
  const strings = inputs.map((facts) => ({
    text: (id: number) => reader.text(facts, id),
    numbers: new Int32Array(facts.head.strings).fill(-1),
  }));
  const builder = new FactsBuilder({ file, factsVersion, blobs: blobs.length });
  try {
    for (const [i, { input, blob }] of blobs.entries()) {
      if (signal?.aborted) throw cancelled(signal.reason);
      const from = inputs[input]!;
      const language = reader.language(from, blob);
      const record = reader.storedRecord(from, blob);
      if (record !== null) builder.addRecord(i, language, { ...record, strings: strings[input]! });
      else builder.addSkipped(i, language, reader.skipped(from, blob)!);
    }
    return builder.finish();
  } catch (error) {
    builder.discard();
    throw error;
  }
}
