import { rarity } from './byte-rarity.ts';
import type { LiteralQuery } from './literal-query.ts';
import type { ByteSet } from './window-sets.ts';

/** Tables for `findFragment` in kernels.as.ts: of each of three bytes the buckets by low and by high half, 16 bytes each. */
export interface FragmentTables {
  tables: Uint8Array;
  /** Bytes that are looked at, 1 to 3. */
  length: number;
}

const LENGTH_MAX = 3;
const BUCKETS = 8;
const ALL_BUCKETS = 0xff;
/** With more of them something is found nearly everywhere. */
const LITERALS_MAX = 64;
/** Rarity is in tenths of bits, as in byte-rarity.ts: at 80 one place in 256 looks like a fragment, and about every sixth line does. */
const RARITY_MIN = 80;

/**
 * Tables for finding lines that hold one of the literals which the query demands, or bytes out of the first few sets that every match
 * begins with, whichever is rarer; undefined if neither is rare enough. Every line that matches is found; others may be.
 */
export function fragmentTables(
  query: LiteralQuery,
  firstSets: readonly ByteSet[],
): FragmentTables | undefined {
  const literals = bestLiterals(query);
  const window = bestWindow(firstSets);
  const best = Math.max(literals?.rarity ?? 0, window?.rarity ?? 0);
  if (best < RARITY_MIN) return undefined;
  if (literals?.rarity === best) return tablesOfLiterals(literals.fragments);
  return window && tablesOfSets(window.sets);
}

/** Fragments of which a matching line holds one, and how rare the most common of them is. */
interface LiteralChoice {
  fragments: string[];
  rarity: number;
}

function bestLiterals(query: LiteralQuery): LiteralChoice | undefined {
  switch (query.kind) {
    case 'everything':
    case 'nothing':
      return undefined;
    case 'literal':
      return rarestFragment(query.bytes);
    case 'all':
      return query.of
        .map(bestLiterals)
        .reduce(
          (best, choice) => (choice && (!best || choice.rarity > best.rarity) ? choice : best),
          undefined,
        );
    case 'any':
      return commonChoice(query.of);
  }
}

function commonChoice(options: readonly LiteralQuery[]): LiteralChoice | undefined {
  const fragments = new Set<string>();
  let lowest = Number.POSITIVE_INFINITY;
  for (const option of options) {
    const choice = bestLiterals(option);
    if (!choice) return undefined;
    for (const fragment of choice.fragments) fragments.add(fragment);
    lowest = Math.min(lowest, choice.rarity);
    if (fragments.size > LITERALS_MAX) return undefined;
  }
  return { fragments: [...fragments], rarity: lowest };
}

/** The rarest three bytes in a row. A line is found by them alone: the automaton decides. */
function rarestFragment(bytes: string): LiteralChoice | undefined {
  let best: LiteralChoice | undefined;
  for (let at = 0; at + LENGTH_MAX <= bytes.length; at++) {
    const fragment = bytes.slice(at, at + LENGTH_MAX);
    let sum = 0;
    for (let i = 0; i < LENGTH_MAX; i++) sum += rarity[fragment.charCodeAt(i)]!;
    if (!best || sum > best.rarity) best = { fragments: [fragment], rarity: sum };
  }
  return best;
}

function tablesOfLiterals(fragments: readonly string[]): FragmentTables {
  const tables = new Uint8Array(2 * LENGTH_MAX * 16);
  for (const [bucket, members] of bucketed(fragments).entries()) {
    for (const fragment of members) {
      for (let i = 0; i < LENGTH_MAX; i++) allow(tables, i, fragment.charCodeAt(i), 1 << bucket);
    }
  }
  return { tables, length: LENGTH_MAX };
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

interface WindowChoice {
  sets: readonly ByteSet[];
  rarity: number;
}

function bestWindow(firstSets: readonly ByteSet[]): WindowChoice | undefined {
  let best: WindowChoice | undefined;
  for (let at = 0; at === 0 || at + LENGTH_MAX <= firstSets.length; at++) {
    const sets = firstSets.slice(at, at + LENGTH_MAX);
    const sum = sets.reduce((total, set) => total + rarityOf(set), 0);
    if (sets.length > 0 && (!best || sum > best.rarity)) best = { sets, rarity: sum };
  }
  return best;
}

function rarityOf(set: ByteSet): number {
  let share = 0;
  for (let byte = 0; byte < 256; byte++) if (set[byte]) share += 2 ** (-rarity[byte]! / 10);
  return -10 * Math.log2(Math.max(share, Number.EPSILON));
}

/**
 * The rarest set is told exactly, by a bucket for each group of high halves that go with the same low halves; the others in all
 * buckets by low and high half apart, which may allow too much.
 */
function tablesOfSets(sets: readonly ByteSet[]): FragmentTables {
  const tables = new Uint8Array(2 * LENGTH_MAX * 16);
  const rarest = sets.reduce((best, set) => (rarityOf(set) > rarityOf(best) ? set : best));
  const exact = sets.indexOf(rarest);
  for (let i = 0; i < LENGTH_MAX; i++) {
    const set = sets[i];
    for (let byte = 0; byte < 256; byte++) {
      if (i !== exact && (!set || set[byte])) allow(tables, i, byte, ALL_BUCKETS);
    }
  }
  for (const [bucket, bytes] of groupedByHighHalf(rarest).entries()) {
    for (const byte of bytes) allow(tables, exact, byte, 1 << Math.min(bucket, BUCKETS - 1));
  }
  return { tables, length: sets.length };
}

function groupedByHighHalf(set: ByteSet): number[][] {
  const groups = new Map<string, number[]>();
  for (let high = 0; high < 16; high++) {
    const bytes = Array.from({ length: 16 }, (_, low) => 16 * high + low).filter((byte) => set[byte]);
    if (bytes.length === 0) continue;
    const lows = bytes.map((byte) => byte & 15).join();
    groups.set(lows, [...(groups.get(lows) ?? []), ...bytes]);
  }
  return [...groups.values()];
}

function allow(tables: Uint8Array, place: number, byte: number, buckets: number): void {
  tables[32 * place + (byte & 15)]! |= buckets;
  tables[32 * place + 16 + (byte >> 4)]! |= buckets;
}
