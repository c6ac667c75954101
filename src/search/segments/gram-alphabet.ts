import { createHash } from 'node:crypto';
import { frequentTrigramsBase64 } from './generated/frequent-trigrams.ts';

/**
 * What bytes count as in grams. Text: ASCII letters are lowered, every other byte is itself. Shapes: digits are `0`, capitals
 * `A`, small letters `a`, a tab is a space, and all bytes from 0x80 on are one.
 */
export function foldedByte(byte: number): number {
  return byte >= 65 && byte <= 90 ? byte + 32 : byte;
}

export function shapeByte(byte: number): number {
  if (byte >= 48 && byte <= 57) return 48;
  if (byte >= 65 && byte <= 90) return 65;
  if (byte >= 97 && byte <= 122) return 97;
  if (byte >= 0x80) return 0x80;
  return byte === 9 ? 32 : byte;
}

export const foldTable = Uint8Array.from({ length: 256 }, (_, byte) => foldedByte(byte));

/** Shapes are keyed by classes of seven bits, in the order of their bytes. */
export const shapeClasses = classesOfShapes();
export const SHAPE_CLASS_BITS = 7;

function classesOfShapes(): Uint8Array {
  const shown = [...new Set(Array.from({ length: 256 }, (_, byte) => shapeByte(byte)))].sort((a, b) => a - b);
  return Uint8Array.from({ length: 256 }, (_, byte) => shown.indexOf(shapeByte(byte)));
}

/** Folded trigrams that so many blocks have that a fourth byte is indexed as well; the position, from 1, is the number in quads. */
export const frequentTrigrams = decodedTrigrams(frequentTrigramsBase64);
/** Segments are read with the table they were built with: part of their format. */
export const frequentTrigramsId = createHash('sha256')
  .update(frequentTrigramsBase64)
  .digest()
  .readUInt32LE(0);

/** Keys of quads lie above those of trigrams. */
export const QUAD_KEY = 0x1000000;

/** Number of each frequent trigram. */
export const frequentNumbers: ReadonlyMap<number, number> = new Map(
  Array.from(frequentTrigrams, (trigram, i) => [trigram, i + 1]),
);

function decodedTrigrams(base64: string): Uint32Array {
  const bytes = Buffer.from(base64, 'base64');
  return Uint32Array.from({ length: bytes.length / 3 }, (_, i) => bytes.readUIntBE(3 * i, 3));
}
