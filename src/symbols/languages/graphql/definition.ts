import type { ReferenceKind, SymbolKind } from '../../../search/index.ts';
import type { ScannedLanguage } from '../../extractor/language-definition.ts';
import { draftFacts, type FactsDraft, type SymbolDraft } from '../../scanning/facts-draft.ts';
import { STRING, type Tokens, WORD } from '../../scanning/token-list.ts';
import { tokenize } from '../../scanning/tokens.ts';

export const graphql: ScannedLanguage = { version: 1, scan };

const definitionKinds: ReadonlyMap<string, SymbolKind> = new Map([
  ['type', 'type'],
  ['interface', 'interface'],
  ['input', 'struct'],
  ['enum', 'enum'],
  ['union', 'type'],
  ['scalar', 'type'],
  ['directive', 'annotation'],
  ['query', 'function'],
  ['mutation', 'function'],
  ['subscription', 'function'],
  ['fragment', 'template'],
]);
const executable: ReadonlySet<string> = new Set(['query', 'mutation', 'subscription', 'fragment']);
const builtins: ReadonlySet<string> = new Set(
  'Int Float String Boolean ID include skip deprecated specifiedBy'.split(' '),
);

/** Definitions stand side by side at the top; each is read up to where the next one begins. */
function scan(text: string) {
  const draft = draftFacts(text);
  const tokens = tokenize(
    text,
    { lineComments: ['#'], quotes: '"', tripleQuotes: '"', wordCharacters: '$' },
    draft.comments,
  );
  let at = 0;
  while (at < tokens.count) at = readDefinition(tokens, at, draft);
  return draft.finish();
}

function readDefinition(tokens: Tokens, first: number, draft: FactsDraft): number {
  let at = first;
  let doc: readonly [number, number] | undefined;
  if (tokens.kind[at] === STRING) {
    doc = [tokens.start[at]!, tokens.end[at]!];
    at++;
  }
  const extended = tokens.of(at) === 'extend';
  const keyword = extended ? at + 1 : at;
  const word = tokens.of(keyword);
  if (tokens.is(at, '{')) return readSelections(tokens, at, draft);
  if (word === 'schema') {
    while (at < tokens.count && !tokens.is(at, '{')) at++;
    return readSchema(tokens, at, draft);
  }
  const kind = definitionKinds.get(word);
  if (kind === undefined) return Math.max(at, first) + 1;
  const name = tokens.is(keyword + 1, '@') ? keyword + 2 : keyword + 1;
  if (tokens.kind[name] !== WORD) {
    // An operation without a name.
    return executable.has(word) ? readBody(tokens, keyword + 1, draft, word, null) : keyword + 1;
  }
  if (extended) {
    refer(tokens, name, 'extends', draft);
    return readBody(tokens, name + 1, draft, word, null);
  }
  const symbol = draft.symbol({
    name: tokens.of(name),
    kind,
    nameStart: tokens.start[name]!,
    nameEnd: tokens.end[name]!,
    start: tokens.start[keyword]!,
    end: tokens.end[name]!,
    ...(doc ? { doc } : {}),
  });
  return readBody(tokens, name + 1, draft, word, symbol);
}

/** Heads (`implements A & B`, `on User`, arguments, directives, members of unions) and, in braces, what the definition holds. */
function readBody(
  tokens: Tokens,
  from: number,
  draft: FactsDraft,
  word: string,
  symbol: SymbolDraft | null,
): number {
  let at = from;
  let implementing = false;
  let members = false;
  let parens = 0;
  for (; at < tokens.count && !(parens === 0 && tokens.is(at, '{')); at++) {
    if (tokens.is(at, '(')) parens++;
    else if (tokens.is(at, ')')) parens = Math.max(0, parens - 1);
    else if (tokens.is(at, '@')) refer(tokens, ++at, 'annotation', draft);
    else if (tokens.is(at, ':')) at = readType(tokens, at + 1, draft).last;
    else if (parens > 0) continue;
    else if (tokens.is(at, '=') && word === 'union') members = true;
    else if (tokens.kind[at] === STRING && !(word === 'directive')) break;
    else if (tokens.kind[at] === WORD) {
      const text = tokens.of(at);
      if (text === 'implements') implementing = true;
      else if (text === 'on' && word === 'fragment') refer(tokens, ++at, 'type', draft);
      else if (implementing && !isStart(tokens, at)) refer(tokens, at, 'implements', draft);
      else if (members && !isStart(tokens, at)) refer(tokens, at, 'type', draft);
      else if (word === 'directive' && !isStart(tokens, at)) continue;
      else break;
    } else if (!/[&|!=]/.test(tokens.of(at))) break;
  }
  if (!tokens.is(at, '{')) {
    if (symbol && at > 0) symbol.end = tokens.end[at - 1]!;
    return Math.max(at, from);
  }
  if (symbol) symbol.bodyStart = tokens.start[at]!;
  const after = executable.has(word)
    ? readSelections(tokens, at, draft)
    : readFields(tokens, at, draft, word === 'enum' ? 'enum-member' : 'field');
  if (symbol) symbol.end = tokens.end[Math.max(at, after - 1)]!;
  return after;
}

