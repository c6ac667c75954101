import { languageNamed } from '../documents/languages.ts';
import { isTypeName } from './query-directives.ts';
import { badQuery, type Span } from './query-errors.ts';
import type { FieldName } from './query-fields.ts';
import { nearField } from './query-fields.ts';
import { type FieldToken, QueryScanner, type Token } from './query-scanner.ts';
import type { ParseQueryOptions } from './types.ts';

export type CaseMode = ParseQueryOptions['case'];
export type TermToken = Extract<Token, { kind: 'word' | 'phrase' | 'regex' }>;

/** A query before its words are read: what is joined with what. */
export type QuerySyntax =
  | {
      readonly kind: 'list';
      readonly options: readonly (readonly QuerySyntax[])[];
      readonly case: CaseMode | null;
    }
  | { readonly kind: 'not'; readonly of: QuerySyntax }
  | { readonly kind: 'leaf'; readonly token: TermToken | FieldToken };

export interface ParsedSyntax {
  root: QuerySyntax;
  /** Fields that are about the whole query, wherever they stand. */
  directives: FieldToken[];
  notes: string[];
}

/** Each is looked for by itself. */
const ITEMS_MAX = 2000;

const DIRECTIVES: ReadonlySet<FieldName> = new Set<FieldName>([
  'rev',
  'type',
  'select',
  'count',
  'author',
  'after',
  'before',
  'patterntype',
]);

export function isDirective({ field }: FieldToken): boolean {
  return DIRECTIVES.has(field.name);
}

/** `or` binds weaker than `and`, which may be left out; negation binds strongest. */
export function parseSyntax(query: string): ParsedSyntax {
  const parser = new SyntaxParser(query);
  const root = parser.list({ at: 0, end: query.length });
  return { root, directives: parser.directives, notes: parser.notes };
}

/** `case:` as it is written; undefined when it is none. */
export function caseOf(text: string): CaseMode | undefined {
  const value = text.toLowerCase();
  if (value === 'yes' || value === 'no' || value === 'auto') return value;
  return undefined;
}

class SyntaxParser {
  readonly directives: FieldToken[] = [];
  readonly notes: string[] = [];
  readonly #query: string;
  readonly #scanner: QueryScanner;
  #items = 0;

  constructor(query: string) {
    this.#query = query;
    this.#scanner = new QueryScanner(query);
  }

  list(range: Span): QuerySyntax {
    const options: QuerySyntax[][] = [[]];
    let caseWanted: CaseMode | null = null;
    let joined = false;
    let { at } = range;
    for (;;) {
      let isFirst = options.at(-1)!.length === 0;
      const token = this.#next(at, range.end, isFirst);
      if (!token) break;
      at = token.end;
      if (token.kind === 'operator') {
        const next = this.#scanner.next(at, range.end, true);
        if (isFirst && !next && options.length === 1) {
          options[0]!.push(this.#word(token, range.end));
          break;
        }
        this.#refuseLonely(token, { hasLeft: !isFirst, hasRight: next !== null && next.kind !== 'operator' });
        if (token.operator === 'or') options.push([]);
        joined = true;
        continue;
      }
      if (token.kind === 'field' && token.field.name === 'case') {
        caseWanted = this.#caseWanted(token);
        continue;
      }
      if (++this.#items > ITEMS_MAX) {
        throw badQuery(
          this.#query,
          token,
          `The query has more than ${ITEMS_MAX} terms`,
          'Search for fewer, or write alternatives as one regex: /one|two|three/.',
        );
      }
      const item = this.#item(token, range, joined);
      joined = false;
      if (item === null) continue;
      isFirst = false;
      options.at(-1)!.push(item.syntax);
      at = item.end;
    }
    return { kind: 'list', options, case: caseWanted };
  }

  #next(at: number, end: number, isFirst: boolean): Token | null {
    const token = this.#scanner.next(at, end, isFirst);
    return token?.kind === 'field' && isStrayLetter(token) ? this.#scanner.word(token.at, end) : token;
  }

