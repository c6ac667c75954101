import { foldedByte, frequentNumbers, QUAD_KEY, SHAPE_CLASS_BITS, shapeClasses } from './gram-alphabet.ts';

/** A gram that every block with the literal has. */
export interface LiteralGram {
  key: number;
  /** Of a quad: the key of its trigram, to be used where the quad's list is empty. Otherwise -1. */
  trigram: number;
  /** Where it lies in the literal, -1 where it crosses the edge of a word. */
  position: number;
}

/** What lies behind these bytes of a literal adds next to nothing. */
const LITERAL_BYTES_MAX = 96;

/** A quad where its trigram is frequent, else the trigram unless the quad before it covers it. Of literals of three bytes and more. */
export function textGrams(literal: string): LiteralGram[] {
  const bytes = bytesOf(literal, foldedByte);
  const grams = new Map<number, LiteralGram>();
  let covered = false;
  for (let i = 0; i + 2 < bytes.length; i++) {
    const trigram = (bytes[i]! << 16) | (bytes[i + 1]! << 8) | bytes[i + 2]!;
    const number = i + 3 < bytes.length ? frequentNumbers.get(trigram) : undefined;
    if (number !== undefined) {
      const key = QUAD_KEY + (number << 8) + bytes[i + 3]!;
      grams.set(key, { key, trigram, position: isWord(bytes, i, 4) ? i : -1 });
      covered = true;
    } else {
      if (!covered) grams.set(trigram, { key: trigram, trigram: -1, position: isWord(bytes, i, 3) ? i : -1 });
      covered = false;
    }
  }
  return [...grams.values()];
}

export function shapeGrams(literal: string): LiteralGram[] {
  const classes = bytesOf(literal, (byte) => shapeClasses[byte]!);
  const grams = new Map<number, LiteralGram>();
  for (let i = 0; i + 2 < classes.length; i++) {
    const key =
      (classes[i]! << (2 * SHAPE_CLASS_BITS)) | (classes[i + 1]! << SHAPE_CLASS_BITS) | classes[i + 2]!;
    grams.set(key, { key, trigram: -1, position: -1 });
  }
  return [...grams.values()];
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

function isWord(bytes: readonly number[], from: number, length: number): boolean {
  for (let i = from; i < from + length; i++) {
    const byte = bytes[i]!;
    const word = byte === 95 || (byte >= 48 && byte <= 57) || (byte >= 97 && byte <= 122);
    if (!word) return false;
  }
  return true;
}