/** A word that begins the next definition rather than naming one more interface or member: nothing joins it to what stands before. */
function isStart(tokens: Tokens, at: number): boolean {
  const isKeyword = definitionKinds.has(tokens.of(at)) || /^(?:extend|schema)$/.test(tokens.of(at));
  return isKeyword && !/^(?:implements|[&|=])$/.test(tokens.of(at - 1));
}

function readFields(tokens: Tokens, brace: number, draft: FactsDraft, kind: SymbolKind): number {
  let at = brace + 1;
  let doc: readonly [number, number] | undefined;
  while (at < tokens.count && !tokens.is(at, '}')) {
    if (tokens.kind[at] === STRING) {
      doc = [tokens.start[at]!, tokens.end[at]!];
      at++;
      continue;
    }
    if (tokens.kind[at] !== WORD) {
      if (tokens.is(at, '@')) refer(tokens, ++at, 'annotation', draft);
      else if (tokens.is(at, '(')) at = skipArguments(tokens, at, draft);
      at++;
      continue;
    }
    const name = at++;
    let type: string | null = null;
    if (tokens.is(at, '(')) at = skipArguments(tokens, at, draft) + 1;
    if (tokens.is(at, ':')) {
      const read = readType(tokens, at + 1, draft);
      type = read.name;
      at = read.last + 1;
    }
    draft.symbol({
      name: tokens.of(name),
      kind,
      nameStart: tokens.start[name]!,
      nameEnd: tokens.end[name]!,
      start: tokens.start[name]!,
      end: tokens.end[at - 1]!,
      type,
      ...(doc ? { doc } : {}),
    });
    doc = undefined;
    if (tokens.is(at, '=')) at = skipValue(tokens, at + 1);
  }
  return Math.min(at + 1, tokens.count);
}

/** `[User!]!`: its name and its last token. */
function readType(tokens: Tokens, from: number, draft: FactsDraft): { name: string | null; last: number } {
  let at = from;
  while (tokens.is(at, '[')) at++;
  if (tokens.kind[at] !== WORD) return { name: null, last: Math.max(from, at) - 1 };
  const name = tokens.of(at);
  refer(tokens, at, 'type', draft);
  while (tokens.is(at + 1, ']') || tokens.is(at + 1, '!')) at++;
  return { name, last: at };
}

/** From `(` to its `)`; types in it are used. */
function skipArguments(tokens: Tokens, open: number, draft: FactsDraft): number {
  let depth = 0;
  let at = open;
  for (; at < tokens.count; at++) {
    if (tokens.is(at, '(')) depth++;
    else if (tokens.is(at, ')') && --depth === 0) break;
    else if (tokens.is(at, '@')) refer(tokens, ++at, 'annotation', draft);
    else if (tokens.is(at, ':')) at = readType(tokens, at + 1, draft).last;
  }
  return Math.min(at, tokens.count - 1);
}

/** A default: a word, a string, or what is in brackets. */
function skipValue(tokens: Tokens, from: number): number {
  let at = from;
  let depth = 0;
  do {
    if (tokens.is(at, '[') || tokens.is(at, '{')) depth++;
    else if (tokens.is(at, ']') || tokens.is(at, '}')) depth--;
    at++;
  } while (depth > 0 && at < tokens.count);
  return at;
}

function readSchema(tokens: Tokens, brace: number, draft: FactsDraft): number {
  let at = brace;
  for (; at < tokens.count && !tokens.is(at, '}'); at++) {
    if (tokens.is(at, ':')) at = readType(tokens, at + 1, draft).last;
  }
  return at + 1;
}

/** Fields that are asked for, fragments that are spread. */
function readSelections(tokens: Tokens, brace: number, draft: FactsDraft): number {
  let depth = 0;
  let at = brace;
  for (; at < tokens.count; at++) {
    if (tokens.is(at, '{')) depth++;
    else if (tokens.is(at, '}')) {
      if (--depth === 0) break;
    } else if (tokens.is(at, '(')) at = closing(tokens, at);
    else if (tokens.is(at, '@')) refer(tokens, ++at, 'annotation', draft);
    else if (tokens.is(at, '.')) {
      while (tokens.is(at + 1, '.')) at++;
      if (tokens.of(at + 1) === 'on') {
        at += 2;
        refer(tokens, at, 'type', draft);
      } else if (tokens.kind[at + 1] === WORD) refer(tokens, ++at, 'call', draft);
    } else if (tokens.kind[at] === WORD && !tokens.is(at + 1, ':')) refer(tokens, at, 'member', draft);
  }
  return Math.min(at + 1, tokens.count);
}

/** From `(` to its `)`. */
function closing(tokens: Tokens, open: number): number {
  let depth = 0;
  let at = open;
  for (; at < tokens.count; at++) {
    if (tokens.is(at, '(')) depth++;
    else if (tokens.is(at, ')') && --depth === 0) break;
  }
  return at;
}

function refer(tokens: Tokens, token: number, kind: ReferenceKind, draft: FactsDraft): void {
  const name = tokens.of(token);
  if (tokens.kind[token] !== WORD || name.startsWith('$') || (kind !== 'member' && builtins.has(name)))
    return;
  if (name.startsWith('__')) return;
  draft.references.push({ name, kind, start: tokens.start[token]! });
}
