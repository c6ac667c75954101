import { DICTIONARY_ROOM, dictionarySet } from './dictionary-file.ts';
import { DICTIONARY_GROUPS } from './dictionary-groups.ts';
import type { DictionaryGroup, DictionarySet } from './types.ts';

export interface DictionarySample {
  group: DictionaryGroup;
  text: Uint8Array;
}

/** Of each group so many samples are looked at, evenly chosen, and of each its middle. */
export const SAMPLES_MAX = 1500;
export const SAMPLE_BYTES = 8192;
/** A dictionary is put together from pieces of this length, each the best of its share of the samples. */
const PIECE = 64;
/** Strings of this length are counted. */
const GRAM = 8;
const HASH_BITS = 20;
/** A string that fewer samples have is not worth its room. */
const SAMPLES_MIN = 3;

/** A dictionary for each group, of what its samples have in common (after zstd's COVER). Of a group without samples it is empty. */
export function trainDictionaries(samples: Iterable<DictionarySample>): DictionarySet {
  const groups: Buffer[][] = Array.from({ length: DICTIONARY_GROUPS }, () => []);
  for (const { group, text } of samples) {
    if (text.length >= PIECE) groups[group]!.push(middleOf(text));
  }
  return dictionarySet(groups.map(trained));
}

function middleOf(text: Uint8Array): Buffer {
  const length = Math.min(text.length, SAMPLE_BYTES);
  const from = (text.length - length) >> 1;
  return Buffer.from(text.buffer, text.byteOffset + from, length);
}

function trained(all: readonly Buffer[]): Buffer {
  const step = Math.max(1, all.length / SAMPLES_MAX);
  const samples = Array.from({ length: Math.floor(all.length / step) }, (_, i) => all[Math.floor(i * step)]!);
  const counts = countStrings(samples);
  const pieces = Math.floor((DICTIONARY_ROOM - 1) / PIECE);
  const share = Math.max(1, samples.length / pieces);
  const chosen: { score: number; bytes: Buffer }[] = [];
  for (let i = 0; i < pieces; i++) {
    const from = Math.floor(i * share);
    const best = bestPiece(samples.slice(from, Math.max(from + 1, Math.floor((i + 1) * share))), counts);
    if (best !== null) chosen.push(best);
  }
  // The best pieces come last, nearest to the text.
  chosen.sort((a, b) => a.score - b.score);
  return Buffer.concat(chosen.map(({ bytes }) => bytes));
}

/** In how many samples each string occurs, by its hash. */
function countStrings(samples: readonly Buffer[]): Uint16Array {
  const counts = new Uint16Array(1 << HASH_BITS);
  const lastSamples = new Uint16Array(1 << HASH_BITS);
  samples.forEach((sample, number) => {
    for (let i = 0; i + GRAM <= sample.length; i++) {
      const hash = hashAt(sample, i);
      if (lastSamples[hash] === number + 1) continue;
      lastSamples[hash] = number + 1;
      counts[hash]!++;
    }
  });
  return counts;
}

/** The piece whose strings occur in most samples. Its strings count no more afterwards. */
function bestPiece(samples: readonly Buffer[], counts: Uint16Array): { score: number; bytes: Buffer } | null {
  const strings = PIECE - GRAM + 1;
  const scores = new Uint16Array(strings);
  let best: { score: number; bytes: Buffer } | null = null;
  for (const sample of samples) {
    let sum = 0;
    scores.fill(0);
    for (let i = 0; i + GRAM <= sample.length; i++) {
      const count = counts[hashAt(sample, i)]!;
      const score = count < SAMPLES_MIN ? 0 : count;
      const place = i % strings;
      sum += score - scores[place]!;
      scores[place] = score;
      if (i < strings - 1 || sum <= (best?.score ?? 0)) continue;
      best = { score: sum, bytes: sample.subarray(i + GRAM - PIECE, i + GRAM) };
    }
  }
  if (best !== null) for (let i = 0; i < strings; i++) counts[hashAt(best.bytes, i)] = 0;
  return best;
}

function hashAt(bytes: Buffer, at: number): number {
  const low = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  const high = bytes[at + 4]! | (bytes[at + 5]! << 8) | (bytes[at + 6]! << 16) | (bytes[at + 7]! << 24);
  return (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) >>> (32 - HASH_BITS);
}
