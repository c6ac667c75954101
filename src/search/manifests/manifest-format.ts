/**
 * Manifest file, little endian: magic 'PMAN' · u32 version · u32 length of the file · u32 CRC-32 of all that follows · u32 rows ·
 * u32 bytes of an object id · then offset and length (u32 each) of every section in the order below · sections, each at a multiple
 * of 8. Written once, never changed.
 *
 * Rows are sorted by class, then by the bytes of the path. Path grams (three bytes, A-Z folded) lead to groups of rows: neighbours
 * share their directories, so that a group has few more grams than one of its paths.
 *
 * Version 1: first. A reader accepts its own version alone: what is broken, older or newer is indexed anew.
 */
export const manifestMagic = 0x4e414d50;
export const manifestVersion = 1;

export const sections = [
  /** ManifestHead as JSON. */
  'head',
  /** u32 for each class: its first row; then the number of rows. */
  'classStarts',
  /** u32 a row. */
  'blobIds',
  /** u16 a row. */
  'languages',
  /** u8 a row: bit 0 executable, from bit 1 the number of the skip reason, 0 for none. */
  'flags',
  /** u32 a row, and the end of the last. */
  'pathStarts',
  /** Shown form, UTF-8. */
  'paths',
  /** Raw object ids, one a row. */
  'oids',
  /** Three u32: row, masked spans, language of the first line; only of rows that have some. */
  'textFacts',
  /** u32, ascending. */
  'gramKeys',
  /** u32 a gram, and the end of the last: offsets into gramGroups. */
  'gramStarts',
  /** Groups of rows, ascending, as varints of the differences. */
  'gramGroups',
  /** A bit for each gram at a hashed place: whether a manifest can have a path is told by a few of them. */
  'signature',
] as const;
export type SectionName = (typeof sections)[number];

export const headerBytes = 24;
export const sectionsStart = align(headerBytes + sections.length * 8);
export const rowsPerGroup = 16;

export const skipReasons = [
  'pending',
  'binary',
  'too-large',
  'too-many-trigrams',
  'lfs-pointer',
  'unreadable',
  'missing',
] as const;

export function align(offset: number): number {
  return (offset + 7) & ~7;
}

/** A-Z as a-z; every other byte as it is. */
export function foldByte(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}

/** Distinct grams of a literal whose letters are folded. */
export function gramsOf(folded: Uint8Array): number[] {
  const grams = new Set<number>();
  for (let at = 0; at + 3 <= folded.length; at++) {
    grams.add((folded[at]! << 16) | (folded[at + 1]! << 8) | folded[at + 2]!);
  }
  return [...grams];
}

/** The bit of a gram in a signature of `bits`, a power of two. */
export function signatureBit(gram: number, bits: number): number {
  return (Math.imul(gram, 0x9e3779b1) >>> 7) & (bits - 1);
}
