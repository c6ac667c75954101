/** What a query means, after parsing: a tree over one document, and what is asked about the documents that it fits. */

export interface TextPattern {
  /** RE2 source, or the text itself when `literal`. */
  source: string;
  literal: boolean;
  ignoreCase: boolean;
}

export type QueryNode =
  | { readonly kind: 'all'; readonly of: readonly QueryNode[] }
  | { readonly kind: 'any'; readonly of: readonly QueryNode[] }
  | { readonly kind: 'not'; readonly of: QueryNode }
  | { readonly kind: 'everything' }
  /** `either` fits a document whose text or path has the pattern. */
  | { readonly kind: 'text'; readonly pattern: TextPattern; readonly where: 'content' | 'path' | 'either' }
  /** A definition's name. */
  | { readonly kind: 'symbol'; readonly pattern: TextPattern }
  /** Over `owner/name` and `host/owner/name`. */
  | { readonly kind: 'repository'; readonly pattern: TextPattern }
  | { readonly kind: 'branch'; readonly pattern: TextPattern }
  /** Index into the language table. */
  | { readonly kind: 'language'; readonly language: number }
  | { readonly kind: 'archived'; readonly is: boolean }
  | { readonly kind: 'fork'; readonly is: boolean }
  /** The repository has a file (at the searched revision) whose path fits, and whose content fits when given. */
  | {
      readonly kind: 'repository-has-file';
      readonly path: TextPattern;
      readonly content: TextPattern | null;
    };

export type QueryTarget = 'content' | 'file' | 'repo' | 'commit' | 'diff';

export interface ParsedQuery {
  root: QueryNode;
  /** Nothing is asked for but terms that are left out: nearly every file there is fits. */
  leavesOutAlone: boolean;
  target: QueryTarget;
  /** `repo:NAME@REV`: what is searched instead of the indexed branches of the repositories that fit. */
  revisions: readonly { repository: TextPattern; revision: string }[];
  /** `repo:` filters that are not left out, as they are written. */
  repositories: readonly { pattern: TextPattern; written: string }[];
  /** What is listed instead of places. */
  select: 'repo' | 'file' | 'content' | 'symbol' | null;
  /** Places wanted; `all` asks for exact counts. Null when the query does not say. */
  count: number | 'all' | null;
  /** Of commits and diffs. */
  author: string | null;
  sinceMs: number | null;
  untilMs: number | null;
  /** How the query was understood, one short line for the answer: `text "test(" (any case) in *.ts`. */
  reading: string;
  /** What the asker should know about the reading: `took "foo(" as text; write /foo\(/ for a regex`. */
  notes: readonly string[];
}

export interface ParseQueryOptions {
  /** `auto`: text that is plainly meant as text is taken as text; `literal`: the whole query is one text; `regex`: the whole query is one regex. */
  mode: 'auto' | 'literal' | 'regex';
  /** `auto`: any case unless the term has a capital. */
  case: 'auto' | 'yes' | 'no';
  nowMs: number;
  /** Named sets of repositories from the config: name to globs. */
  repositorySets: Readonly<Record<string, readonly string[]>>;
}

/** Filters that come as parameters of their own beside the query text; globs as people write them. */
export interface QueryFilters {
  repo?: readonly string[];
  file?: readonly string[];
  lang?: readonly string[];
}
