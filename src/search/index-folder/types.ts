/**
 * The folder of an index: immutable segment, manifest and dictionary files, and `CURRENT`, which names what belongs to the
 * index now. One writer publishes by renaming a new CURRENT over the old; readers open what it names and hold a lease, so that
 * files are deleted only when nobody reads them.
 */
import type { ManifestHead } from '../manifests/types.ts';

/**
 * The facts of a segment's texts: a `.facts` file by the segment's own blob numbers. They come after the text, so one and the same
 * segment has none in one generation and some in a later one.
 */
export interface FactsEntry {
  file: string;
  /** Of what extracted them. */
  version: string;
  fileBytes: number;
  /** Blobs that no document showed when they were extracted, so that nobody knew their language. */
  unnamed: number;
}

/** The chunks of a segment's texts: a `.chunks` file by the segment's own blob numbers. They come after the facts. */
export interface ChunksEntry {
  file: string;
  /** Of what cut them, and of the facts that they were cut by. */
  version: string;
  fileBytes: number;
  chunks: number;
  /** Blobs whose facts were not known when they were cut. */
  unnamed: number;
}

export interface SegmentEntry {
  file: string;
  blobs: number;
  textBytes: number;
  fileBytes: number;
  /** Highest blobId in it plus one, for sizing tables. */
  blobIdEnd: number;
  /** File of the dictionaries that its content is compressed with. */
  dictionaries: string | null;
  /** Texts of visited revisions, bounded by an LRU: not of any branch that is kept. */
  visited: boolean;
  /** Null while there are none, or none that can be used. */
  facts: FactsEntry | null;
  /** Null while there are none, or none that can be used. */
  chunks: ChunksEntry | null;
}

export interface RevisionEntry {
  repositoryId: number;
  /** Branch name; a tag or commit for visited revisions. */
  revision: string;
  kind: 'branch' | 'visited';
  isDefault: boolean;
  /** Manifest file. */
  file: string;
  head: ManifestHead;
  indexedMs: number;
  /** When this branch was last seen to stand at this commit. */
  checkedMs: number;
  /** How the repository's references looked on disk then: while they look the same, nothing has changed. Null: not known. */
  refsStamp: string | null;
}

/** What an uploaded SCIP index says of a commit: a `.scip` file, as long as a revision stands at that commit. */
export interface ScipEntry {
  repositoryId: number;
  commit: string;
  /** Of the manifest whose paths it knows: where other paths are opted out by now, it goes. */
  policyKey: string;
  file: string;
  fileBytes: number;
  documents: number;
  uses: number;
  uploadedMs: number;
}

/** What a generation consists of. */
export interface IndexState {
  formatVersion: number;
  /** Grows by one with each publication. */
  generation: number;
  /** The writer's fence: a publication with a smaller one than what stands is refused. */
  fence: number;
  /** The next blobId to give. */
  nextBlobId: number;
  segments: readonly SegmentEntry[];
  revisions: readonly RevisionEntry[];
  /** Absent is none. */
  scip?: readonly ScipEntry[];
  /** Compression dictionary set that new segments use. */
  dictionaries: string | null;
  /** Text in the index when that set was trained: when it has grown by much, another one fits better. */
  dictionariesTextBytes: number;
  /** Which blobs it was trained on, as indexing writes it down. */
  sampled: string | null;
  /** Dictionary files that hold something of texts which were opted out: what is compressed with them is written anew. */
  retired: readonly string[];
  /** Blobs that an opt-out has hidden and that still lie in a segment: it is written anew before anything else. */
  evicting: readonly number[];
  /** Generations before it hold what was opted out since: nobody reads on in them. Absent is 0. */
  readableFrom?: number;
  /** Manifest of blobs whose repositories are being indexed for the first time: what a killed writer need not do again. */
  unfinished: string | null;
  /** Of the options that decide what is in the index: another hash means to index anew. */
  optionsHash: string;
}
