import { badQuery, type Span } from './query-errors.ts';
import { fieldNamed, type QueryField } from './query-fields.ts';

export interface FieldValue extends Span {
  readonly text: string;
  readonly how: 'plain' | 'quoted' | 'regex';
  /** Where `text` begins in the query. */
  readonly textAt: number;
  /** A regex that ends in `/i`. */
  readonly ignoreCase: boolean;
}

export interface WordToken extends Span {
  readonly kind: 'word';
  readonly text: string;
}

export interface FieldToken extends Span {
  readonly kind: 'field';
  readonly field: QueryField;
  readonly written: string;
  readonly value: FieldValue;
}

export type Token =
  | FieldToken
  | WordToken
  | (Span &
      (
        | { readonly kind: 'phrase'; readonly text: string }
        | {
            readonly kind: 'regex';
            readonly source: string;
            readonly sourceAt: number;
            readonly ignoreCase: boolean;
          }
        | { readonly kind: 'operator'; readonly operator: 'and' | 'or' }
        /** What the next token is put under. */
        | { readonly kind: 'not' }
        /** Parentheses that group, as far as their place and content alone can tell. */
        | { readonly kind: 'group'; readonly inside: Span; readonly isSure: boolean }
      ));

/** Groups within groups; deeper parentheses are text. */
const DEPTH_MAX = 40;

/**
 * Cuts a query into tokens. What marks itself as something (quotes, slashes, a known field, an operator) is that; all else is words between
 * blanks, brackets and quotes within them included, because it may be code. Each kind of look-ahead stops at the first sign that
 * decides, so the work is linear in the length of the query times the depth of its groups.
 */
export class QueryScanner {
  readonly text: string;
  readonly #closes: Int32Array;
  /** From where on there is no further closing one of a kind. */
  readonly #noneFrom = new Map<string, number>();
  readonly #groups = new Map<number, boolean>();

  constructor(text: string) {
    this.text = text;
    this.#closes = this.#pairParentheses();
  }

  /** The token at or after `at`, null when only blanks are left before `end`. `isFirst`: none stands before it within its group. */
  next(at: number, end: number, isFirst: boolean): Token | null {
    const start = this.#skipBlanks(at, end);
    if (start >= end) return null;
    return (
      this.#phrase(start, end) ??
      this.#regex(start, end) ??
      this.field(start, end) ??
      this.#group(start, end) ??
      this.#sign(start, end, isFirst) ??
      this.word(start, end)
    );
  }

  /** All tokens of a range, for looking at it as a whole. */
  all(at: number, end: number): Token[] {
    const tokens: Token[] = [];
    for (let token = this.next(at, end, true); token; token = this.next(token.end, end, false))
      tokens.push(token);
    return tokens;
  }

  /** The field that is written at `at`, with its value; undefined when the text there is no field. */
  field(at: number, end: number): FieldToken | undefined {
    const found = stickyMatch(/([A-Za-z]+(?:\.[a-z]+){0,2}):/y, this.text, at);
    const field = found && fieldNamed(found[1]!);
    if (!found || !field || at + found[0].length > end) return undefined;
    const valueAt = at + found[0].length;
    const written = found[1]!;
    const follower = valueAt < end ? this.text[valueAt]! : ' ';
    // `repo::open(`, `r:=x` and `file:///etc` are code.
    if (follower === ':' || this.text.startsWith('//', valueAt) || (follower === '=' && written.length === 1))
      return undefined;
    if (isBlank(follower)) {
      const value = {
        at: valueAt,
        end: valueAt,
        text: '',
        textAt: valueAt,
        how: 'plain',
        ignoreCase: false,
      } as const;
      return { kind: 'field', at, end: valueAt, field, written, value };
    }
    const value = this.#value(valueAt, end, written);
    return { kind: 'field', at, end: value.end, field, written, value };
  }

