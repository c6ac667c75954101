import type { SymbolKind } from '../../../search/index.ts';
import type { FactsDraft, SymbolDraft } from '../../scanning/facts-draft.ts';
import { SIGN, type Tokens, WORD } from '../../scanning/token-list.ts';
import { readColumns } from './columns.ts';
import { type QualifiedName, readName, wordAt } from './names.ts';
import { readUses } from './uses.ts';

const createdKinds: ReadonlyMap<string, SymbolKind> = new Map([
  ['TABLE', 'table'],
  ['VIEW', 'view'],
  ['INDEX', 'index'],
  ['FUNCTION', 'function'],
  ['PROCEDURE', 'function'],
  ['PROC', 'function'],
  ['AGGREGATE', 'function'],
  ['TRIGGER', 'function'],
  ['EVENT', 'function'],
  ['TYPE', 'type'],
  ['DOMAIN', 'type'],
  ['SEQUENCE', 'object'],
  ['SYNONYM', 'object'],
  ['SCHEMA', 'namespace'],
  ['DATABASE', 'namespace'],
  ['PACKAGE', 'package'],
]);
/** Words between CREATE and what is created. */
const modifiers: ReadonlySet<string> = new Set(
  (
    'OR REPLACE ALTER TEMP TEMPORARY GLOBAL LOCAL UNLOGGED EXTERNAL FOREIGN VIRTUAL MATERIALIZED UNIQUE CLUSTERED NONCLUSTERED RECURSIVE ' +
    'FULLTEXT SPATIAL BITMAP EDITIONABLE NONEDITIONABLE FORCE PUBLIC CONSTRAINT DEFINER ALGORITHM MERGE UNDEFINED TEMPTABLE SQL SECURITY ' +
    'INVOKER COLUMN ROW CACHED TRANSIENT SECURE'
  ).split(' '),
);
const MODIFIERS_MAX = 16;
const beforeName: ReadonlySet<string> = new Set('IF NOT EXISTS CONCURRENTLY BODY'.split(' '));
const routines: ReadonlySet<string> = new Set('FUNCTION PROCEDURE PROC TRIGGER EVENT PACKAGE'.split(' '));

/** Reads the statement that begins at a token and gives the one behind it. */
export function readStatement(tokens: Tokens, first: number, draft: FactsDraft): number {
  const word = wordAt(tokens, first);
  if (word === 'DELIMITER') {
    let next = first + 1;
    while (next < tokens.count && !startsLine(tokens, next)) next++;
    return next;
  }
  if (word !== 'CREATE') {
    const end = statementEnd(tokens, first, false);
    if (word === 'ALTER' && wordAt(tokens, first + 1) === 'TABLE')
      readAddedColumns(tokens, first, end, draft);
    readUses(tokens, first, end, draft);
    return end + 1;
  }
  const created = createdAt(tokens, first);
  const isPackage = created?.word === 'PACKAGE';
  const end = isPackage
    ? packageEnd(tokens, created.name.last + 1)
    : statementEnd(tokens, first, created !== null && routines.has(created.word));
  if (created === null) {
    readUses(tokens, first + 1, end, draft);
    return end + 1;
  }
  const { word: what, name, kind } = created;
  const lastToken = Math.max(name.last, Math.min(end, tokens.count) - 1);
  const symbol: SymbolDraft = {
    name: name.name,
    kind,
    nameStart: name.start,
    nameEnd: name.end,
    start: tokens.start[first]!,
    end: tokens.end[lastToken]!,
    type: null,
  };
  draft.symbol(symbol);
  let usesFrom = name.last + 1;
  if (isPackage) readPackageRoutines(tokens, usesFrom, end, draft);
  if (what === 'TABLE' && tokens.is(usesFrom, '(')) {
    symbol.bodyStart = tokens.start[usesFrom]!;
    readColumns(tokens, usesFrom, end, draft);
  } else if (kind === 'function' && tokens.is(usesFrom, '(')) {
    const close = closingParen(tokens, usesFrom, end);
    symbol.type = resultOf(tokens, close + 1, end);
    symbol.bodyStart = bodyStart(tokens, close + 1, end);
    // Parameters have types, and no tables.
    usesFrom = close + 1;
  }
  readUses(tokens, usesFrom, end, draft);
  return end + 1;
}

