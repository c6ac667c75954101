/**
 * A manifest: the documents of one repository at one commit, an immutable file. What depends on a path (class, language, opt-out)
 * stands here; what depends on content alone stands in segments.
 */

/** 0 source, 1 tests, 2 documents and data, 3 vendored and generated: the order in which answers are worth reading. */
export type DocumentClass = 0 | 1 | 2 | 3;

/** Why a file is not searchable. `pending`: it will be, its text is being indexed. */
export type SkipReason =
  | 'pending'
  | 'binary'
  | 'too-large'
  | 'too-many-trigrams'
  | 'lfs-pointer'
  | 'unreadable'
  | 'missing';

/** Why a file is not even in the manifest: its path is to be nowhere. */
export type PathReason = 'opted-out' | 'credential-in-name';

export interface ManifestRow {
  /** Shown form. */
  path: string;
  oid: string;
  /** 0 when skipped. */
  blobId: number;
  skipped: SkipReason | null;
  class: DocumentClass;
  /** Index into the language table (documents/languages), 0 is none. */
  language: number;
  executable: boolean;
  /** Credentials masked in its text. */
  maskedSpans: number;
  /** The language that the first line of its text tells, whatever its path says; 0 is none. */
  interpreter: number;
}

export interface ManifestHead {
  repositoryId: number;
  commit: string;
  /** The commit's tree. Missing in manifests that were written before it was kept. */
  tree?: string;
  committedMs: number;
  /** Branch or tag names that stood at this commit when it was indexed do not belong here: they stand in the index state. */
  documents: number;
  /** Hash of what was opted out by, so that a changed opt-out file is seen. */
  policyKey: string;
  /** Whose hand the repository's objects came from (mirrors' `objectsBy`): what its texts may be shared by. */
  objectsBy: string | null;
  skippedCounts: Readonly<Partial<Record<SkipReason | PathReason, number>>>;
  maskedSpans: number;
}