  #value(at: number, end: number, written: string): FieldValue {
    const phrase = this.#phrase(at, end);
    if (phrase?.kind === 'phrase')
      return { at, end: phrase.end, text: phrase.text, textAt: at + 1, how: 'quoted', ignoreCase: false };
    const regex = this.#regex(at, end);
    if (regex?.kind === 'regex') {
      const { source, ignoreCase } = regex;
      return { at, end: regex.end, text: source, textAt: at + 1, how: 'regex', ignoreCase };
    }
    if (/["']/.test(this.text[at]!) && this.#closeOf(this.text[at]!, at + 1, end) === -1) {
      throw badQuery(
        this.text,
        { at, end: at + 1 },
        'This quote is never closed',
        `Close it, or leave it out: ${written}:name.`,
      );
    }
    const predicate = stickyMatch(/(?:has|contains)(?:\.\w+)?\(/y, this.text, at);
    const open = predicate ? at + predicate[0].length - 1 : -1;
    const close = open === -1 ? 0 : this.#closes[open]!;
    const valueEnd = close > 0 && close < end ? this.#wordEnd(close + 1, end) : this.#wordEnd(at, end);
    return {
      at,
      end: valueEnd,
      text: this.text.slice(at, valueEnd),
      textAt: at,
      how: 'plain',
      ignoreCase: false,
    };
  }

  #phrase(at: number, end: number): Token | undefined {
    const quote = this.text[at]!;
    if (quote !== '"' && quote !== "'") return undefined;
    const close = this.#closeOf(quote, at + 1, end);
    if (close === -1 || close === at + 1 || !this.#isDelimited(close + 1, end)) return undefined;
    const text = this.text.slice(at + 1, close).replace(/\\(["'\\])/g, '$1');
    return { kind: 'phrase', at, end: close + 1, text };
  }

  #regex(at: number, end: number): Token | undefined {
    if (this.text[at] !== '/' || !this.#mayBeginRegex(at)) return undefined;
    const close = this.#closeOf('/', at + 1, end);
    if (close === -1) return undefined;
    const ignoreCase = this.text[close + 1] === 'i' && close + 1 < end;
    const after = close + (ignoreCase ? 2 : 1);
    if (!this.#isDelimited(after, end)) return undefined;
    return {
      kind: 'regex',
      at,
      end: after,
      source: this.text.slice(at + 1, close),
      sourceAt: at + 1,
      ignoreCase,
    };
  }

  /** `a / b`, `// note` and `/* note` are code; behind a field that takes a regex the blank is the regex's own. */
  #mayBeginRegex(slash: number): boolean {
    const next = this.text[slash + 1] ?? ' ';
    if (next === '*' || next === '/') return false;
    return (
      !isBlank(next) ||
      /(?:^|[\s(-])(?:content|c|regex):$/i.test(this.text.slice(Math.max(0, slash - 9), slash))
    );
  }

  #group(at: number, end: number): Token | undefined {
    const close = this.text[at] === '(' ? this.#closes[at]! : 0;
    if (close === 0 || close >= end || !this.#isDelimited(close + 1, end)) return undefined;
    const inside = { at: at + 1, end: close };
    return { kind: 'group', at, end: close + 1, inside, isSure: this.#isSureGroup(inside) };
  }

  /** Whether what stands within parentheses shows that they group: an operator, a filter, a phrase, or nothing but names. */
  #isSureGroup(inside: Span): boolean {
    const known = this.#groups.get(inside.at);
    if (known !== undefined) return known;
    const tokens = this.all(inside.at, inside.end);
    const isSure =
      tokens.some((token) => (token.kind === 'group' ? token.isSure : token.kind !== 'word')) ||
      (tokens.length > 0 &&
        tokens.every((token) => token.kind === 'word' && /^[\p{L}\p{N}_.|-]+$/u.test(token.text)));
    this.#groups.set(inside.at, isSure);
    return isSure;
  }

  /** Operators and negation. */
  #sign(at: number, end: number, isFirst: boolean): Token | undefined {
    if (this.text[at] === '-') {
      // `->`, `--flag`, `-1` and a dash of its own are text.
      return at + 1 < end && !/[\s\d>=-]/.test(this.text[at + 1]!)
        ? { kind: 'not', at, end: at + 1 }
        : undefined;
    }
    const found = stickyMatch(/(?:or|OR|and|AND|NOT|not|\|)(?=[\s)]|$)/y, this.text, at);
    if (!found || at + found[0].length > end) return undefined;
    const word = found[0].toLowerCase();
    const span = { at, end: at + word.length };
    if (word !== 'not') return { kind: 'operator', operator: word === 'and' ? 'and' : 'or', ...span };
    const next = this.#skipBlanks(span.end, end);
    if (next >= end) return undefined;
    // In small letters it is mostly a word of a message or of Python; before what is plainly query syntax it is no word.
    if (found[0] === 'NOT') return { kind: 'not', ...span };
    const isSyntax =
      this.#phrase(next, end) ?? this.#regex(next, end) ?? this.field(next, end) ?? this.#group(next, end);
    return isSyntax && !(isFirst && isSyntax.kind === 'phrase') ? { kind: 'not', ...span } : undefined;
  }

  /** What stands at `at` as text, whatever it looks like. */
  word(at: number, end: number): WordToken {
    const wordEnd = this.#wordEnd(at, end);
    return { kind: 'word', at, end: wordEnd, text: this.text.slice(at, wordEnd) };
  }

  /** The end of the word at `from`: a blank that stands in no quotes. */
  #wordEnd(from: number, end: number): number {
    let at = from;
    while (at < end) {
      const character = this.text[at]!;
      if (isBlank(character)) return at;
      if (character === '\\') at += 2;
      else if (isQuote(character)) at = this.#quotedEnd(at, end);
      else if (character === '[' && this.text[at + 1] === '^') {
        // A class may hold blanks and still be part of one word.
        at += stickyMatch(/\[\^[^\]\n]{1,40}\]/y, this.text, at)?.[0].length ?? 1;
      } else at++;
    }
    return Math.min(at, end);
  }

  /** Behind the quoted part that begins here within a word; behind the quote alone where it is an apostrophe or begins nothing. */
  #quotedEnd(at: number, end: number): number {
    const quote = this.text[at]!;
    if (quote !== '"' && /[\p{L}\p{N}]/u.test(this.text[at - 1] ?? ' ')) return at + 1;
    const close = this.#closeOf(quote, at + 1, end);
    const isPart =
      close !== -1 &&
      !/[\p{L}\p{N}_]/u.test(this.text[close + 1] ?? ' ') &&
      !this.text.slice(at, close).includes('\n');
    return isPart ? close + 1 : at + 1;
  }

