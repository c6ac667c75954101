import { cancelled } from '../../base/errors.ts';
import type { OpenSegment } from './open-segment.ts';
import type { SegmentBuilder } from './segment-builder.ts';
import type { SegmentReader } from './segment-reader.ts';
import type { DictionarySet, SegmentSummary } from './types.ts';

export interface BlobReference {
  /** Position in `inputs`. */
  input: number;
  /** Number of the blob within that segment. */
  blob: number;
}

export interface MergeOptions {
  inputs: readonly OpenSegment[];
  /** What the new segment holds, in its order; what of the inputs is not named here is dropped. */
  order: Iterable<BlobReference>;
  /** Where the new segment goes. */
  file: string;
  dictionaries: DictionarySet | null;
  /** Must not be building. Serves again afterwards. */
  builder: SegmentBuilder;
  reader: SegmentReader;
  /** Ends the merge with `cancelled`, nothing left behind. */
  signal?: AbortSignal;
}

/** Makes one segment of texts of others. What was accepted once stays, whatever the limit of trigrams is now. */
export function mergeSegments(options: MergeOptions): SegmentSummary {
  const { builder, file, dictionaries } = options;
  builder.restart({ file, dictionaries, trigramsMax: Number.POSITIVE_INFINITY });
  try {
    for (const { input, blob } of options.order) {
      if (options.signal?.aborted) throw cancelled(options.signal.reason);
      addBlob(options, options.inputs[input]!, blob);
    }
    return builder.finish();
  } catch (error) {
    builder.discard();
    throw error;
  }
}

function addBlob({ builder, reader, dictionaries }: MergeOptions, from: OpenSegment, blob: number): void {
  const text = {
    blobId: from.tables.blobIds[blob]!,
    oid: from.oid(blob),
    text: reader.blobText(from, blob),
    group: from.group(blob),
  };
  const sameDictionaries = from.head.dictionaries === (dictionaries?.hash ?? null);
  if (sameDictionaries) builder.add(text, reader.storedBlocks(from, blob));
  else builder.add(text);
}