  /** One item with all that negates it; null for a field that is about the whole query. */
  #item(token: Token, range: Span, joined: boolean): { syntax: QuerySyntax; end: number } | null {
    let negated = false;
    let operand: Token = token;
    while (operand.kind === 'not') {
      negated = !negated;
      const next = this.#next(operand.end, range.end, false);
      if (!next)
        throw badQuery(
          this.#query,
          operand,
          'Nothing stands behind this negation',
          'Write what to leave out, or put it in quotes.',
        );
      operand = next;
    }
    const isNegated = operand !== token;
    if (operand.kind === 'field' && (isDirective(operand) || operand.field.name === 'case')) {
      if (isNegated) throw this.#notNegatable(operand);
      if (isEmptyField(operand)) return { syntax: this.#emptyField(operand, range.end), end: operand.end };
      this.directives.push(operand);
      return null;
    }
    const { syntax, end } = this.#operand(operand, range, joined || isNegated);
    return { syntax: negated ? { kind: 'not', of: syntax } : syntax, end };
  }

  #operand(token: Token, range: Span, joined: boolean): { syntax: QuerySyntax; end: number } {
    if (token.kind === 'group') {
      const isBlank = this.#query.slice(token.inside.at, token.inside.end).trim() === '';
      const after = this.#scanner.next(token.end, range.end, false);
      const isJoined = joined || after?.kind === 'operator';
      const isAlone = !after && this.#query.slice(range.at, token.at).trim() === '';
      if (isBlank && (isJoined || isAlone)) {
        throw badQuery(
          this.#query,
          token,
          'These parentheses hold nothing',
          'Put something between them, or quote them: "()".',
        );
      }
      if (!isBlank && (token.isSure || isJoined)) return { syntax: this.list(token.inside), end: token.end };
    }
    if (token.kind === 'operator' || token.kind === 'group' || token.kind === 'not') {
      const leaf = this.#word(token, range.end);
      return { syntax: leaf, end: leaf.token.end };
    }
    if (token.kind === 'field' && isEmptyField(token))
      return { syntax: this.#emptyField(token, range.end), end: token.end };
    if (token.kind === 'word') this.#noteUnknownField(token.text);
    return { syntax: { kind: 'leaf', token }, end: token.end };
  }

  #word(token: Token, end: number) {
    return { kind: 'leaf', token: this.#scanner.word(token.at, end) } as const;
  }

  /** `type: string` is a line of code; `repo: x` is a slip. */
  #emptyField(token: FieldToken, end: number): QuerySyntax {
    const { written } = token;
    if (['repo', 'file', 'lang', 'sym'].includes(written)) {
      throw badQuery(
        this.#query,
        token,
        `${written}: has no value`,
        `Write it without a space, such as ${token.field.example}, or "${written}:" in quotes for the text.`,
      );
    }
    this.notes.push(`took "${written}:" as text, because no value follows at once`);
    return this.#word(token, end);
  }

  #caseWanted(token: FieldToken): CaseMode {
    const wanted = caseOf(token.value.text);
    if (wanted !== undefined) return wanted;
    throw badQuery(
      this.#query,
      token,
      `case: is yes, no or auto`,
      'Write case:yes where letter case counts, else leave it out.',
    );
  }

  #refuseLonely(token: Span, { hasLeft, hasRight }: { hasLeft: boolean; hasRight: boolean }): void {
    if (hasLeft && hasRight) return;
    const word = this.#query.slice(token.at, token.end);
    throw badQuery(
      this.#query,
      token,
      `Nothing stands ${hasLeft ? 'behind' : 'before'} this ${word}`,
      `Write what is on both sides of it, or "${word}" in quotes for the word.`,
    );
  }

  #notNegatable(token: FieldToken) {
    return badQuery(
      this.#query,
      token,
      `${token.written}: is about the whole query and can not be negated`,
      `Leave the negation out: ${token.field.example}.`,
    );
  }

  /** `std::vector` and `http://x` are code; `filee:x` may be a slip. */
  #noteUnknownField(word: string): void {
    const written = /^([A-Za-z]{3,12}):[^\s:/]/.exec(word)?.[1];
    if (written === undefined) return;
    const near = nearField(written);
    const why = near ? `the filter is written ${near}:` : `${written}: is no filter`;
    this.notes.push(`took "${word.slice(0, 60)}" as text; ${why}`);
  }
}

/** zoekt's fields of one letter before what they do not know: `t:string` and `l:x` are code. */
function isStrayLetter({ written, value: { text } }: FieldToken): boolean {
  if (written === 't') return !isTypeName(text);
  if (written === 'l') return languageNamed(text.split(',', 1)[0]!) === null;
  if (written === 'a') return !/^(?:yes|no|only)$/.test(text);
  return written.length === 1 && text === '';
}

function isEmptyField({ value }: FieldToken): boolean {
  return value.text === '' && value.how === 'plain';
}
