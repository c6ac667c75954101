import type { Chunk } from '../../search/index.ts';

/** Longer ones say something, whatever it is. */
const BYTES_MAX = 200;

/**
 * Whether a chunk is only the guard of a header or only the name of something, without a body: such a line has the words of a question
 * and says nothing about it.
 */
export function isBodiless({ name, start, end }: Pick<Chunk, 'name' | 'start' | 'end'>, text: () => string) {
  if (end - start > BYTES_MAX) return false;
  const lines = text()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.every((line) => guard.test(line))) return true;
  const [only] = lines;
  if (lines.length > 1 || only === undefined || name === '') return false;
  const others = only.replace(name, ' ').replace(marks, ' ').trim();
  return only.includes(name) && others === '';
}

const guard = /^#\s*(?:ifndef\s+\w+|define\s+\w+|pragma\s+once|endif(?:\s*(?:\/\/|\/\*).*)?)$/;
/** What stands around a name that is only named: signs, and the words that say what it is. */
const marks =
  /[^\p{L}\p{N}_]+|\b(?:class|struct|enum|union|interface|namespace|module|package|trait|type|typedef|export|extern|declare|public|private|protected|static|abstract|final)\b/gu;
