import type { ReferenceKind, SymbolKind } from '../../../search/index.ts';
import type { ScannedLanguage } from '../../extractor/language-definition.ts';
import { draftFacts, type FactsDraft, type SymbolDraft } from '../../scanning/facts-draft.ts';
import { STRING, type Tokens, WORD } from '../../scanning/token-list.ts';
import { tokenize } from '../../scanning/tokens.ts';

export const protobuf: ScannedLanguage = { version: 1, scan };

const blockKinds: ReadonlyMap<string, SymbolKind> = new Map([
  ['message', 'message'],
  ['enum', 'enum'],
  ['service', 'service'],
  ['oneof', 'field'],
  ['group', 'message'],
]);
const scalars: ReadonlySet<string> = new Set(
  'double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes'.split(
    ' ',
  ),
);
const labels: ReadonlySet<string> = new Set(['optional', 'required', 'repeated']);

/** A statement begins behind `;`, `{` or `}`; what it is, its first words and the block around it tell. */
function scan(text: string) {
  const draft = draftFacts(text);
  const tokens = tokenize(
    text,
    { lineComments: ['//'], blockComments: true, quotes: `"'`, wordCharacters: '.' },
    draft.comments,
  );
  const open: (SymbolDraft | null)[] = [];
  let at = 0;
  while (at < tokens.count) {
    if (tokens.is(at, '}')) {
      const closed = open.pop();
      if (closed) closed.end = tokens.end[at]!;
      at++;
      continue;
    }
    const statement = readStatement(tokens, at, draft, open[open.length - 1] ?? null);
    if (statement.opens) open.push(statement.symbol);
    at = statement.next;
  }
  for (const unclosed of open) if (unclosed) unclosed.end = text.length;
  return draft.finish();
}

interface Statement {
  symbol: SymbolDraft | null;
  opens: boolean;
  next: number;
}

function readStatement(
  tokens: Tokens,
  first: number,
  draft: FactsDraft,
  around: SymbolDraft | null,
): Statement {
  let last = first;
  let brackets = 0;
  // `[…]` may hold braces of its own.
  for (; last < tokens.count; last++) {
    if (tokens.is(last, '[')) brackets++;
    else if (tokens.is(last, ']')) brackets--;
    else if (brackets <= 0 && (tokens.is(last, ';') || tokens.is(last, '{') || tokens.is(last, '}'))) break;
  }
  const opens = tokens.is(last, '{');
  const next = tokens.is(last, '}') ? Math.max(last, first + 1) : last + 1;
  const symbol = symbolOf(tokens, first, last, draft, around);
  if (symbol) {
    symbol.end = tokens.end[Math.min(last, tokens.count - 1)]!;
    if (opens) symbol.bodyStart = tokens.start[last]!;
    draft.symbol(symbol);
  }
  for (let token = first; token < last; token++) {
    // An option of our own: `option (acme.rule) = …`, `[(acme.rule).min = 1]`.
    const before = token === first ? '' : tokens.of(token - 1);
    if (tokens.is(token, '(') && /^(?:option|\[|,)$/.test(before) && tokens.kind[token + 1] === WORD) {
      refer(tokens, token + 1, 'annotation', draft);
    }
  }
  return { symbol, opens, next };
}

function symbolOf(
  tokens: Tokens,
  first: number,
  last: number,
  draft: FactsDraft,
  around: SymbolDraft | null,
): SymbolDraft | null {
  const word = tokens.of(first);
  const second = first + 1 < last ? first + 1 : -1;
  if (around === null || around.kind === 'message') {
    const block = blockKinds.get(word);
    if (block && second >= 0 && tokens.is(last, '{') && tokens.kind[second] === WORD && last === second + 1) {
      return symbolAt(tokens, first, second, block, null);
    }
  }
  if (around === null && second >= 0) {
    if (word === 'package') draft.namespace ??= tokens.of(second);
    else if (word === 'import') readImport(tokens, second, last, draft);
    else if (word === 'extend') refer(tokens, second, 'extends', draft);
    if (word !== 'extend')
      return word === 'package' || word === 'import' ? null : fieldOf(tokens, first, last, draft);
    return null;
  }
  if (word === 'option' || word === 'reserved' || word === 'extensions') return null;
  if (word === 'extend' && second >= 0) {
    refer(tokens, second, 'extends', draft);
    return null;
  }
  if (around?.kind === 'service') {
    if (word !== 'rpc' || second < 0) return null;
    return rpcOf(tokens, first, last, draft);
  }
  if (around?.kind === 'enum') {
    if (!tokens.is(first + 1, '=')) return null;
    return symbolAt(tokens, first, first, 'enum-member', null);
  }
  return around?.kind === 'rpc' ? null : fieldOf(tokens, first, last, draft);
}

function readImport(tokens: Tokens, second: number, last: number, draft: FactsDraft): void {
  for (let token = second; token < last; token++) {
    if (tokens.kind[token] !== STRING) continue;
    draft.imports.push({
      module: tokens.of(token).slice(1, -1),
      at: tokens.start[token]!,
      reexport: tokens.of(second) === 'public',
    });
  }
}

function rpcOf(tokens: Tokens, first: number, last: number, draft: FactsDraft): SymbolDraft {
  let result: string | null = null;
  for (let token = first + 2; token < last; token++) {
    if (tokens.kind[token] !== WORD || !tokens.is(token + 1, ')')) continue;
    refer(tokens, token, 'type', draft);
    result = lastPart(tokens.of(token));
  }
  return symbolAt(tokens, first, first + 1, 'rpc', result);
}

/** `repeated acme.User users = 1 […];`, `map<string, User> users = 2;`, `optional group Result = 3 {`. */
function fieldOf(tokens: Tokens, first: number, last: number, draft: FactsDraft): SymbolDraft | null {
  let equals = first;
  while (equals < last && !tokens.is(equals, '=')) equals++;
  if (equals >= last || equals < first + 2 || tokens.kind[equals - 1] !== WORD) return null;
  const typeStart = labels.has(tokens.of(first)) ? first + 1 : first;
  const name = equals - 1;
  if (typeStart >= name) return null;
  if (tokens.of(typeStart) === 'option' || tokens.of(typeStart) === 'syntax') return null;
  if (tokens.of(typeStart) === 'group') return symbolAt(tokens, first, name, 'message', null);
  for (let token = typeStart; token < name; token++) {
    const isMap = token === typeStart && tokens.is(token + 1, '<');
    if (tokens.kind[token] === WORD && !isMap) refer(tokens, token, 'type', draft);
  }
  return symbolAt(tokens, first, name, 'field', lastPart(tokens.of(typeStart)));
}

function symbolAt(
  tokens: Tokens,
  first: number,
  name: number,
  kind: SymbolKind,
  type: string | null,
): SymbolDraft {
  return {
    name: tokens.of(name),
    kind,
    nameStart: tokens.start[name]!,
    nameEnd: tokens.end[name]!,
    start: tokens.start[first]!,
    end: tokens.end[name]!,
    type,
  };
}

function refer(tokens: Tokens, token: number, kind: ReferenceKind, draft: FactsDraft): void {
  const written = tokens.of(token);
  const name = lastPart(written);
  if (scalars.has(written) || tokens.kind[token] !== WORD) return;
  const receiver = written.slice(0, -name.length).replace(/^\.|\.$/g, '');
  draft.references.push({
    name,
    kind,
    start: tokens.end[token]! - name.length,
    receiver: receiver === '' || receiver.length > 80 ? null : receiver,
  });
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
