import { inflateRawSync } from 'node:zlib';
import { trigramLevelsBase64 } from './generated/trigram-levels.ts';

/** Trigrams that are not in the table are rarer than all that are. */
const RARE_LEVEL = 12;

const levels = decodedLevels(inflateRawSync(Buffer.from(trigramLevelsBase64, 'base64')));

/** How rare a folded trigram is in code at large: the negative binary logarithm of the share of blocks that have it. */
export function trigramLevel(trigram: number): number {
  return levels.get(trigram) ?? RARE_LEVEL;
}

/** For each level the number of its trigrams and then their distances in ascending order, as varints. */
function decodedLevels(bytes: Uint8Array): Map<number, number> {
  const found = new Map<number, number>();
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  for (let level = 0; at < bytes.length; level++) {
    const count = next();
    let trigram = 0;
    for (let i = 0; i < count; i++) {
      trigram += next();
      found.set(trigram, level);
    }
  }
  return found;
}
