import { cancelled } from '../../base/errors.ts';
import type { OpenSegment } from './open-segment.ts';
import { type PostingInput, PostingMerge } from './posting-merge.ts';
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
  /** What the new segment holds, in its order, each once; what of the inputs is not named here is dropped. */
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

/**
 * Makes one segment of texts of others, without reading what their grams are once more: blocks stay as they were cut, and the
 * postings of the inputs are merged. What was accepted once stays, whatever the limit of trigrams is now.
 */
export function mergeSegments(options: MergeOptions): SegmentSummary {
  const { inputs, builder, file, dictionaries } = options;
  builder.restart({ file, dictionaries });
  try {
    const merged = inputs.map((segment) => ({ segment, units: new Uint32Array(segment.blocks) }));
    for (const { input, blob } of options.order) {
      if (options.signal?.aborted) throw cancelled(options.signal.reason);
      addBlob(options, merged[input]!, blob);
    }
    return builder.finish((blocks) => new PostingMerge(merged, blocks));
  } catch (error) {
    builder.discard();
    throw error;
  }
}

function addBlob(
  { builder, reader, dictionaries }: MergeOptions,
  { segment, units }: PostingInput,
  blob: number,
): void {
  const { blobIds, blobFirstBlocks } = segment.tables;
  const from = blobFirstBlocks[blob]!;
  const to = blobFirstBlocks[blob + 1]!;
  const isSameSet = segment.head.dictionaries === (dictionaries?.hash ?? null);
  const first = builder.addBlocks(
    {
      blobId: blobIds[blob]!,
      oid: segment.oid(blob),
      group: segment.group(blob),
      textBytes: segment.blobBytes(blob),
    },
    isSameSet ? reader.storedBlocks(segment, blob) : reader.decodedBlocks(segment, blob),
  );
  for (let block = from; block < to; block++) units[block] = first + block - from;
}
