import type { FactsDraft } from '../../scanning/facts-draft.ts';
import { SIGN, type Tokens, WORD } from '../../scanning/token-list.ts';
import { type QualifiedName, readName, wordAt } from './names.ts';

/** Functions that have FROM among their arguments. */
const fromWithin: ReadonlySet<string> = new Set('EXTRACT TRIM SUBSTRING OVERLAY POSITION'.split(' '));
/** Words that stand where a table would and name none. */
const noTables: ReadonlySet<string> = new Set(
  (
    'SELECT SET VALUES WHERE ON ONLY LATERAL DUAL UNNEST TABLE CASCADE OF AS DEFAULT NULL USING ALL AND OR NOT IF EXISTS INTO FROM JOIN ' +
    'BEGIN END THEN ELSE STDIN STDOUT OUTFILE DUMPFILE CONCURRENTLY INSERTED DELETED'
  ).split(' '),
);
/** Before a parenthesis and no function of somebody's own. */
const noCalls: ReadonlySet<string> = new Set(
  (
    'ALL AND ANY ARRAY AS AVG BETWEEN BIGINT BY CASE CAST CHAR CHARACTER CHECK COALESCE COLUMNS CONCAT CONSTRAINT CONVERT COUNT CUBE ' +
    'CURRENT_TIMESTAMP DATE DATE_TRUNC DATETIME DECIMAL DEFAULT DISTINCT ELSE ENUM EXCEPT EXISTS EXTRACT FILTER FLOAT FROM GREATEST GROUP ' +
    'HAVING IF IFNULL IN INCLUDE INDEX INSERT INT INTEGER INTERSECT INTERVAL INTO ISNULL JOIN KEY LAG LEAD LEAST LEFT LENGTH LIKE LOWER MAX ' +
    'MIN NEXTVAL NOT NOW NULLIF NUMERIC NVARCHAR NVL OF ON OR ORDER OVER PARTITION PRIMARY RANGE RANK REFERENCES REPLACE RETURN RETURNS ' +
    'RIGHT ROLLUP ROUND ROW ROW_NUMBER SELECT SET SUBSTR SUBSTRING SUM TABLE THEN TIME TIMESTAMP TO_CHAR TO_DATE TRIM UNION UNIQUE UPPER ' +
    'USING VALUES VARBINARY VARCHAR VARCHAR2 WHEN WHERE WHILE WITH WITHIN ABS CEIL FLOOR'
  ).split(' '),
);

