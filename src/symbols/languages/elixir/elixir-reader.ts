import type { SymbolKind } from '../../../search/index.ts';
import type { FactsDraft, SymbolDraft } from '../../scanning/facts-draft.ts';
import { SIGN, STRING, type Tokens, WORD } from '../../scanning/token-list.ts';
import { readAlias, readModuleName } from './elixir-imports.ts';
import { ATOM, KEY } from './elixir-tokens.ts';
import { kernel, operatorWords } from './kernel.ts';

const definitions: ReadonlyMap<string, SymbolKind> = new Map([
  ['defmodule', 'module'],
  ['defprotocol', 'interface'],
  ['defimpl', 'implementation'],
  ['def', 'function'],
  ['defp', 'function'],
  ['defdelegate', 'function'],
  ['defn', 'function'],
  ['defmacro', 'macro'],
  ['defmacrop', 'macro'],
  ['defguard', 'macro'],
  ['defguardp', 'macro'],
  ['defrecord', 'struct'],
  ['defrecordp', 'struct'],
  ['test', 'function'],
  ['describe', 'namespace'],
]);
const ownedByFile: ReadonlySet<string> = new Set([
  'defp',
  'defmacrop',
  'defguardp',
  'defrecordp',
  'test',
  'describe',
]);
const typeAttributes: ReadonlyMap<string, SymbolKind> = new Map([
  ['type', 'type'],
  ['typep', 'type'],
  ['opaque', 'type'],
  ['callback', 'method'],
  ['macrocallback', 'method'],
]);
/** Attributes that say something about what follows, and hold no value of ours. */
const reserved: ReadonlySet<string> = new Set(
  'doc moduledoc typedoc spec impl behaviour derive enforce_keys compile dialyzer external_resource deprecated since tag moduletag describetag on_load before_compile after_compile optional_callbacks type typep opaque callback macrocallback'.split(
    ' ',
  ),
);

