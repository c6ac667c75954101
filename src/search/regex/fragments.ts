import { rarity } from './byte-rarity.ts';
import type { LiteralQuery } from './literal-query.ts';

/** Tables for `findFragment` in kernels.as.ts: of each of three bytes the buckets by low and by high half, 16 bytes each. */
export interface FragmentTables {
  tables: Uint8Array;
}

const FRAGMENT_LENGTH = 3;
const BUCKETS = 8;
/** With more of them something is found nearly everywhere. */
const LITERALS_MAX = 64;
/** Below this a fragment is so common that looking for it does not help; the sum of its bytes' rarities, each from 0 to 255. */
const RARITY_MIN = 120;

/**
 * Tables for finding lines that hold one of the literals which the query demands; undefined if it demands none that is worth it.
 * A line that fulfils the query is found; others may be.
 */
export function fragmentTables(query: LiteralQuery): FragmentTables | undefined {
  const choice = bestChoice(query);
  if (!choice || choice.rarity < RARITY_MIN) return undefined;
  const tables = new Uint8Array(2 * FRAGMENT_LENGTH * 16);
  for (const [bucket, fragments] of bucketed(choice.fragments).entries()) {
    for (const fragment of fragments) {
      for (let i = 0; i < FRAGMENT_LENGTH; i++) {
        const byte = fragment.charCodeAt(i);
        tables[32 * i + (byte & 15)]! |= 1 << bucket;
        tables[32 * i + 16 + (byte >> 4)]! |= 1 << bucket;
      }
    }
  }
  return { tables };
}

/** Fragments of which a matching line holds one, and how rare the most common of them is. */
interface Choice {
  fragments: string[];
  rarity: number;
}

function bestChoice(query: LiteralQuery): Choice | undefined {
  switch (query.kind) {
    case 'everything':
    case 'nothing':
      return undefined;
    case 'literal':
      return rarestFragment(query.bytes);
    case 'all':
      return query.of
        .map(bestChoice)
        .reduce(
          (best, choice) => (choice && (!best || choice.rarity > best.rarity) ? choice : best),
          undefined,
        );
    case 'any':
      return commonChoice(query.of);
  }
}

function commonChoice(options: readonly LiteralQuery[]): Choice | undefined {
  const fragments = new Set<string>();
  let lowest = Number.POSITIVE_INFINITY;
  for (const option of options) {
    const choice = bestChoice(option);
    if (!choice) return undefined;
    for (const fragment of choice.fragments) fragments.add(fragment);
    lowest = Math.min(lowest, choice.rarity);
    if (fragments.size > LITERALS_MAX) return undefined;
  }
  return { fragments: [...fragments], rarity: lowest };
}

/** The rarest three bytes in a row. A line is found by them alone: the automaton decides. */
function rarestFragment(bytes: string): Choice | undefined {
  let best: Choice | undefined;
  for (let at = 0; at + FRAGMENT_LENGTH <= bytes.length; at++) {
    const fragment = bytes.slice(at, at + FRAGMENT_LENGTH);
    let sum = 0;
    for (let i = 0; i < FRAGMENT_LENGTH; i++) sum += rarity[fragment.charCodeAt(i)]!;
    if (!best || sum > best.rarity) best = { fragments: [fragment], rarity: sum };
  }
  return best;
}

/** Fragments that differ in case alone share a bucket, since half-bytes then tell them from others nearly as well. */
function bucketed(fragments: readonly string[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const fragment of [...fragments].sort()) {
    const key = fragment.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    groups.set(key, [...(groups.get(key) ?? []), fragment]);
  }
  const buckets: string[][] = Array.from({ length: BUCKETS }, () => []);
  const sorted = [...groups.keys()].sort();
  for (const [index, key] of sorted.entries()) {
    // Neighbours in order share their first bytes, so they blur a bucket least.
    buckets[Math.floor((index * BUCKETS) / sorted.length)]!.push(...groups.get(key)!);
  }
  return buckets;
}
