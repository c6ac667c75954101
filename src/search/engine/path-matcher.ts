import type { Manifest } from '../manifests/manifest.ts';
import type { TextPattern } from '../queries/types.ts';
import type { ByteRange } from '../regex/line-matcher.ts';
import { type LiteralQuery, literal as literalQuery } from '../regex/literal-query.ts';
import type { Regex } from '../regex/regex.ts';
import { requiredLiterals } from '../regex/required-literals.ts';
import type { Syntax } from '../regex/syntax-tree.ts';
import { bestLiterals } from './best-literals.ts';
import { foldedLatin1, plainLiteral, rangesOfLiteral } from './plain-literal.ts';

/** Whether paths have a pattern. */
export class PathMatcher {
  /** Every matching path holds one of these when A-Z count as a-z; null when nothing is known. */
  readonly literals: readonly Buffer[] | null;
  /** Null for plain text. */
  readonly #regex: Regex | null;
  readonly #suffix: readonly SuffixByte[];
  readonly #plain: Buffer | null;
  /** What every matching path holds. */
  readonly #required: LiteralQuery;
  /** Matching does not depend on a path being a text of its own. */
  readonly #isLineByLine: boolean;
  readonly #text = Buffer.allocUnsafeSlow(TEXT_BYTES);

  constructor(pattern: TextPattern, regexOf: (pattern: TextPattern) => Regex) {
    this.#plain = plainLiteral(pattern);
    this.#regex = this.#plain ? null : regexOf(pattern);
    this.#suffix = this.#regex ? suffixOf(this.#regex.syntax) : [];
    this.#required = this.#regex
      ? requiredLiterals(this.#regex, { foldAscii: true })
      : literalQuery(foldedLatin1(this.#plain!));
    const literals = bestLiterals(this.#required, LITERALS_MAX);
    this.#isLineByLine = this.#regex !== null && !this.#regex.spansLines && !asksForEnds(this.#regex.syntax);
    const areFound = literals?.every((bytes) => bytes.length >= GRAM_BYTES || NOT_ASCII.test(bytes)) ?? false;
    this.literals = areFound ? literals!.map((bytes) => Buffer.from(bytes, 'latin1')) : null;
  }

  /** Most paths are told apart by their last bytes. */
  get isCheap(): boolean {
    return this.#plain !== null || this.#suffix.length > 0;
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
    if (literals.length === 1) return candidatesOf(manifest, literals[0]!, limit, from);
    const rows = new Set<number>();
    let end = Number.POSITIVE_INFINITY;
    for (const literal of literals) {
      if (!manifest.mayHavePath(literal)) continue;
      const found = candidatesOf(manifest, literal, limit, from);
      for (const row of found) rows.add(row);
      // Behind the last of a list that was cut off there may be more.
      if (found.length === limit) end = Math.min(end, found.at(-1)!);
    }
    return [...rows].filter((row) => row <= end).sort((a, b) => a - b);
  }

  mayMatch(manifest: Manifest): boolean {
    return mayFulfil(manifest, this.#required);
  }

  /**
   * Rows from `from` up to `to` that match, or those of a first part of them; `next` is the row behind what was looked at. Paths are
   * looked through as one text, which costs a tenth of matching them one by one.
   */
  matchingRows(manifest: Manifest, from: number, to: number): { rows: readonly number[]; next: number } {
    if (this.#plain) {
      const end = Math.min(to, from + LITERAL_ROWS_AT_ONCE);
      return { rows: rowsWithLiteral(manifest, this.#plain, from, end), next: end };
    }
    if (this.#isLineByLine) return this.#rowsAsLines(manifest, from, to);
    const next = Math.min(to, from + ROWS_AT_ONCE);
    const rows: number[] = [];
    for (let row = from; row < next; row++) if (this.test(manifest, row)) rows.push(row);
    return { rows, next };
  }

  #rowsAsLines(manifest: Manifest, from: number, to: number): { rows: readonly number[]; next: number } {
    const { pathBytes, pathStarts } = manifest;
    const text = this.#text;
    let at = 0;
    let row = from;
    let place = pathStarts[from]!;
    for (; row < to; row++) {
      const end = pathStarts[row + 1]!;
      if (at + end - place >= TEXT_BYTES) break;
      while (place < end) text[at++] = pathBytes[place++]!;
      text[at++] = LINE_FEED;
    }
    // A path that is longer than the room for it.
    if (row === from) return { rows: this.test(manifest, row) ? [row] : [], next: row + 1 };
    const { lines } = this.#regex!.scan(text.subarray(0, at), { rangesPerLine: 0, ends: WITHIN });
    return { rows: lines.map(({ number }) => from + number - 1), next: row };
  }

  ranges(path: string): readonly ByteRange[] {
    const bytes = Buffer.from(path);
    if (this.#plain) return rangesOfLiteral(bytes, this.#plain, RANGES_MAX);
    return this.#regex!.ranges(bytes, 0, bytes.length, RANGES_MAX);
  }
}

const RANGES_MAX = 16;
/** Shorter ones have no grams: all paths are looked at for them. What is not ASCII is so rare there that this costs little. */
const GRAM_BYTES = 3;
const NOT_ASCII = /[\x80-\xff]/;
const WHOLE = { isFirst: true, isLast: true };
const WITHIN = { isFirst: false, isLast: false };
const LINE_FEED = 10;
const TEXT_BYTES = 16_384;
const ROWS_AT_ONCE = 256;
const LITERAL_ROWS_AT_ONCE = 1024;
/** Of more alternatives looking at all paths costs less. */
const LITERALS_MAX = 8;
/** So many more that asking for each would take longer than it saves. */
const ALTERNATIVES_MAX = 64;

function candidatesOf(manifest: Manifest, literal: Buffer, limit: number, from: number): readonly number[] {
  if (literal.length >= GRAM_BYTES) return manifest.rowsWithPath(literal, limit, from);
  return rowsWithLiteral(manifest, literal, from, manifest.rows).slice(0, limit);
}

/** Paths lie one behind another without anything between them, so a text is sought in all, and where it goes over an end passed by. */
function rowsWithLiteral(
  { pathBytes, pathStarts }: Manifest,
  literal: Buffer,
  from: number,
  to: number,
): number[] {
  const start = pathStarts[from]!;
  const text = Buffer.from(pathBytes.buffer, pathBytes.byteOffset + start, pathStarts[to]! - start);
  const rows: number[] = [];
  let row = from;
  for (let at = text.indexOf(literal); at >= 0; ) {
    while (pathStarts[row + 1]! - start <= at) row++;
    const isWithin = at + literal.length <= pathStarts[row + 1]! - start;
    if (isWithin) rows.push(row);
    at = text.indexOf(literal, isWithin ? pathStarts[row + 1]! - start : at + 1);
  }
  return rows;
}

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

/** False: surely no path of a manifest fulfils the query. */
function mayFulfil(manifest: Manifest, query: LiteralQuery): boolean {
  switch (query.kind) {
    case 'everything':
      return true;
    case 'nothing':
      return false;
    case 'literal':
      return manifest.mayHavePath(Buffer.from(query.bytes, 'latin1'));
    case 'all':
      return query.of.every((part) => mayFulfil(manifest, part));
    case 'any':
      return query.of.length > ALTERNATIVES_MAX || query.of.some((part) => mayFulfil(manifest, part));
  }
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

/** Whether a pattern has `\A` or `\z`. */
function asksForEnds(syntax: Syntax): boolean {
  switch (syntax.kind) {
    case 'assertion':
      return syntax.assertion === 'text-start' || syntax.assertion === 'text-end';
    case 'sequence':
      return syntax.items.some(asksForEnds);
    case 'choice':
      return syntax.options.some(asksForEnds);
    case 'repeat':
      return asksForEnds(syntax.item);
    default:
      return false;
  }
}