export function createElixirReader(tokens: Tokens, draft: FactsDraft): { read(): void } {
  /** What each `do` and `fn` that is open belongs to. */
  const open: (SymbolDraft | null)[] = [];
  const modules: SymbolDraft[] = [];
  const attributes = new Set<string>();
  const defined = new Set<string>();
  const calls: { name: string; start: number }[] = [];
  let depth = 0;
  /** A definition whose `do` is yet to come, or that has none. */
  let pending: { symbol: SymbolDraft; depth: number } | null = null;
  let doc: readonly [number, number] | undefined;

  const text = (token: number) => tokens.of(token);
  const isAlias = (token: number) => tokens.kind[token] === WORD && /^[A-Z]/.test(text(token));
  const startsLine = (at: number): boolean => at === 0 || lineBreakBefore(at);
  const lineBreakBefore = (at: number) =>
    tokens.text.slice(tokens.end[at - 1]!, tokens.start[at]!).includes('\n');
  const touches = (at: number) => tokens.start[at + 1] === tokens.end[at];

  const symbolAt = (
    first: number,
    name: { text: string; start: number; end: number },
    kind: SymbolKind,
    isExported: boolean,
  ): SymbolDraft => {
    const symbol = draft.symbol({
      name: name.text,
      kind,
      nameStart: name.start,
      nameEnd: name.end,
      start: tokens.start[first]!,
      end: name.end,
      exported: isExported,
      ...(doc ? { doc } : {}),
    });
    doc = undefined;
    return symbol;
  };

  const named = (token: number, cut = 0) => ({
    text: cut > 0 ? text(token).slice(cut, -cut) : text(token),
    start: tokens.start[token]! + cut,
    end: tokens.end[token]! - cut,
  });

  /** Ends a definition without `do … end` where its expression ends: before a line that does not go on with it. */
  const endPending = (at: number) => {
    if (pending === null || depth > pending.depth) return;
    const before = text(at - 1);
    const goesOn =
      tokens.kind[at - 1] === KEY ||
      (tokens.kind[at - 1] === SIGN && /[,=+\-*/|&<>^\\(]/.test(before)) ||
      operatorWords.has(before) ||
      operatorWords.has(text(at)) ||
      text(at) === 'do' ||
      (tokens.kind[at] === KEY && text(at) === 'do') ||
      (tokens.kind[at] === SIGN && /[|+*/<>=&,)\]}]/.test(text(at)));
    if (goesOn) return;
    pending.symbol.end = tokens.end[at - 1]!;
    pending = null;
  };

  const readDefinition = (at: number): number => {
    const word = text(at);
    const kind = definitions.get(word)!;
    let name = at + 1;
    if (tokens.is(name, '(') && touches(at)) name++;
    let symbol: SymbolDraft | null = null;
    if (kind === 'module' || kind === 'interface' || kind === 'implementation') {
      if (!isAlias(name)) return at + 1;
      symbol = symbolAt(at, named(name), kind, true);
      modules.push(symbol);
      if (kind === 'implementation') {
        draft.references.push({ name: text(name), kind: 'implements', start: tokens.start[name]! });
        for (let next = name + 1; next < Math.min(name + 6, tokens.count); next++) {
          if (tokens.kind[next] === KEY && text(next) === 'for' && isAlias(next + 1))
            symbol.type = text(next + 1);
        }
      }
      name++;
    } else if (word === 'test' || word === 'describe') {
      if (tokens.kind[name] !== STRING || !text(name).startsWith('"') || startsLine(name))
        return readName(at);
      symbol = symbolAt(at, named(name, 1), kind, false);
      name++;
    } else if (kind === 'struct') {
      if (tokens.kind[name] !== ATOM) return at + 1;
      symbol = symbolAt(at, { ...named(name), text: text(name).slice(1) }, kind, !ownedByFile.has(word));
      name++;
    } else {
      const operator = operatorOf(name);
      if (tokens.kind[name] !== WORD && !operator) return at + 1;
      if (text(name) === 'unquote') return at + 1;
      symbol = symbolAt(at, operator ?? named(name), kind, !ownedByFile.has(word));
      defined.add(symbol.name);
      if (!operator) name++;
    }
    pending = { symbol, depth };
    return name;
  };

  /** `def a <~> b`: what stands between two plain operands. */
  const operatorOf = (first: number): { text: string; start: number; end: number } | null => {
    if (/^(?:and|or|in)$/.test(text(first + 1))) return named(first + 1);
    if (tokens.kind[first] !== WORD || tokens.kind[first + 1] !== SIGN || /[([{@%,]/.test(text(first + 1)))
      return null;
    let last = first + 1;
    while (tokens.kind[last + 1] === SIGN && touches(last)) last++;
    if (startsLine(first + 1)) return null;
    const start = tokens.start[first + 1]!;
    return { text: tokens.text.slice(start, tokens.end[last]!), start, end: tokens.end[last]! };
  };

  /** `@doc "…"`, `@type id :: …`, `@timeout 5`, `@timeout`. */
  const readAttribute = (at: number): number => {
    const name = at + 1;
    if (tokens.kind[name] !== WORD || !touches(at)) return at + 1;
    const word = text(name);
    const hasValue = name + 1 < tokens.count && !startsLine(name + 1) && startsStatement(at);
    const kind = typeAttributes.get(word);
    if (kind && hasValue && tokens.kind[name + 1] === WORD) {
      const symbol = symbolAt(at, named(name + 1), kind, word !== 'typep');
      pending = { symbol, depth };
      return name + 2;
    }
    if (/^(?:doc|typedoc|moduledoc)$/.test(word)) {
      if (tokens.kind[name + 1] !== STRING) return name + 1;
      const range = [tokens.start[name + 1]!, tokens.end[name + 1]!] as const;
      const module = modules[modules.length - 1];
      if (word !== 'moduledoc') doc = range;
      else if (module) module.doc = range;
      return name + 2;
    }
    if (word === 'behaviour' && isAlias(name + 1)) {
      draft.references.push({ name: text(name + 1), kind: 'implements', start: tokens.start[name + 1]! });
      return name + 2;
    }
    if (word === 'spec' && tokens.kind[name + 1] === WORD) return name + 2;
    if (reserved.has(word)) return name + 1;
    const isValue = hasValue && !tokens.is(name + 1, ')') && !/[|,\]}=.<>+*/]/.test(text(name + 1)[0] ?? ',');
    if (isValue && !attributes.has(word)) {
      attributes.add(word);
      const symbol = symbolAt(at, named(name), 'constant', false);
      pending = { symbol, depth };
    } else if (!isValue || attributes.has(word)) {
      draft.references.push({ name: word, kind: 'use', start: tokens.start[name]! });
    }
    return name + 1;
  };

  const startsStatement = (at: number): boolean => startsLine(at) || /^(?:do|;|->)$/.test(text(at - 1));

  /** `defstruct [:name, items: []]`, `defexception message: nil`: the fields of the module's struct. */
  const readFields = (at: number): number => {
    let next = at + 1;
    let brackets = 0;
    for (; next < tokens.count; next++) {
      if (brackets === 0 && startsLine(next) && !tokens.is(next - 1, ',')) break;
      if (tokens.kind[next] === SIGN) {
        if (/[[({]/.test(text(next))) brackets++;
        else if (/[\])}]/.test(text(next)) && --brackets < 0) break;
        if (brackets === 0 && /[\])}]/.test(text(next))) break;
        continue;
      }
      const isKey = tokens.kind[next] === KEY;
      const isListed = tokens.kind[next] === ATOM && (tokens.is(next - 1, '[') || tokens.is(next - 1, ','));
      if (brackets > 1 || (!isKey && !isListed) || text(next) === 'do') continue;
      const name = named(next);
      const start = isKey ? name.start : name.start + 1;
      draft.symbol({
        name: tokens.text.slice(start, name.end),
        kind: 'field',
        nameStart: start,
        nameEnd: name.end,
        start: name.start,
        end: name.end,
      });
    }
    return Math.max(at + 1, next);
  };

  /** A small name: a call with or without parentheses, on something or not, or a variable. */
  const readName = (at: number): number => {
    const name = text(at);
    if (tokens.is(at - 1, '.') && !tokens.is(at - 2, '.')) {
      const on = at - 2;
      const isModule = isAlias(on) || text(on) === '__MODULE__';
      if (!isModule && !tokens.is(at + 1, '(') && tokens.kind[on] !== ATOM) return at + 1;
      const isPlain = tokens.kind[on] === WORD || tokens.kind[on] === ATOM;
      draft.references.push({
        name,
        kind: name === 't' && isModule ? 'member' : 'member-call',
        start: tokens.start[at]!,
        receiver: isPlain && text(on).length <= 80 ? text(on).replace(/^:/, '') : null,
        receiverType: text(on) === '__MODULE__' ? (modules[modules.length - 1]?.name ?? null) : null,
      });
      return at + 1;
    }
    const isCall = tokens.is(at + 1, '(') && touches(at);
    const isCaptured = tokens.is(at - 1, '&') && tokens.is(at + 1, '/');
    const isPiped = tokens.is(at - 1, '>') && tokens.is(at - 2, '|');
    if (isCall || isCaptured || isPiped || isBareCall(at)) calls.push({ name, start: tokens.start[at]! });
    return at + 1;
  };

  /** `assert ok`, `plug :auth`: at the beginning of a statement, with an argument on its line. */
  const isBareCall = (at: number): boolean => {
    const next = at + 1;
    if (next >= tokens.count || startsLine(next) || touches(at) || !startsStatement(at)) return false;
    if (tokens.kind[next] === WORD) return !operatorWords.has(text(next)) && text(next) !== 'do';
    return (
      tokens.kind[next] === STRING ||
      tokens.kind[next] === ATOM ||
      tokens.kind[next] === KEY ||
      /[%@&]/.test(text(next))
    );
  };

  const readAliasUse = (at: number): number => {
    const isStruct = tokens.is(at - 1, '%');
    // What is asked of a module says so with its receiver.
    if (!isStruct && tokens.is(at + 1, '.') && tokens.kind[at + 2] === WORD && text(at + 2) !== 't')
      return at + 1;
    const isType = tokens.is(at + 1, '.') && text(at + 2) === 't';
    draft.references.push({
      name: text(at),
      kind: isStruct ? 'new' : isType ? 'type' : 'use',
      start: tokens.start[at]!,
    });
    return isType ? at + 3 : at + 1;
  };

  const readWord = (at: number): number => {
    if (tokens.is(at - 1, '.') && !tokens.is(at - 2, '.')) {
      return definitions.get(text(at)) === 'struct' ? readDefinition(at) : readName(at);
    }
    if (isAlias(at)) return readAliasUse(at);
    const word = text(at);
    switch (word) {
      case 'do':
        if (pending !== null && depth <= pending.depth) {
          pending.symbol.bodyStart = tokens.start[at]!;
          open.push(pending.symbol);
          pending = null;
        } else open.push(null);
        return at + 1;
      case 'fn':
        open.push(null);
        return at + 1;
      case 'end': {
        endPending(at);
        const closed = open.pop();
        if (closed) closed.end = tokens.end[at]!;
        if (closed && closed === modules[modules.length - 1]) modules.pop();
        return at + 1;
      }
      case 'alias':
      case 'import':
      case 'require':
      case 'use':
        if (startsStatement(at) && readModuleName(tokens, at + 1) !== null) {
          return readAlias(tokens, at, draft, modules[modules.length - 1]?.name ?? null);
        }
        return readName(at);
      case 'defstruct':
      case 'defexception':
        return readFields(at);
      default:
        if (definitions.has(word) && startsStatement(at) && !tokens.is(at + 1, ':'))
          return readDefinition(at);
        return readName(at);
    }
  };

  const read = () => {
    for (let at = 0; at < tokens.count; ) {
      if (pending !== null && startsLine(at)) endPending(at);
      const kind = tokens.kind[at];
      if (kind === WORD) at = readWord(at);
      else if (kind === KEY && text(at) === 'do' && pending !== null && depth <= pending.depth) {
        pending.symbol.bodyStart = tokens.start[at]!;
        at++;
      } else if (kind === SIGN) {
        const sign = text(at);
        if (sign === '(' || sign === '[' || sign === '{') depth++;
        else if (sign === ')' || sign === ']' || sign === '}') depth = Math.max(0, depth - 1);
        at = sign === '@' ? readAttribute(at) : at + 1;
      } else at++;
    }
    if (pending !== null) pending.symbol.end = tokens.end[tokens.count - 1]!;
    for (const symbol of open) if (symbol) symbol.end = tokens.text.length;
    for (const { name, start } of calls) {
      if (defined.has(name) || !kernel.has(name)) draft.references.push({ name, kind: 'call', start });
    }
  };
  return { read };
}
