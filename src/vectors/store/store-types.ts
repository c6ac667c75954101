import type { QuantizedVector, VectorKind } from '../types.ts';

/** A vector and what it is of: `owner` is the caller's number of a text, `part` that of a chunk in it. */
export interface VectorRow {
  owner: number;
  part: number;
  vector: QuantizedVector;
}

/** Texts that may be found; rows of others are left out before any is scored. */
export type AllowedOwners =
  | { form: 'list' /** Ascending. */; owners: Uint32Array }
  /** Bit `owner & 7` of byte `owner >> 3`; what lies beyond is not allowed. */
  | { form: 'bitmap'; bits: Uint8Array };

export interface VectorQuery {
  kind: VectorKind;
  vector: Float32Array;
  /** So many hits at most. */
  limit: number;
  /** Null allows all. */
  allowed: AllowedOwners | null;
}

/** What a vector is of. */
export interface VectorPlace {
  owner: number;
  part: number;
}

export interface VectorHit extends VectorPlace {
  /** The cosine, with the row's values in int8. */
  score: number;
}

export interface VectorAnswer {
  /** Best first; of equal ones, the lower owner and part. */
  hits: readonly VectorHit[];
  /** Of the scores of all rows that were allowed (a part of them where rows are picked by sketches): what makes scores of two models comparable. */
  mean: number;
  deviation: number;
  rows: {
    /** Allowed ones of this kind. */
    allowed: number;
    /** Scored value by value. */
    scored: number;
    /** Compared by sketch alone. */
    sketched: number;
    /** Left out, since their record is damaged. */
    damaged: number;
  };
}

/** What one generation of a store holds of a kind. */
export interface KindCount {
  kind: VectorKind;
  rows: number;
  deletedRows: number;
  segments: number;
}

/**
 * Where vectors are kept and searched. The folder store of this module is one; another engine would be a second. All that is appended
 * is found by searches that begin afterwards; a store keeps vectors of several kinds and compares those of one.
 */
export interface VectorStore {
  /**
   * Kept when this returns; whoever is killed before loses these rows and no others. Rows of one owner may come in several batches, and
   * the same row again is found once: what an owner, part and kind stand for never changes.
   */
  append(kind: VectorKind, rows: readonly VectorRow[]): Promise<void>;
  /** Takes the vectors of all kinds away from texts. Returns how many rows that were. */
  deleteOwners(owners: Uint32Array): Promise<number>;
  /** Drops vectors of all other kinds. */
  keepKinds(kinds: readonly VectorKind[]): Promise<void>;
  search(query: VectorQuery, signal: AbortSignal): Promise<VectorAnswer>;
  /** Of these places, in their order: the cosine, or null where there is no such vector. */
  scoresOf(
    query: Pick<VectorQuery, 'kind' | 'vector'>,
    places: readonly VectorPlace[],
  ): Promise<(number | null)[]>;
  /** Texts that have vectors of a kind, ascending: what is not among them is still to be embedded. */
  ownersOf(kind: VectorKind): Promise<Uint32Array>;
  counts(): Promise<readonly KindCount[]>;
  /** Makes searches cheaper where many appends and deletes have made them dear. Returns whether there was anything to do. */
  tidy(signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}
