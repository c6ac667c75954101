/** Places in the memory of a segment's builder; a reader's are given with each call. */

/** What each byte counts as in a gram of text (ASCII letters lowered), and in a shape (a class of at most 7 bits). */
export const FOLD: usize = 1024;
export const SHAPE_CLASSES: usize = 1280;
/** Grams that this block has shown already, by hash: a gram may be forgotten, and then comes twice. */
export const SEEN_TRIGRAMS: usize = 65536;
export const SEEN_QUADS: usize = 131072;
export const SEEN_SHAPES: usize = 163840;
export const SEEN_END: usize = 180224;
/** A byte for each pair of first bytes of a trigram that has an id, and of a shape. */
export const PREFIXES: usize = 180224;
export const SHAPE_PREFIXES: usize = 245760;
/** Grams of one block, then their ids. A block is shorter than 65 536 bytes. */
export const TRIGRAM_LIST: usize = 262144;
export const QUAD_LIST: usize = TRIGRAM_LIST + 262144;
export const SHAPE_LIST: usize = QUAD_LIST + 262144;
/** Of the block: the last four positions of each hash of four bytes, from 1, the latest in the lowest bits. */
export const RECENT: usize = SHAPE_LIST + 262144;
export const COMPRESSED: usize = RECENT + 32768;
/**
 * Eight compression dictionaries, each of up to 65 535 bytes, and the last four positions of each hash of four and of eight bytes
 * in them, of which 65 535 is none.
 */
export const DICTIONARIES: usize = COMPRESSED + 131072;
export const DICTIONARY_FOURS: usize = DICTIONARIES + 8 * 65536;
export const DICTIONARY_EIGHTS: usize = DICTIONARY_FOURS + 8 * 131072;
/** The part of a text that is worked on. */
export const WINDOW: usize = DICTIONARY_EIGHTS + 8 * 131072;
export const WINDOW_SIZE: usize = 1 << 20;
/** Which trigrams are frequent, from 1. */
export const FREQUENT: usize = WINDOW + WINDOW_SIZE + 4096;
/** The id of each trigram, of each quad (number of the frequent trigram and a byte) and of each shape; 0 has none. */
export const TRIGRAMS: usize = FREQUENT + 16384;
export const QUADS: usize = TRIGRAMS + (1 << 26);
/** The number of each frequent trigram. */
export const FREQUENT_NUMBERS: usize = QUADS + (1 << 22);
export const SHAPES: usize = FREQUENT_NUMBERS + (1 << 25);
/** By id; more than there can be. */
export const LISTS: usize = SHAPES + (1 << 23);
export const LISTS_MAX: usize = 15600000;
/** What has to be put back when a text is refused. */
export const JOURNAL: usize = LISTS + LISTS_MAX * 16;
export const JOURNAL_SIZE: usize = 4500000 * 24;
/** Postings; grows. */
export const POOL: usize = JOURNAL + JOURNAL_SIZE;
