import type { ChunkText } from '../types.ts';
import { splitIdentifiers } from '../words/split-identifiers.ts';

/** Counted up when the same chunk gives another text: vectors of the old preparation are made anew. */
export const ENCODER_PREPARATION = 'encoder-1';

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
