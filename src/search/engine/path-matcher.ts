import type { Manifest } from '../manifests/manifest.ts';
import type { TextPattern } from '../queries/types.ts';
import type { ByteRange } from '../regex/line-matcher.ts';
import type { LiteralQuery } from '../regex/literal-query.ts';
import type { Regex } from '../regex/regex.ts';
import { requiredLiterals } from '../regex/required-literals.ts';
import type { Syntax } from '../regex/syntax-tree.ts';
import { foldedLatin1, plainLiteral, rangesOfLiteral } from './plain-literal.ts';

/** Whether paths have a pattern. */
export class PathMatcher {
  /** Every matching path holds one of these when A-Z count as a-z; null when nothing is known. */
  readonly literals: readonly Uint8Array[] | null;
  /** Null for plain text. */
  readonly #regex: Regex | null;
  readonly #suffix: readonly SuffixByte[];
  readonly #plain: Buffer | null;

  constructor(pattern: TextPattern, regexOf: (pattern: TextPattern) => Regex) {
    this.#plain = plainLiteral(pattern);
    this.#regex = this.#plain ? null : regexOf(pattern);
    this.#suffix = this.#regex ? suffixOf(this.#regex.syntax) : [];
    const literals = this.#regex
      ? bestLiterals(requiredLiterals(this.#regex, { foldAscii: true }))
      : [foldedLatin1(this.#plain!)];
    const areGrams = literals?.every(({ length }) => length >= GRAM_BYTES) ?? false;
    this.literals = areGrams ? literals!.map((bytes) => Buffer.from(bytes, 'latin1')) : null;
  }

  test({ pathBytes, pathStarts }: Manifest, row: number): boolean {
    const from = pathStarts[row]!;
    const to = pathStarts[row + 1]!;
    if (this.#plain) return holdsAt(pathBytes, from, to, this.#plain);
    const suffix = this.#suffix;
    if (to - from < suffix.length) return false;
    // Most paths differ in their last bytes from what is wanted: that costs less to see than running the automaton.
    for (let back = 1; back <= suffix.length; back++) {
      const { byte, mask } = suffix[suffix.length - back]!;
      if ((pathBytes[to - back]! | mask) !== byte) return false;
    }
    return this.#regex!.test(pathBytes, from, to, WHOLE);
  }

  /** Rows from `from` on that may match, ascending, as far as they are told: at most `limit`. Only where literals are known. */
  candidates(manifest: Manifest, limit: number, from: number): readonly number[] {
    const literals = this.literals ?? [];
    if (literals.length === 1) return manifest.rowsWithPath(literals[0]!, limit, from);
    const rows = new Set<number>();
    let end = Number.POSITIVE_INFINITY;
    for (const literal of literals) {
      if (!manifest.mayHavePath(literal)) continue;
      const found = manifest.rowsWithPath(literal, limit, from);
      for (const row of found) rows.add(row);
      // Behind the last of a list that was cut off there may be more.
      if (found.length === limit) end = Math.min(end, found.at(-1)!);
    }
    return [...rows].filter((row) => row <= end).sort((a, b) => a - b);
  }

  mayMatch(manifest: Manifest): boolean {
    return this.literals?.some((literal) => manifest.mayHavePath(literal)) ?? true;
  }

  ranges(path: string): readonly ByteRange[] {
    const bytes = Buffer.from(path);
    if (this.#plain) return rangesOfLiteral(bytes, this.#plain, RANGES_MAX);
    return this.#regex!.ranges(bytes, 0, bytes.length, RANGES_MAX);
  }
}

const RANGES_MAX = 16;
/** Shorter ones have no grams: finding them by literals would be looking at all paths. */
const GRAM_BYTES = 3;
const WHOLE = { isFirst: true, isLast: true };
/** Of more alternatives looking at all paths costs less. */
const LITERALS_MAX = 8;

function holdsAt(bytes: Uint8Array, from: number, to: number, needle: Uint8Array): boolean {
  const first = needle[0]!;
  const last = to - needle.length;
  for (let at = from; at <= last; at++) {
    if (bytes[at] !== first) continue;
    let same = 1;
    while (same < needle.length && bytes[at + same] === needle[same]) same++;
    if (same === needle.length) return true;
  }
  return false;
}

/** The literals of which every text has one, such that the shortest is as long as can be. */
function bestLiterals(query: LiteralQuery): readonly string[] | null {
  if (query.kind === 'literal') return [query.bytes];
  if (query.kind === 'any') {
    const literals: string[] = [];
    for (const part of query.of) {
      const more = bestLiterals(part);
      if (more === null) return null;
      literals.push(...more);
    }
    return literals.length <= LITERALS_MAX ? literals : null;
  }
  if (query.kind !== 'all') return null;
  let best: readonly string[] | null = null;
  for (const literals of query.of.map(bestLiterals)) {
    if (literals !== null && shortest(literals) > shortest(best ?? [''])) best = literals;
  }
  return best;
}

function shortest(literals: readonly string[]): number {
  return Math.min(...literals.map(({ length }) => length));
}

/** A byte b fits when (b | mask) === byte. */
interface SuffixByte {
  readonly byte: number;
  readonly mask: number;
}

/** The bytes that every match ends with at the end of the path, as in `\.rs$`; ASCII alone. */
export function suffixOf(syntax: Syntax): readonly SuffixByte[] {
  const items = syntax.kind === 'sequence' ? syntax.items : [syntax];
  const last = items.at(-1);
  if (last?.kind !== 'assertion' || (last.assertion !== 'line-end' && last.assertion !== 'text-end'))
    return [];
  const suffix: SuffixByte[] = [];
  for (let at = items.length - 2; at >= 0; at--) {
    const item = items[at]!;
    const byte = item.kind === 'set' ? byteOf(item.set) : null;
    if (byte === null) break;
    suffix.unshift(byte);
  }
  return suffix;
}

function byteOf(set: readonly number[]): SuffixByte | null {
  const [low, high, low2, high2] = set;
  if (low === undefined || low !== high || low >= 0x80) return null;
  if (set.length === 2) return { byte: low, mask: 0 };
  const isLetterPair =
    set.length === 4 && low2 === high2 && low >= 0x41 && low <= 0x5a && low2 === low + 0x20;
  return isLetterPair ? { byte: low2, mask: 0x20 } : null;
}
