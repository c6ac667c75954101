/**
 * Chunks: the pieces of a text that are ranked by words, embedded and shown. They are cut around symbols, cover the text in its order
 * and do not overlap. They depend on the text, on its facts and on the version of what cuts them, and on nothing else: not on a
 * repository, a path or an asker. Whoever shows a chunk takes its bytes from the segment's text.
 *
 * Offsets are bytes of the stored UTF-8 text, lines count from 1.
 */
import type { SymbolKind } from '../facts/types.ts';

export interface Chunk {
  /** Whole lines but where one line is longer than a chunk may be; with the comment that documents the symbol. */
  start: number;
  end: number;
  startLine: number;
  /** The line of its last byte. */
  endLine: number;
  /** Of the symbol that it is, or is a part of; of the first one where several small ones stand together; empty where there is none. */
  name: string;
  /** Of that symbol. Null: text around symbols, or of a language without them. */
  kind: SymbolKind | null;
  /** Names of the symbols around that one, outermost first, with dots between; empty at the top of a file. */
  parents: string;
  /** Number of that symbol among the facts of the text, -1 for none. */
  symbol: number;
  /** The line that says what the symbol is; both -1 for none. It lies before `start` in all parts but the first. */
  signatureStart: number;
  signatureEnd: number;
  /** The comment that documents it, where it lies within the chunk; both -1 for none. */
  docStart: number;
  docEnd: number;
  /** A large symbol is cut: its pieces count from 0. Symbols within it that are chunks themselves are not among them. */
  part: number;
}

/** Where words of a chunk stand: how much a word says depends on it. The path is no field of a chunk: it is the document's. */
export const chunkFields = ['name', 'outline', 'doc', 'body'] as const;
/** `outline`: the names around it and those defined within it. `body`: all of its text but the comment that documents it. */
export type ChunkField = (typeof chunkFields)[number];

/** Why a text has no chunks. `unnamed`: no document showed it when it was cut, so that its facts are not known yet. */
export const chunkSkips = ['unnamed', 'machine-made', 'empty'] as const;
export type ChunkSkip = (typeof chunkSkips)[number];

/** What a chunks file holds, counted when it was written. */
export interface ChunksSummary {
  file: string;
  chunksVersion: string;
  /** Of the segment. */
  blobs: number;
  blobsWithChunks: number;
  chunks: number;
  /** Blobs without chunks, by reason. */
  skips: Readonly<Partial<Record<ChunkSkip, number>>>;
  /** Blobs that have more chunks than are kept: the text behind the last one is found by exact search alone. */
  cutBlobs: number;
  /** Bytes of text in chunks. */
  textBytes: number;
  terms: number;
  postings: number;
  /** Of the file on disk, by section. */
  sectionBytes: Readonly<Record<string, number>>;
  fileBytes: number;
}

/** Work done over chunks: counted, never timed. */
export interface ChunksCounters {
  /** Blocks of dictionaries that were gone through. */
  dictionaryBlocks: number;
  /** Lists of postings that were read. */
  lists: number;
  /** Records decoded. */
  records: number;
  fileReads: number;
  fileBytesRead: number;
}
