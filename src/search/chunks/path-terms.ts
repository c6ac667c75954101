import type { Manifest } from '../manifests/manifest.ts';
import { indexIn } from '../segments/ascending.ts';
import { NumberColumn } from '../segments/number-column.ts';
import { PathTokens } from './path-tokens.ts';

/** Words of the paths of a manifest. */
export interface PathTerms {
  /** What its terms are numbered by. */
  readonly tokens: PathTokens;
  /** Numbers of those that it has, ascending. */
  readonly terms: Uint32Array;
  /** By place in `terms`: where its places begin, and behind them the end of the last. */
  readonly starts: Uint32Array;
  /** Of each term: twice each row that has it, ascending, plus 1 where it stands in the file's name. */
  readonly places: Uint32Array;
  /** By row. */
  readonly lengths: Uint8Array;
  readonly words: number;
}

/** Tokens that are remembered; a hundred thousand paths have some ten thousand. */
const TOKENS_MAX = 500_000;
const SLASH = 47;
const DOT = 46;
const LENGTH_MAX = 255;
const none = new Uint32Array(0);

/** Paths of manifests by their words, for one thread. Found once for each manifest that is open: it never changes. */
export class PathTermsOf {
  readonly #known = new WeakMap<Manifest, PathTerms>();
  #tokens = new PathTokens();
  #rowsRead = 0;

  of(manifest: Manifest): PathTerms {
    let terms = this.#known.get(manifest);
    if (terms === undefined) {
      if (this.#tokens.tokens > TOKENS_MAX) this.#tokens = new PathTokens();
      terms = readPathTerms(manifest, this.#tokens);
      this.#rowsRead += manifest.rows;
      this.#known.set(manifest, terms);
    }
    return terms;
  }

  /** Rows whose paths were gone through since this was last asked. */
  takeRowsRead(): number {
    const rows = this.#rowsRead;
    this.#rowsRead = 0;
    return rows;
  }
}

export function placesOf({ tokens, terms, starts, places }: PathTerms, term: string): Uint32Array {
  const number = tokens.termNumber(term);
  const at = number < 0 ? -1 : indexIn(terms, number);
  return at < 0 ? none : places.subarray(starts[at], starts[at + 1]);
}

function readPathTerms({ pathBytes, pathStarts, rows }: Manifest, tokens: PathTokens): PathTerms {
  const lengths = new Uint8Array(rows);
  const found = { terms: new NumberColumn(), places: new NumberColumn() };
  let words = 0;
  let [folderStart, folderEnd] = [0, 0];
  const folderTerms: number[] = [];
  const own: number[] = [];
  for (let row = 0; row < rows; row++) {
    const start = pathStarts[row]!;
    const end = pathStarts[row + 1]!;
    let name = end;
    while (name > start && pathBytes[name - 1] !== SLASH) name--;
    if (!areSame(pathBytes, folderStart, folderEnd, start, name)) {
      folderTerms.length = 0;
      tokens.addTerms(folderTerms, pathBytes, start, name);
      [folderStart, folderEnd] = [start, name];
    }
    let dot = end - 1;
    while (dot > name && pathBytes[dot] !== DOT) dot--;
    own.length = 0;
    tokens.addTerms(own, pathBytes, name, dot > name ? dot : end);
    for (const term of own) {
      found.terms.push(term);
      found.places.push(2 * row + 1);
    }
    let length = own.length;
    for (const term of folderTerms) {
      if (own.includes(term)) continue;
      found.terms.push(term);
      found.places.push(2 * row);
      length++;
    }
    lengths[row] = Math.min(length, LENGTH_MAX);
    words += lengths[row]!;
  }
  return { tokens, ...byTerm(found.terms.values, found.places.values, tokens.terms), lengths, words };
}

/** Places of each term together, in their order. */
function byTerm(ofPlaces: Uint32Array, inOrder: Uint32Array, termCount: number) {
  const ends = new Uint32Array(termCount);
  for (const term of ofPlaces) ends[term]! += 1;
  const terms = new NumberColumn();
  const starts = new NumberColumn();
  let sum = 0;
  for (let term = 0; term < termCount; term++) {
    const count = ends[term]!;
    ends[term] = sum;
    if (count === 0) continue;
    terms.push(term);
    starts.push(sum);
    sum += count;
  }
  starts.push(sum);
  const places = new Uint32Array(sum);
  for (let i = 0; i < sum; i++) places[ends[ofPlaces[i]!]!++] = inOrder[i]!;
  return { terms: terms.values.slice(), starts: starts.values.slice(), places };
}

function areSame(bytes: Uint8Array, start: number, end: number, other: number, otherEnd: number): boolean {
  if (end - start !== otherEnd - other) return false;
  // Backwards: what follows each other in a manifest begins alike.
  for (let i = end - start - 1; i >= 0; i--) if (bytes[start + i] !== bytes[other + i]) return false;
  return true;
}