function createdAt(
  tokens: Tokens,
  first: number,
): { word: string; kind: SymbolKind; name: QualifiedName } | null {
  let at = first + 1;
  for (let i = 0; i < MODIFIERS_MAX && !createdKinds.has(wordAt(tokens, at)); i++) {
    const isPart = tokens.kind[at] === SIGN || tokens.kind[at] !== WORD || modifiers.has(wordAt(tokens, at));
    // `DEFINER = root@localhost`
    if (!isPart && !tokens.is(at - 1, '=') && !tokens.is(at - 1, '@')) return null;
    at++;
  }
  const word = wordAt(tokens, at);
  const kind = createdKinds.get(word);
  if (kind === undefined) return null;
  at++;
  while (beforeName.has(wordAt(tokens, at))) at++;
  // An index may have no name of its own.
  if (word === 'INDEX' && wordAt(tokens, at) === 'ON') return null;
  const name = readName(tokens, at, true);
  return name === null ? null : { word, kind, name };
}

/** The token that ends the statement: `;` outside of bodies, a line `GO` or `/`, or the next CREATE at the beginning of a line. */
function statementEnd(tokens: Tokens, first: number, isRoutine: boolean): number {
  let parens = 0;
  let blocks = 0;
  let dollar = '';
  let declares = false;
  let hadBlock = false;
  for (let at = first; at < tokens.count; at++) {
    if (tokens.kind[at] === SIGN) {
      if (tokens.is(at, '(')) parens++;
      else if (tokens.is(at, ')')) parens = Math.max(0, parens - 1);
      else if (tokens.is(at, ';') && dollar === '' && blocks === 0 && !(declares && !hadBlock)) return at;
      else if (tokens.is(at, '/') && isAloneOnLine(tokens, at)) return at;
      continue;
    }
    if (tokens.kind[at] !== WORD) continue;
    const word = wordAt(tokens, at);
    const tag = word.startsWith('$') ? word.match(/^\$\w*\$/)?.[0] : undefined;
    if (tag) {
      if (dollar === '') dollar = tag;
      else if (dollar === tag) dollar = '';
      continue;
    }
    if (dollar !== '') continue;
    if (word === 'GO' && isAloneOnLine(tokens, at)) return at;
    if (word === 'CREATE' && at > first + 2 && parens === 0 && blocks === 0 && startsLine(tokens, at)) {
      return at - 1;
    }
    if (word === 'DELIMITER' && at > first && startsLine(tokens, at)) return at - 1;
    if (!isRoutine) continue;
    if (word === 'BEGIN' || (word === 'CASE' && wordAt(tokens, at - 1) !== 'END')) {
      blocks++;
      hadBlock ||= word === 'BEGIN';
    } else if (word === 'END$$') return at;
    else if (word === 'END') {
      const next = wordAt(tokens, at + 1);
      if (!/^(?:IF|LOOP|WHILE|REPEAT|FOR)$/.test(next)) blocks = Math.max(0, blocks - 1);
      // MySQL's own delimiters: `END //`, `END $$`.
      const isDelimited = next === '$$' || (tokens.is(at + 1, '/') && tokens.is(at + 2, '/'));
      if (hadBlock && blocks === 0 && isDelimited) return at + (next === '$$' ? 1 : 2);
    } else if ((word === 'IS' || word === 'AS') && parens === 0 && blocks === 0) {
      // Oracle declares between IS and BEGIN.
      const next = at + 1;
      declares ||=
        tokens.kind[next] === WORD &&
        !/^(?:BEGIN|SELECT|WITH|RETURN|EXTERNAL|LANGUAGE|\$)/.test(wordAt(tokens, next)) &&
        !/^(?:IS|AS)$/.test(wordAt(tokens, at - 1)) &&
        hasBeginAhead(tokens, next);
    }
  }
  return tokens.count;
}

