import type { FactsDraft } from '../../scanning/facts-draft.ts';
import type { Tokens } from '../../scanning/token-list.ts';
import { readName, wordAt } from './names.ts';

/** What stands in a table's parentheses and is no column. */
const constraints: ReadonlySet<string> = new Set(
  'CONSTRAINT PRIMARY FOREIGN UNIQUE CHECK KEY INDEX FULLTEXT SPATIAL EXCLUDE LIKE PERIOD'.split(' '),
);

/** The columns between a table's parentheses: each begins behind `(` or `,`. */
export function readColumns(tokens: Tokens, open: number, end: number, draft: FactsDraft): void {
  let at = open + 1;
  while (at < end) {
    const first = at;
    let depth = 0;
    for (; at < end; at++) {
      if (tokens.is(at, '(')) depth++;
      else if (depth > 0 && tokens.is(at, ')')) depth--;
      else if (depth === 0 && (tokens.is(at, ',') || tokens.is(at, ')'))) break;
    }
    const column = at > first ? readName(tokens, first, true) : null;
    // `key text` is a column, `KEY (a)` and `KEY name (a)` are not.
    const isConstraint = constraints.has(wordAt(tokens, first)) && !isNamedLikeOne(tokens, first, at);
    if (column && column.last < at && !isConstraint) {
      draft.symbol({
        name: column.name,
        kind: 'column',
        nameStart: column.start,
        nameEnd: column.end,
        start: tokens.start[first]!,
        end: tokens.end[at - 1]!,
        type: column.last + 1 < at ? (readName(tokens, column.last + 1)?.name ?? null) : null,
      });
    }
    if (tokens.is(at, ')')) return;
    at++;
  }
}

const types: ReadonlySet<string> = new Set(
  'TEXT VARCHAR CHAR INT INTEGER BIGINT SMALLINT UUID JSON JSONB BLOB BYTEA BOOLEAN TIMESTAMP DATE NUMERIC NVARCHAR'.split(
    ' ',
  ),
);

function isNamedLikeOne(tokens: Tokens, first: number, end: number): boolean {
  return first + 1 < end && types.has(wordAt(tokens, first + 1));
}
