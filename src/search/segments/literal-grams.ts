import { foldedByte, frequentNumbers, QUAD_KEY, SHAPE_CLASS_BITS, shapeClasses } from './gram-alphabet.ts';
import { trigramLevel } from './trigram-levels.ts';

/** What lies behind these bytes of a literal adds next to nothing. */
const LITERAL_BYTES_MAX = 96;
/** Lists that are read for one literal. */
const GRAMS_MAX = 12;
/** What lists together take away, as the sum of their levels; further ones take away next to nothing. */
const LEVELS_ENOUGH = 34;

/**
 * The grams to look for, of literals of three bytes and more: at each place a quad where the trigram is frequent, else the trigram
 * unless the quad before it covers it; of these the rarest, spread over the literal.
 */
export function textGrams(literal: string): number[] {
  const bytes = bytesOf(literal, foldedByte);
  const grams = new Map<number, PlacedGram>();
  let covered = false;
  for (let i = 0; i + 2 < bytes.length; i++) {
    const trigram = (bytes[i]! << 16) | (bytes[i + 1]! << 8) | bytes[i + 2]!;
    const number = i + 3 < bytes.length ? frequentNumbers.get(trigram) : undefined;
    const isQuad = number !== undefined;
    const key = isQuad ? QUAD_KEY + (number << 8) + bytes[i + 3]! : trigram;
    if ((isQuad || !covered) && !grams.has(key)) {
      grams.set(key, {
        key,
        at: i,
        level: isQuad ? quadLevel(trigram, bytes[i + 3]!) : trigramLevel(trigram),
      });
    }
    covered = isQuad;
  }
  return chosenGrams([...grams.values()]);
}

interface PlacedGram {
  key: number;
  at: number;
  level: number;
}

function chosenGrams(grams: PlacedGram[]): number[] {
  grams.sort((a, b) => b.level - a.level || a.at - b.at);
  const chosen: PlacedGram[] = [];
  // Of two grams that share all but a byte the second says little: they are taken where nothing else is left.
  const neighbours = grams.filter((gram) => {
    const isNear = chosen.some(({ at }) => Math.abs(at - gram.at) === 1);
    if (!isNear) chosen.push(gram);
    return isNear;
  });
  let levels = 0;
  return [...chosen, ...neighbours]
    .slice(0, GRAMS_MAX)
    .filter(({ level }) => {
      const isWanted = levels < LEVELS_ENOUGH;
      levels += level;
      return isWanted;
    })
    .map(({ key }) => key);
}

/** A quad is rarer than the rarer one of its trigrams. */
function quadLevel(trigram: number, last: number): number {
  return 1 + Math.max(trigramLevel(trigram), trigramLevel(((trigram & 0xffff) << 8) | last));
}

/** The grams to look for in shapes: all of them. */
export function shapeGrams(literal: string): number[] {
  const classes = bytesOf(literal, (byte) => shapeClasses[byte]!);
  const grams = new Set<number>();
  for (let i = 0; i + 2 < classes.length; i++) {
    grams.add(
      (classes[i]! << (2 * SHAPE_CLASS_BITS)) | (classes[i + 1]! << SHAPE_CLASS_BITS) | classes[i + 2]!,
    );
  }
  return [...grams];
}

/** Keys from `from` up to and without `to`: those of all trigrams that begin with a literal of two bytes. */
export interface KeyRange {
  from: number;
  to: number;
}

export function textPrefix(literal: string): KeyRange {
  const [first, second] = bytesOf(literal, foldedByte);
  const prefix = (first! << 8) | second!;
  return { from: prefix << 8, to: (prefix + 1) << 8 };
}

export function shapePrefix(literal: string): KeyRange {
  const [first, second] = bytesOf(literal, (byte) => shapeClasses[byte]!);
  const prefix = (first! << SHAPE_CLASS_BITS) | second!;
  return { from: prefix << SHAPE_CLASS_BITS, to: (prefix + 1) << SHAPE_CLASS_BITS };
}

function bytesOf(literal: string, classOf: (byte: number) => number): number[] {
  return Array.from(Buffer.from(literal.slice(0, LITERAL_BYTES_MAX), 'latin1'), classOf);
}