  /** The first of these characters from `at` that no backslash stands before, or -1. */
  #closeOf(character: string, from: number, end: number): number {
    if (from >= (this.#noneFrom.get(character) ?? Number.POSITIVE_INFINITY)) return -1;
    for (let at = from; at < this.text.length; at++) {
      if (this.text[at] === '\\') at++;
      else if (this.text[at] === character) return at < end ? at : -1;
    }
    this.#noneFrom.set(character, from);
    return -1;
  }

  #isDelimited(at: number, end: number): boolean {
    return at >= end || isBlank(this.text[at]!) || this.text[at] === ')';
  }

  #skipBlanks(from: number, end: number): number {
    let at = from;
    while (at < end && isBlank(this.text[at]!)) at++;
    return at;
  }

  /** For each parenthesis that opens where it closes, 0 for those that do not. What stands in quotes or slashes does not count. */
  #pairParentheses(): Int32Array {
    const closes = new Int32Array(this.text.length);
    const open: number[] = [];
    const { length } = this.text;
    for (let at = 0; at < length; at++) {
      const character = this.text[at]!;
      const isStart = at === 0 || /[\s(:-]/.test(this.text[at - 1]!);
      if (character === '\\') at++;
      else if (character === '(') open.push(at);
      else if (character === ')') {
        const from = open.pop();
        if (from !== undefined && open.length < DEPTH_MAX) closes[from] = at;
      } else if (character === '/' && isStart) {
        const close = this.#mayBeginRegex(at) ? this.#closeOf('/', at + 1, length) : -1;
        if (close !== -1 && /[\s)i]|^$/.test(this.text[close + 1] ?? '')) at = close;
      } else if (isQuote(character)) at = this.#quotedEnd(at, length) - 1;
    }
    return closes;
  }
}

function isBlank(character: string): boolean {
  return /\s/.test(character);
}

function isQuote(character: string): boolean {
  return character === '"' || character === "'" || character === '`';
}

function stickyMatch(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}
