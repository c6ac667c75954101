/**
 * A segment: an immutable file of texts cut into blocks, with the grams of each block. What a segment knows of a text is a number
 * (blobId) and its object id; which repository, path or branch it belongs to stands in manifests.
 */

import type { LiteralQuery } from '../regex/literal-query.ts';

/** Texts of one kind share one compression dictionary. */
export type DictionaryGroup = number;

export interface SegmentText {
  /** u32, given once to each unique blob of an index and never reused. 0 is no blob. */
  blobId: number;
  /** Lower-case hex of 40 or 64 digits. */
  oid: string;
  /** UTF-8 as it is stored: decoded, without BOM, masked. */
  text: Uint8Array;
  group: DictionaryGroup;
}

export interface SegmentSummary {
  file: string;
  blobs: number;
  blocks: number;
  textBytes: number;
  /** Of the file on disk, by section. */
  sectionBytes: Readonly<Record<string, number>>;
  fileBytes: number;
}

/** Work done by one query over segments: counted, never timed. */
export interface SegmentCounters {
  postingLists: number;
  postingBytes: number;
  blocksDecoded: number;
  blocksCached: number;
  contentReads: number;
  contentBytesRead: number;
}

/** Compression dictionaries, one for each group, of at most 65 535 bytes; an empty one is none. Can be sent to threads. */
export interface DictionarySet {
  /** Of the content; names the file. */
  hash: string;
  /** DICTIONARY_GROUPS times 65 536 bytes. */
  bytes: SharedArrayBuffer;
  lengths: readonly number[];
}

/**
 * What a block must contain for a pattern to match in it, so that only candidate blocks are read. Literals of `text` are bytes
 * (latin1) in any case; those of `shapes` are in the alphabet of shapes (gram-alphabet.ts).
 */
export interface GramNeed {
  text: LiteralQuery;
  shapes: LiteralQuery;
}
