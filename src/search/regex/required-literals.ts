import type { CodePointSet } from './code-point-set.ts';
import { foldedBytes, type LiteralAlphabet, plainBytes, shapes } from './literal-alphabet.ts';
import {
  allOf,
  anyOf,
  EVERYTHING,
  type LiteralQuery,
  literal,
  NOTHING,
  orRare,
  withoutImplied,
} from './literal-query.ts';
import type { Syntax } from './syntax-tree.ts';

export interface RequiredLiteralsOptions {
  /** The literals are for text whose ASCII capitals have been lowered, such as a folded index. Default false. */
  foldAscii?: boolean;
  /** Shorter literals, in bytes, are left out. Default 3, for trigrams. */
  shortest?: number;
}

const STRING_MAX = 32;
const EXACT_STRING_MAX = 256;
const COPIES_MAX = 8;
/** Strings that may be made in all. What is left of a huge pattern then says nothing, which is sound. */
const STRINGS_BUDGET = 20_000;

/**
 * What every line that the regex matches must contain. Of a regex that spans lines: what every text must, each literal within some
 * line.
 */
export function requiredLiterals(
  regex: { readonly syntax: Syntax },
  options?: RequiredLiteralsOptions,
): LiteralQuery {
  return literalsOf(regex.syntax, options);
}

/**
 * The literals that every line which matches must contain, as a tree of "all" and "any" (the method of Russ Cox,
 * https://swtch.com/~rsc/regexp/regexp4.html). Sound: a line that does not fulfil it never matches.
 */
export function literalsOf(syntax: Syntax, options: RequiredLiteralsOptions = {}): LiteralQuery {
  const alphabet = options.foldAscii ? foldedBytes : plainBytes;
  return new LiteralAnalysis(alphabet, options.shortest ?? 3).queryOf(syntax);
}

/**
 * As requiredLiterals, of the shapes of a line: digits are written `0`, capitals `A`, small letters `a`, a tab as a space, each byte
 * from 0x80 on as `\x80`. It tells something even of patterns without any literal, such as `\d{4}-\d{2}`.
 */
export function requiredShapes(regex: { readonly syntax: Syntax }): LiteralQuery {
  return new LiteralAnalysis(shapes, 3).queryOf(regex.syntax);
}

/** What is known of the strings that a part of the pattern matches. */
type Known =
  /** It matches these and no others. */
  | { readonly exact: ReadonlySet<string> }
  /** All begin with one of `prefixes`, end with one of `suffixes` and fulfil `query`. */
  | {
      readonly exact?: undefined;
      readonly prefixes: ReadonlySet<string>;
      readonly suffixes: ReadonlySet<string>;
      readonly query: LiteralQuery;
    };
type Inexact = Extract<Known, { exact?: undefined }>;

const JUST_EMPTY: ReadonlySet<string> = new Set(['']);
const EMPTY: Known = { exact: JUST_EMPTY };
const UNKNOWN: Inexact = { prefixes: JUST_EMPTY, suffixes: JUST_EMPTY, query: EVERYTHING };

class LiteralAnalysis {
  readonly #alphabet: LiteralAlphabet;
  readonly #shortest: number;
  /** Letter to what may stand in its place. */
  readonly #rare = new Map<string, string>();
  #budget = STRINGS_BUDGET;

  constructor(alphabet: LiteralAlphabet, shortest: number) {
    this.#alphabet = alphabet;
    this.#shortest = shortest;
  }

