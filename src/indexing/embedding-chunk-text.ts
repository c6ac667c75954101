import type { Chunk } from '../search/index.ts';
import type { ChunkText } from '../vectors/index.ts';

/**
 * A chunk as it is embedded. The path is left out: a text may lie in several repositories, at several paths, and a vector that was
 * made with one of them would tell those who see another one of it. What stands around the symbol takes its place.
 */
export function chunkTextOf(chunk: Chunk, text: Buffer): ChunkText {
  const { name, parents, start, end, signatureStart, signatureEnd } = chunk;
  return {
    name,
    path: parents.replaceAll('.', '/'),
    signature: signatureStart < 0 ? '' : text.toString('utf8', signatureStart, signatureEnd),
    body: text.toString('utf8', start, end),
  };
}
