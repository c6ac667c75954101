/** What an instruction of a program does. */
export const op = {
  fail: 0,
  match: 1,
  /** Takes one byte: the edges from `a` up to `b` say which and where to. */
  bytes: 2,
  /** Goes on at `a` and, less preferred, at `b`. */
  split: 3,
  /** Goes on at `b` if the assertion whose bit is `a` holds. */
  assert: 4,
} as const;

/** Bits of the assertions, as they stand in the direction of the run: in a reversed program the line's start is what ends it. */
export const holds = {
  lineStart: 1,
  lineEnd: 2,
  textStart: 4,
  textEnd: 8,
  wordEdge: 16,
  noWordEdge: 32,
} as const;

/** A non-deterministic automaton over bytes; instructions and edges lie in parallel arrays. */
export interface Program {
  readonly ops: Uint8Array;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly edgeLow: Uint8Array;
  readonly edgeHigh: Uint8Array;
  readonly edgeTo: Int32Array;
  /** Where a match that begins here begins. */
  readonly start: number;
  /** The same behind a lazy loop over any characters, for matches that begin here or later. */
  readonly search: number;
  /** Bits of all assertions in it. */
  readonly assertions: number;
  /** Bytes that no edge tells apart share a class, to keep tables small. */
  readonly classOf: Uint8Array;
  /** One byte of each class. */
  readonly byteOf: Uint8Array;
  /** Matches may hold line breaks; else nothing passes one. */
  readonly spansLines: boolean;
}