/** Oracle's packages end with an END that closes no block of theirs. */
function packageEnd(tokens: Tokens, from: number): number {
  let blocks = 0;
  for (let at = from; at < tokens.count; at++) {
    const word = wordAt(tokens, at);
    if (word === 'BEGIN' || (word === 'CASE' && wordAt(tokens, at - 1) !== 'END')) blocks++;
    else if (word === 'END' && !/^(?:IF|LOOP|WHILE)$/.test(wordAt(tokens, at + 1)) && --blocks < 0) {
      while (at < tokens.count && !tokens.is(at, ';')) at++;
      return at;
    } else if (tokens.is(at, '/') && isAloneOnLine(tokens, at)) return at;
  }
  return tokens.count;
}

function readPackageRoutines(tokens: Tokens, from: number, end: number, draft: FactsDraft): void {
  for (let at = from; at < end; at++) {
    const isRoutine = /^(?:FUNCTION|PROCEDURE)$/.test(wordAt(tokens, at)) && startsLine(tokens, at);
    const name = isRoutine ? readName(tokens, at + 1) : null;
    if (!name) continue;
    const close = tokens.is(name.last + 1, '(') ? closingParen(tokens, name.last + 1, end) : name.last;
    const last = Math.min(statementEnd(tokens, at, true), end - 1);
    draft.symbol({
      name: name.name,
      kind: 'function',
      nameStart: name.start,
      nameEnd: name.end,
      start: tokens.start[at]!,
      end: tokens.end[last]!,
      bodyStart: bodyStart(tokens, close + 1, last),
      type: resultOf(tokens, close + 1, last),
    });
    at = last;
  }
}

const LOOKED_AHEAD = 400;

function hasBeginAhead(tokens: Tokens, from: number): boolean {
  for (let at = from; at < Math.min(tokens.count, from + LOOKED_AHEAD); at++) {
    const word = wordAt(tokens, at);
    if (word === 'BEGIN') return true;
    if (word === 'CREATE' && startsLine(tokens, at)) return false;
  }
  return false;
}

function startsLine(tokens: Tokens, at: number): boolean {
  return at === 0 || tokens.text.slice(tokens.end[at - 1]!, tokens.start[at]!).includes('\n');
}

function isAloneOnLine(tokens: Tokens, at: number): boolean {
  return startsLine(tokens, at) && (at + 1 >= tokens.count || startsLine(tokens, at + 1));
}

function closingParen(tokens: Tokens, open: number, end: number): number {
  let depth = 0;
  for (let at = open; at < end; at++) {
    if (tokens.is(at, '(')) depth++;
    else if (tokens.is(at, ')') && --depth === 0) return at;
  }
  return open;
}

/** The name behind RETURNS or RETURN. */
function resultOf(tokens: Tokens, from: number, end: number): string | null {
  if (from >= end || !/^RETURNS?$/.test(wordAt(tokens, from))) return null;
  const at = wordAt(tokens, from + 1) === 'SETOF' ? from + 2 : from + 1;
  return readName(tokens, at)?.name ?? null;
}

function bodyStart(tokens: Tokens, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    if (/^(?:AS|IS|BEGIN|LANGUAGE|ON)$/.test(wordAt(tokens, at))) return tokens.start[at]!;
  }
  return tokens.end[Math.max(from, end) - 1] ?? tokens.text.length;
}

/** `ALTER TABLE orders ADD COLUMN note text`: the columns belong to a table that is made elsewhere. */
function readAddedColumns(tokens: Tokens, first: number, end: number, draft: FactsDraft): void {
  let depth = 0;
  for (let at = first; at < end; at++) {
    if (tokens.is(at, '(')) depth++;
    else if (tokens.is(at, ')')) depth--;
    if (depth > 0 || wordAt(tokens, at) !== 'ADD' || wordAt(tokens, at + 1) !== 'COLUMN') continue;
    let name = at + 2;
    while (beforeName.has(wordAt(tokens, name))) name++;
    const column = readName(tokens, name);
    if (!column || column.last >= end) continue;
    draft.symbol({
      name: column.name,
      kind: 'column',
      nameStart: column.start,
      nameEnd: column.end,
      start: tokens.start[at]!,
      end: tokens.end[Math.min(column.last + 1, end - 1)]!,
      type: readName(tokens, column.last + 1)?.name ?? null,
    });
  }
}