  queryOf(syntax: Syntax): LiteralQuery {
    return orRare(this.#common(syntax), this.#rare);
  }

  /** Leaves matches aside that hold a rare writing. */
  #common(syntax: Syntax): LiteralQuery {
    const known = this.#known(syntax);
    if (known.exact) return known.exact.size > 0 ? this.#oneOf(known.exact) : NOTHING;
    return withoutImplied(allOf([known.query, this.#oneOf(known.prefixes), this.#oneOf(known.suffixes)]));
  }

  #known(syntax: Syntax): Known {
    if (this.#budget < 0) return UNKNOWN;
    switch (syntax.kind) {
      case 'empty':
      case 'assertion':
        return EMPTY;
      case 'set':
        return this.#members(syntax.set);
      case 'sequence':
        return this.#sequence(syntax.items);
      case 'choice':
        return this.#either(syntax.options.map((option) => this.#known(option)));
      case 'repeat':
        return this.#repeat(syntax);
    }
  }

  #members(set: CodePointSet): Known {
    const exact = this.#alphabet.writings(set);
    if (!exact) return UNKNOWN;
    for (const { letter, writing } of this.#alphabet.rareWritings?.(set) ?? []) {
      this.#rare.set(letter, writing);
    }
    return { exact };
  }

  #sequence(items: readonly Syntax[]): Known {
    let known: Known = EMPTY;
    for (const item of items) {
      if (this.#budget < 0) return this.#followed(known, UNKNOWN);
      known = this.#followed(known, this.#known(item));
    }
    return known;
  }

  #repeat({ item, min, max }: Extract<Syntax, { kind: 'repeat' }>): Known {
    if (max === 0) return EMPTY;
    if (min === 0) return max === 1 ? this.#either([this.#known(item), EMPTY]) : UNKNOWN;
    const one = this.#known(item);
    const copies = Math.min(min, COPIES_MAX);
    let known = one;
    for (let copy = 1; copy < copies; copy++) known = this.#followed(known, one);
    return copies === max ? known : this.#inexact(known);
  }

  #followed(first: Known, second: Known): Known {
    if (first.exact && second.exact && first.exact.size * second.exact.size <= this.#alphabet.stringsMax) {
      const exact = this.#joined(first.exact, second.exact);
      if ([...exact].every((text) => text.length <= EXACT_STRING_MAX)) return { exact };
    }
    const before = this.#inexact(first);
    const after = this.#inexact(second);
    const seam = this.#fits(before.suffixes, after.prefixes)
      ? this.#oneOf(this.#joined(before.suffixes, after.prefixes))
      : allOf([this.#oneOf(before.suffixes), this.#oneOf(after.prefixes)]);
    return this.#trimmed({
      prefixes:
        first.exact && this.#fits(first.exact, after.prefixes)
          ? this.#joined(first.exact, after.prefixes)
          : before.prefixes,
      suffixes:
        second.exact && this.#fits(before.suffixes, second.exact)
          ? this.#joined(before.suffixes, second.exact)
          : after.suffixes,
      query: allOf([before.query, after.query, seam]),
    });
  }

  #either(options: readonly Known[]): Known {
    const exact = new Set<string>();
    for (const option of options) for (const text of option.exact ?? []) exact.add(text);
    if (options.every((option) => option.exact)) {
      return exact.size <= this.#alphabet.stringsMax
        ? { exact }
        : this.#trimmed({ prefixes: exact, suffixes: exact, query: EVERYTHING });
    }
    const known = options.map((option) => this.#inexact(option));
    return this.#trimmed({
      prefixes: new Set(known.flatMap(({ prefixes }) => [...prefixes])),
      suffixes: new Set(known.flatMap(({ suffixes }) => [...suffixes])),
      query: anyOf(
        known.map(({ prefixes, suffixes, query }) =>
          allOf([query, this.#oneOf(prefixes), this.#oneOf(suffixes)]),
        ),
      ),
    });
  }

  /** Every string of one set before every string of the other. */
  #joined(heads: ReadonlySet<string>, tails: ReadonlySet<string>): ReadonlySet<string> {
    this.#budget -= heads.size * tails.size;
    const joined = new Set<string>();
    for (const head of heads) for (const tail of tails) joined.add(head + tail);
    return joined;
  }

  #inexact(known: Known): Inexact {
    if (!known.exact) return known;
    const query = known.exact.size > 0 ? EVERYTHING : NOTHING;
    return this.#trimmed({ prefixes: known.exact, suffixes: known.exact, query });
  }

  /** Keeps the sets small: what they say is put into the query before they are cut. */
  #trimmed({ prefixes, suffixes, query }: Inexact): Inexact {
    const queries = [query];
    const cut = (texts: ReadonlySet<string>, shorten: (text: string, length: number) => string) => {
      if (this.#isSmall(texts)) return texts;
      queries.push(this.#oneOf(texts));
      for (let length = 3; ; length--) {
        const shorter = new Set([...texts].map((text) => shorten(text, length)));
        if (shorter.size <= this.#alphabet.stringsMax) return shorter;
      }
    };
    const shortPrefixes = cut(prefixes, (text, length) => text.slice(0, length));
    const shortSuffixes = cut(suffixes, (text, length) => text.slice(Math.max(0, text.length - length)));
    return { prefixes: shortPrefixes, suffixes: shortSuffixes, query: allOf(queries) };
  }

  #oneOf(texts: ReadonlySet<string>): LiteralQuery {
    if (texts.size > this.#alphabet.alternativesMax) return EVERYTHING;
    for (const text of texts) if (text.length < this.#shortest) return EVERYTHING;
    return anyOf([...texts].map(literal));
  }

  #fits(heads: ReadonlySet<string>, tails: ReadonlySet<string>): boolean {
    return heads.size * tails.size <= 4 * this.#alphabet.stringsMax;
  }

  #isSmall(texts: ReadonlySet<string>): boolean {
    if (texts.size > this.#alphabet.stringsMax) return false;
    for (const text of texts) if (text.length > STRING_MAX) return false;
    return true;
  }
}
