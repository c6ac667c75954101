import { createHash } from 'node:crypto';
import type { ChunkText } from '../types.ts';
import { splitIdentifiers } from '../words/split-identifiers.ts';

/** Counted up when the same chunk gives another text: vectors of the old preparation are made anew. */
export const ENCODER_PREPARATION = 'encoder-1';

/** What some models want before a text, to tell questions from what may answer them: `query: `, `passage: `. */
export interface TextPrefixes {
  /** Default none. */
  document?: string;
  /** Default none. */
  query?: string;
}

/** How texts are made ready for a model. */
export interface TextPreparation {
  /** Goes with each vector of a document. */
  name: string;
  document(chunk: ChunkText): string;
  query(text: string): string;
}

export function createTextPreparation({ document = '', query = '' }: TextPrefixes = {}): TextPreparation {
  // What stands before a question changes no vector that is kept.
  const mark = document === '' ? '' : `-${createHash('sha256').update(document).digest('hex').slice(0, 8)}`;
  return {
    name: `${ENCODER_PREPARATION}${mark}`,
    document: (chunk) => document + preparedChunk(chunk),
    query: (text) => query + preparedQuery(text),
  };
}

/** A chunk as an encoder reads it: where it lies and what it is called in words, then its text with identifiers split. */
export function preparedChunk({ path, name, body }: ChunkText): string {
  return `${wordsOfPath(path)} ${splitIdentifiers(name)}\n${splitIdentifiers(body)}`;
}

export function preparedQuery(text: string): string {
  return splitIdentifiers(text);
}

/** Without the extension of the file. */
export function wordsOfPath(path: string): string {
  return splitIdentifiers(path.replace(/\.\w+$/, '').replace(/[/.-]/g, ' '));
}
