import { type CodePointSet, contains, LINE_FEED, REPLACEMENT } from './code-point-set.ts';

/** What of a text literals speak of: its bytes, its bytes with ASCII capitals lowered, or its shapes. */
export interface LiteralAlphabet {
  /** How each member of a set is written, as latin1; undefined if that says too little, since there are so many ways. */
  writings(set: CodePointSet): ReadonlySet<string> | undefined;
  /** Writings that `writings` leaves out, since hardly any text has them: a match may hold one in place of its letter. */
  rareWritings?(set: CodePointSet): readonly { letter: string; writing: string }[];
  /** Sets of strings stay below this, or what they say is put into the query and they are cut short. */
  readonly stringsMax: number;
  /** Of more alternatives a query says nothing. */
  readonly alternativesMax: number;
}

/** A class with more members says nothing. */
const CLASS_MAX = 16;
/** Digits, capitals, small letters and the underscore are still told: an identifier. */
const SHAPES_MAX = 4;

export const plainBytes: LiteralAlphabet = {
  writings: (set) => encodings(set, false),
  stringsMax: 32,
  alternativesMax: Number.POSITIVE_INFINITY,
};
/**
 * In any case `k` is the Kelvin sign too and `s` the long s, which hardly any text holds: told beside the whole query, they do not
 * double its strings at each of these letters.
 */
const RARE_FOLDS = [
  { letter: 0x6b, fold: 0x212a },
  { letter: 0x73, fold: 0x17f },
];

export const foldedBytes: LiteralAlphabet = {
  writings: (set) => encodings(set, true),
  rareWritings: (set) =>
    rareFolds(set).map(({ letter, fold }) => ({ letter: latin1Of(letter), writing: latin1Of(fold) })),
  stringsMax: 32,
  alternativesMax: Number.POSITIVE_INFINITY,
};
/** Sets are small: their strings are common, and a query of many of them costs more than it rules out. */
export const shapes: LiteralAlphabet = { writings: shapesOf, stringsMax: 8, alternativesMax: 32 };

function encodings(set: CodePointSet, foldAscii: boolean): ReadonlySet<string> | undefined {
  // U+FFFD also stands for a bad byte, and a line break may be two bytes: neither is a literal.
  if (contains(set, REPLACEMENT) || contains(set, LINE_FEED)) return undefined;
  let size = 0;
  for (let i = 0; i < set.length; i += 2) size += set[i + 1]! - set[i]! + 1;
  if (size > CLASS_MAX) return undefined;
  const rare = foldAscii ? rareFolds(set) : [];
  const found = new Set<string>();
  for (let i = 0; i < set.length; i += 2) {
    for (let codePoint = set[i]!; codePoint <= set[i + 1]!; codePoint++) {
      if (rare.some(({ fold }) => fold === codePoint)) continue;
      const bytes = latin1Of(codePoint);
      // Bytes of longer encodings may look like Latin letters, so only ASCII is lowered.
      found.add(foldAscii ? bytes.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : bytes);
    }
  }
  return found;
}

function rareFolds(set: CodePointSet): typeof RARE_FOLDS {
  return RARE_FOLDS.filter(({ letter, fold }) => contains(set, letter) && contains(set, fold));
}

function latin1Of(codePoint: number): string {
  return Buffer.from(String.fromCodePoint(codePoint)).toString('latin1');
}

const LAST_OF_LENGTH = [0x7f, 0x7ff, 0xffff, 0x10ffff];

function shapesOf(set: CodePointSet): ReadonlySet<string> | undefined {
  if (contains(set, LINE_FEED)) return undefined;
  const found = new Set<string>();
  if (contains(set, REPLACEMENT)) found.add('\x80');
  for (let i = 0; i < set.length; i += 2) {
    const low = set[i]!;
    const high = set[i + 1]!;
    for (let codePoint = low; codePoint <= Math.min(high, 0x7f); codePoint++) {
      found.add(shapeOf(codePoint));
      if (found.size > SHAPES_MAX) return undefined;
    }
    for (let length = 2; length <= 4; length++) {
      const holdsLength = low <= LAST_OF_LENGTH[length - 1]! && high > LAST_OF_LENGTH[length - 2]!;
      if (holdsLength) found.add('\x80'.repeat(length));
    }
  }
  return found.size > SHAPES_MAX ? undefined : found;
}

/** Of an ASCII character. */
function shapeOf(codePoint: number): string {
  if (codePoint >= 0x30 && codePoint <= 0x39) return '0';
  if (codePoint >= 0x41 && codePoint <= 0x5a) return 'A';
  if (codePoint >= 0x61 && codePoint <= 0x7a) return 'a';
  return codePoint === 0x09 ? ' ' : String.fromCodePoint(codePoint);
}
