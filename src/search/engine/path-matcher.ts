import type { Manifest } from '../manifests/manifest.ts';
import type { TextPattern } from '../queries/types.ts';
import type { ByteRange } from '../regex/line-matcher.ts';
import type { LiteralQuery } from '../regex/literal-query.ts';
import type { Regex } from '../regex/regex.ts';
import { requiredLiterals } from '../regex/required-literals.ts';
import type { Syntax } from '../regex/syntax-tree.ts';

/** Whether paths have a pattern. */
export class PathMatcher {
  /** Bytes that every matching path holds when A-Z count as a-z; null when nothing is known. */
  readonly literal: Uint8Array | null;
  readonly #regex: Regex;
  readonly #suffix: readonly SuffixByte[];
  readonly #needle: Uint8Array | null;

  constructor({ literal, ignoreCase, source }: TextPattern, regex: Regex) {
    this.#regex = regex;
    this.#suffix = suffixOf(regex.syntax);
    this.#needle = literal && !ignoreCase && source !== '' ? Buffer.from(source) : null;
    const longest = longestLiteral(requiredLiterals(regex, { foldAscii: true }));
    this.literal = longest === null ? null : Buffer.from(longest, 'latin1');
  }

  test({ pathBytes, pathStarts }: Manifest, row: number): boolean {
    const from = pathStarts[row]!;
    const to = pathStarts[row + 1]!;
    if (this.#needle) return holdsAt(pathBytes, from, to, this.#needle);
    const suffix = this.#suffix;
    if (to - from < suffix.length) return false;
    // Most paths differ in their last bytes from what is wanted: that costs less to see than running the automaton.
    for (let back = 1; back <= suffix.length; back++) {
      const { byte, mask } = suffix[suffix.length - back]!;
      if ((pathBytes[to - back]! | mask) !== byte) return false;
    }
    return this.#regex.test(pathBytes.subarray(from, to));
  }

  ranges(path: string): readonly ByteRange[] {
    return this.#regex.ranges(Buffer.from(path), 0, undefined, RANGES_MAX);
  }
}

const RANGES_MAX = 16;

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

function longestLiteral(query: LiteralQuery): string | null {
  if (query.kind === 'literal') return query.bytes;
  if (query.kind !== 'all') return null;
  let longest: string | null = null;
  for (const part of query.of) {
    const literal = longestLiteral(part);
    if (literal !== null && literal.length > (longest?.length ?? 0)) longest = literal;
  }
  return longest;
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
