import { readFileSync } from 'node:fs';
import { modelFileBroken } from '../errors.ts';

/** The numbers of the pieces that a `tokenizer.json` of the WordPiece kind lists. */
export function readVocabulary(file: string): ReadonlyMap<string, number> {
  let model: { type?: unknown; vocab?: unknown } | undefined;
  try {
    ({ model } = JSON.parse(readFileSync(file, 'utf8')) as { model?: typeof model });
  } catch (cause) {
    throw modelFileBroken(file, 'it cannot be read as JSON', cause);
  }
  if (model?.type !== 'WordPiece' || typeof model.vocab !== 'object' || model.vocab === null) {
    throw modelFileBroken(file, 'it describes no tokenizer of the WordPiece kind');
  }
  return new Map(Object.entries(model.vocab as Record<string, number>));
}
