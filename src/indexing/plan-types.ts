import type { Repository } from '../catalog/index.ts';
import type { Mirror } from '../mirrors/index.ts';
import type { DocumentClass, Manifest, RevisionEntry } from '../search/index.ts';
import type { BlobFacts } from './blob-table.ts';

/** A blob that has to be read: to be indexed, or (`known`) to prove that its repository holds what the index has already. */
export interface PlannedBlob {
  oid: string;
  sizeBytes: number;
  repositoryId: number;
  mirror: Mirror;
  /** Of the document that it was planned for; its place in a segment. */
  class: DocumentClass;
  path: string;
  /** Whether what git gives is compared with the id. */
  verify: boolean;
  origin: string;
  known: BlobFacts | null;
  /** Filled in when it was read; every row that shows the blob refers to this one object. */
  facts: BlobFacts;
  /** `indexed`: its facts are final, and its text, where it has one, is in a published segment. `failed`: it will not come. */
  state: 'planned' | 'read' | 'indexed' | 'failed';
}

export interface PlannedRow {
  path: string;
  oid: string;
  class: DocumentClass;
  /** By path; 0 where only the first line can tell. */
  language: number;
  executable: boolean;
  facts: BlobFacts;
}

export interface RevisionPlan {
  revision: string;
  kind: RevisionEntry['kind'];
  isDefault: boolean;
  commit: string;
  tree: string;
  committedMs: number;
  policyKey: string;
  objectsBy: string | null;
  documents: ListedDocuments | { twin: Manifest };
}

export interface ListedDocuments {
  optedOut: number;
  credentialNames: number;
  rows: readonly PlannedRow[];
}

export interface RepositoryPlan {
  repository: Repository;
  /** Where the default branch stands; null for a repository without a commit. */
  headCommit: string | null;
  /** Revisions of the index that stay as they are. */
  kept: readonly RevisionEntry[];
  derived: readonly RevisionPlan[];
  /** What has to be read before the derived revisions can be published. */
  blobs: readonly PlannedBlob[];
  /** Blobs of others in the same group that its rows show. */
  awaited: readonly PlannedBlob[];
  /** What its rows say of blobs that are in the index because other repositories have brought them. */
  shared: ReadonlySet<BlobFacts>;
  bytes: number;
}
