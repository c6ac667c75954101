import { checkAt, contentPredicate, fieldPart, repositorySetPart, saysLanguages } from './field-parts.ts';
import type { Directives } from './query-directives.ts';
import { badQuery } from './query-errors.ts';
import { allOf, anyOf, not, type Part } from './query-part.ts';
import { shownRegex, shownText } from './query-reading.ts';
import type { FieldToken } from './query-scanner.ts';
import type { CaseMode, QuerySyntax, TermToken } from './query-syntax.ts';
import { readTerm } from './term-reading.ts';
import { hasCapital, textPattern } from './text-patterns.ts';
import type { ParsedQuery, ParseQueryOptions, TextPattern } from './types.ts';

type Place = 'either' | 'content' | 'path' | 'symbol';

/** A term as it will be looked for. `at` is where its source begins in the query. */
export interface Term {
  source: string;
  isRegex: boolean;
  ignoreCase?: boolean;
  at: number;
}

/** Reads the words of a query: which are text, which regex, what its filters mean. */
export class QueryResolver {
  readonly revisions: ParsedQuery['revisions'][number][] = [];
  readonly repositories: ParsedQuery['repositories'][number][] = [];
  readonly notes: string[] = [];
  readonly #query: string;
  readonly #options: ParseQueryOptions;
  readonly #terms: Directives['terms'];

  constructor(query: string, options: ParseQueryOptions, directives: Directives) {
    this.#query = query;
    this.#options = options;
    this.#terms = directives.terms;
  }

  part(syntax: QuerySyntax, caseMode: CaseMode): Part {
    switch (syntax.kind) {
      case 'not':
        return not(this.#negated(syntax.of, caseMode));
      case 'leaf':
        return syntax.token.kind === 'field'
          ? this.#field(syntax.token, caseMode)
          : this.#term(syntax.token, caseMode);
      case 'list': {
        const inner = syntax.case ?? caseMode;
        return anyOf(syntax.options.map((items) => this.#all(items, inner)));
      }
    }
  }

  term(term: Term, place: Place, caseMode: CaseMode): Part {
    const exactCase = caseMode === 'yes' || (caseMode === 'auto' && hasCapital(term.source, term.isRegex));
    const ignoreCase = term.ignoreCase === true || !exactCase;
    const pattern: TextPattern = term.isRegex
      ? { source: term.source, literal: false, ignoreCase }
      : textPattern(term.source, ignoreCase);
    const words = (term.isRegex ? shownRegex(term.source) : shownText(term.source)) + placeWords[place];
    return {
      node: place === 'symbol' ? { kind: 'symbol', pattern } : { kind: 'text', pattern, where: place },
      said: { kind: 'term', words, exactCase: !ignoreCase },
    };
  }

  /** A regex that is marked as one: it must be valid. */
  regex(term: Term, place: Place, caseMode: CaseMode): Part {
    const { fitsAll } = checkAt(this.#query, term.at, term.source);
    if (fitsAll) this.notes.push(`${shownRegex(term.source)} fits every line`);
    return this.term(term, place, caseMode);
  }

  #all(items: readonly QuerySyntax[], caseMode: CaseMode): Part {
    const parts = items.map((item) => this.part(item, caseMode));
    const repositories = parts.filter(({ node }) => node.kind === 'repository' && node.pattern.literal);
    if (repositories.length > 1)
      this.notes.push(
        'one repository must fit every repo: of the query; for either write (repo:a or repo:b)',
      );
    const languages = parts.filter(({ node }) => saysLanguages(node));
    if (languages.length < 2) return allOf(parts);
    // No file is in two languages.
    this.notes.push('took the languages as alternatives');
    return allOf([...parts.filter((part) => !languages.includes(part)), anyOf(languages)]);
  }

  #negated(syntax: QuerySyntax, caseMode: CaseMode): Part {
    const before = this.revisions.length;
    const named = this.repositories.length;
    const part = this.part(syntax, caseMode);
    this.repositories.length = named;
    if (this.revisions.length === before) return part;
    const at = syntax.kind === 'leaf' ? syntax.token : { at: 0, end: 1 };
    throw badQuery(
      this.#query,
      at,
      'A revision can not be left out',
      'Leave the repository out without its @revision.',
    );
  }

  #term(token: TermToken, caseMode: CaseMode): Part {
    if (token.kind === 'phrase')
      return this.term({ source: token.text, isRegex: false, at: token.at }, this.#terms, caseMode);
    if (token.kind === 'regex') {
      const { source, sourceAt: at, ignoreCase } = token;
      return this.regex({ source, isRegex: true, ignoreCase, at }, this.#terms, caseMode);
    }
    if (token.text.startsWith('@')) {
      const set = repositorySetPart(token.text.slice(1), this.#options.repositorySets);
      if (set) return set;
    }
    return this.#word(token.text, token.at, this.#terms, caseMode);
  }

  #word(text: string, at: number, place: Place, caseMode: CaseMode): Part {
    try {
      const { source, isRegex, note } = readTerm(text);
      if (note !== null) this.notes.push(note);
      return this.term({ source, isRegex, at }, place, caseMode);
    } catch {
      // Plainly a regex, and one that can not be run.
      return this.regex({ source: text, isRegex: true, at }, place, caseMode);
    }
  }

  #field(token: FieldToken, caseMode: CaseMode): Part {
    const { value } = token;
    const place = termFields[token.field.name];
    if (place !== undefined) {
      if (value.text === '') {
        throw badQuery(
          this.#query,
          token,
          `${token.written}: has no value`,
          `Write it like ${token.field.example}.`,
        );
      }
      const term = { source: value.text, at: value.textAt, ignoreCase: value.ignoreCase };
      if (value.how === 'regex' || token.field.name === 'regex')
        return this.regex({ ...term, isRegex: true }, place, caseMode);
      if (value.how === 'quoted') return this.term({ ...term, isRegex: false }, place, caseMode);
      return this.#word(value.text, value.textAt, place, caseMode);
    }
    const held = contentPredicate(token);
    if (held !== undefined)
      return this.#word(held, value.textAt + value.text.indexOf(held), 'content', caseMode);
    const part = fieldPart(token, {
      query: this.#query,
      exactCase: caseMode === 'yes',
      repositorySets: this.#options.repositorySets,
      addRevision: (repository, revision) => this.revisions.push({ repository, revision }),
      addRepository: (pattern, written) => this.repositories.push({ pattern, written }),
      note: (text) => this.notes.push(text),
    });
    return part ?? this.#word(this.#query.slice(token.at, token.end), token.at, this.#terms, caseMode);
  }
}

const termFields: Readonly<Partial<Record<string, Place>>> = {
  content: 'content',
  regex: 'either',
  sym: 'symbol',
};

const placeWords: Readonly<Record<Place, string>> = {
  either: '',
  content: ' in the text',
  path: ' in the path',
  symbol: ' as a definition',
};