/** Tables behind FROM, JOIN, INTO, UPDATE, REFERENCES and the like; functions that are called. What WITH names is the statement's own. */
export function readUses(tokens: Tokens, first: number, end: number, draft: FactsDraft): void {
  const own = namesOfWith(tokens, first, end);
  /** Words before the open parentheses. */
  const before: string[] = [];
  const use = (at: number, mayBeCall = false): QualifiedName | null => {
    const name = at < end ? readName(tokens, at) : null;
    if (!name || noTables.has(wordAt(tokens, at)) || /^[@#$:\d]/.test(name.name)) return null;
    const isCall = mayBeCall && tokens.is(name.last + 1, '(');
    if (!(name.qualifier === null && own.has(name.name.toUpperCase())) && !isCall) {
      draft.references.push({ name: name.name, kind: 'use', start: name.start, receiver: name.qualifier });
    }
    return name;
  };
  for (let at = first; at < end; at++) {
    if (tokens.kind[at] === SIGN) {
      if (tokens.is(at, '(')) before.push(wordAt(tokens, at - 1));
      else if (tokens.is(at, ')')) before.pop();
      continue;
    }
    if (tokens.kind[at] !== WORD) continue;
    const word = wordAt(tokens, at);
    const previous = wordAt(tokens, at - 1);
    let table = skipWords(tokens, at + 1);
    switch (word) {
      case 'FROM':
        if (previous === 'DISTINCT' || fromWithin.has(before[before.length - 1] ?? '')) break;
        readList(tokens, table, end, use);
        break;
      case 'JOIN':
        use(table, true);
        break;
      case 'REFERENCES':
      case 'TRUNCATE':
        use(table);
        break;
      case 'INTO':
        if (/^(?:INSERT|MERGE|REPLACE|IGNORE|OVERWRITE|COPY)$/.test(previous)) use(table);
        break;
      case 'UPDATE':
        if (/^(?:FOR|ON|KEY|AFTER|BEFORE|OR|OF|INSTEAD|DO)$/.test(previous) || tokens.is(at - 1, ',')) break;
        use(table);
        break;
      case 'TABLE':
        if (/^(?:ALTER|DROP|LOCK|ANALYZE|DESCRIBE|COPY)$/.test(previous)) use(table);
        break;
      case 'VIEW':
      case 'USING':
        if (word === 'VIEW' ? previous === 'DROP' : /^MERGE$/.test(wordAt(tokens, first))) use(table);
        break;
      case 'ON':
        if (isIndexOrTrigger(tokens, first)) use(table);
        break;
      case 'CALL':
      case 'EXEC':
      case 'EXECUTE':
        if (/^(?:FUNCTION|PROCEDURE)$/.test(wordAt(tokens, table))) table++;
        readCalled(tokens, table, end, draft);
        break;
      default:
        readCall(tokens, at, end, draft);
    }
  }
}

const WORDS_MAX = 4;

function skipWords(tokens: Tokens, from: number): number {
  let at = from;
  while (
    at < from + WORDS_MAX &&
    /^(?:IF|EXISTS|ONLY|TABLE|LATERAL|CONCURRENTLY|NOT)$/.test(wordAt(tokens, at))
  )
    at++;
  return at;
}

/** `FROM a, b AS c, d`. */
function readList(
  tokens: Tokens,
  from: number,
  end: number,
  use: (at: number, mayBeCall: boolean) => QualifiedName | null,
): void {
  let at = from;
  for (;;) {
    const name = use(at, true);
    if (!name) return;
    at = name.last + 1;
    if (wordAt(tokens, at) === 'AS') at++;
    if (tokens.kind[at] === WORD && tokens.is(at + 1, ',')) at++;
    if (at >= end || !tokens.is(at, ',')) return;
    at++;
  }
}

/** `ON` names a table in the head of an index, trigger or policy; the statement is read from behind its name on. */
function isIndexOrTrigger(tokens: Tokens, first: number): boolean {
  for (let at = first; at >= Math.max(0, first - 12); at--) {
    const word = wordAt(tokens, at);
    if (word === 'INDEX' || word === 'TRIGGER' || word === 'POLICY') return true;
    if (tokens.is(at, ';')) return false;
  }
  return false;
}

function readCalled(tokens: Tokens, at: number, end: number, draft: FactsDraft): void {
  const name = at < end ? readName(tokens, at) : null;
  if (!name || /^[@#$:]/.test(name.name) || noCalls.has(name.name.toUpperCase())) {
    return;
  }
  draft.references.push({ name: name.name, kind: 'call', start: name.start, receiver: name.qualifier });
}

function readCall(tokens: Tokens, at: number, end: number, draft: FactsDraft): void {
  if (!tokens.is(at + 1, '(') || at + 1 >= end) return;
  const qualified = tokens.is(at - 1, '.') && tokens.kind[at - 2] === WORD;
  // A list of columns follows a table's name: `INSERT INTO a (b)`, `REFERENCES a (b)`, `WITH a (b) AS`.
  const before = qualified ? wordAt(tokens, at - 3) : wordAt(tokens, at - 1);
  if (
    /^(?:INTO|REFERENCES|TABLE|WITH|KEY|INDEX|ON|UPDATE|CONSTRAINT|USING|VIEW|RECURSIVE|FUNCTION|PROCEDURE|CALL|EXEC|EXECUTE)$/.test(
      before,
    )
  )
    return;
  const name = tokens.of(at);
  if ((!qualified && noCalls.has(name.toUpperCase())) || /^[@#$\d]/.test(name)) return;
  draft.references.push({
    name,
    kind: 'call',
    start: tokens.start[at]!,
    receiver: qualified ? tokens.of(at - 2).slice(0, 80) : null,
  });
}

function namesOfWith(tokens: Tokens, first: number, end: number): ReadonlySet<string> {
  const names = new Set<string>();
  let behind: ReadonlyMap<number, number> | null = null;
  for (let at = first; at < end; at++) {
    if (wordAt(tokens, at) !== 'WITH') continue;
    behind ??= behindParentheses(tokens, first, end);
    let name = wordAt(tokens, at + 1) === 'RECURSIVE' ? at + 2 : at + 1;
    for (;;) {
      const written = readName(tokens, name);
      if (!written) break;
      const columns = written.last + 1;
      let next = tokens.is(columns, '(') ? (behind.get(columns) ?? end) : columns;
      if (wordAt(tokens, next) !== 'AS') break;
      next++;
      while (/^(?:NOT|MATERIALIZED)$/.test(wordAt(tokens, next))) next++;
      if (!tokens.is(next, '(')) break;
      names.add(written.name.toUpperCase());
      next = behind.get(next) ?? end;
      if (!tokens.is(next, ',')) break;
      name = next + 1;
    }
  }
  return names;
}

/** For each `(` of the statement the token behind its `)`: told once, since what WITH names may be nested. */
function behindParentheses(tokens: Tokens, first: number, end: number): ReadonlyMap<number, number> {
  const behind = new Map<number, number>();
  const open: number[] = [];
  for (let at = first; at < end; at++) {
    if (tokens.is(at, '(')) open.push(at);
    else if (tokens.is(at, ')') && open.length > 0) behind.set(open.pop()!, at + 1);
  }
  return behind;
}
