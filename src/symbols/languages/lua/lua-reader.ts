import type { FactsDraft, SymbolDraft } from '../../scanning/facts-draft.ts';
import { STRING, type Tokens, WORD } from '../../scanning/token-list.ts';
import { createScopes, type Scopes } from './lua-scopes.ts';

const keywords: ReadonlySet<string> = new Set(
  'and break do else elseif end false for function goto if in local nil not or repeat return then true until while'.split(
    ' ',
  ),
);
/** Names that are the language's own. */
const builtins: ReadonlySet<string> = new Set(
  (
    '_G _ENV _VERSION assert collectgarbage coroutine debug dofile error getmetatable io ipairs load loadfile loadstring math next os package ' +
    'pairs pcall print rawequal rawget rawlen rawset require select setfenv getfenv setmetatable string table tonumber tostring type unpack ' +
    'utf8 xpcall arg bit bit32 jit module'
  ).split(' '),
);
const CONSTANT_LIKE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[A-Z]{3,}[0-9]*$/;

/** `a.b:c`: its names as tokens. */
interface Chain {
  parts: number[];
  /** The token behind it. */
  next: number;
  isMethod: boolean;
}

interface PendingUse {
  name: string;
  start: number;
}

export function createLuaReader(tokens: Tokens, draft: FactsDraft): { read(): void } {
  const scopes = createScopes();
  const tables = new Map<string, SymbolDraft>();
  const topNames = new Set<string>();
  const uses: PendingUse[] = [];
  const exported = new Set<string>();
  /** Open brackets: `{` is a table, in which `name =` is a key. */
  const brackets: string[] = [];

  const text = (token: number) => tokens.of(token);
  const isName = (token: number) =>
    tokens.kind[token] === WORD && !keywords.has(text(token)) && !/^\d/.test(text(token));

  const chainAt = (first: number): Chain => {
    const parts = [first];
    let at = first + 1;
    let isMethod = false;
    while (tokens.is(at, '.') && !tokens.is(at + 1, '.') && tokens.kind[at + 1] === WORD) {
      parts.push(at + 1);
      at += 2;
    }
    if (tokens.is(at, ':') && !tokens.is(at + 1, ':') && isName(at + 1)) {
      parts.push(at + 1);
      at += 2;
      isMethod = true;
    }
    return { parts, next: at, isMethod };
  };

  const isEquals = (at: number) => tokens.is(at, '=') && !tokens.is(at + 1, '=');

  /** A symbol from `first`; its end is put right where its block ends. */
  const define = (
    name: number,
    kind: SymbolDraft['kind'],
    first: number,
    last: number,
    isExported: boolean,
    owner: string | null = null,
  ): SymbolDraft => {
    const parent = owner === null ? undefined : tables.get(owner);
    const symbol = draft.symbol({
      ...(parent ? { parent } : {}),
      name: text(name),
      kind,
      nameStart: tokens.start[name]!,
      nameEnd: tokens.end[name]!,
      start: tokens.start[first]!,
      end: tokens.end[Math.min(last, tokens.count - 1)]!,
      exported: isExported,
    });
    return symbol;
  };

  /** `function a.b:c(x, y)` or, where a value is, `function (x, y)`; gives the token behind the parameters. */
  const readFunction = (
    at: number,
    symbol: SymbolDraft | null,
    owner: string | null,
    isMethod: boolean,
  ): number => {
    scopes.open('function', symbol, owner);
    if (isMethod) scopes.bind('self', owner);
    let next = at;
    if (tokens.is(next, '(')) {
      next++;
      while (next < tokens.count && !tokens.is(next, ')')) {
        if (isName(next)) scopes.bind(text(next), null);
        next++;
      }
      next++;
    }
    if (symbol) symbol.bodyStart = tokens.end[Math.min(next, tokens.count) - 1]!;
    return next;
  };

  const readNamedFunction = (at: number, isLocal: boolean): number => {
    const first = isLocal ? at - 1 : at;
    if (!isName(at + 1)) return readFunction(at + 1, null, null, false);
    const { parts, next, isMethod } = chainAt(at + 1);
    const name = parts[parts.length - 1]!;
    const owner = parts.length > 1 ? text(parts[parts.length - 2]!) : null;
    const isTop = !scopes.isInFunction();
    const symbol = define(name, isMethod ? 'method' : 'function', first, next, isTop && !isLocal, owner);
    if (parts.length === 1) {
      if (isLocal && !scopes.isTop()) scopes.bind(text(name), null);
      else topNames.add(text(name));
    } else use(parts[0]!);
    return readFunction(next, symbol, owner, isMethod);
  };

  const use = (token: number) => {
    const name = text(token);
    if (scopes.find(name) === undefined) uses.push({ name, start: tokens.start[token]! });
  };

  /** `local a <const>, b = …`, `global a = …`. Gives the token from which values are read. */
  const readDeclaration = (at: number): number => {
    const isLocal = text(at) === 'local';
    if (text(at + 1) === 'function') return readNamedFunction(at + 1, isLocal);
    const names: number[] = [];
    let next = at + 1;
    while (next < tokens.count) {
      if (isName(next)) names.push(next++);
      else if (tokens.is(next, '<') && tokens.is(next + 2, '>')) next += 3;
      else if (tokens.is(next, '*')) next++;
      else break;
      if (tokens.is(next, '<') && tokens.is(next + 2, '>')) next += 3;
      if (!tokens.is(next, ',')) break;
      next++;
    }
    const value = isEquals(next) ? next + 1 : -1;
    if (value >= 0 && names.length > 0 && readRequire(value, names[0]!)) names.shift();
    const [first] = names;
    if (value >= 0 && first !== undefined && text(value) === 'function') {
      const symbol = define(first, 'function', at, value, !isLocal);
      if (scopes.isTop()) topNames.add(text(first));
      else scopes.bind(text(first), null);
      return readFunction(value + 1, symbol, null, false);
    }
    // The value does not see the name, but a use of it there is rare and a wrong one harmless.
    names.forEach((name, place) => {
      const type = place === 0 && value >= 0 ? newType(value) : null;
      if (!scopes.isTop()) scopes.bind(text(name), type);
      else if (place === 0 && value >= 0) defineAssigned(name, at, value, !isLocal, type);
      else {
        topNames.add(text(name));
        define(name, 'variable', at, Math.max(next - 1, name), !isLocal);
      }
    });
    return value >= 0 ? value : next;
  };

  const defineAssigned = (
    name: number,
    first: number,
    value: number,
    isExported: boolean,
    type: string | null,
  ) => {
    const called = isName(value) ? chainAt(value) : null;
    const isTable =
      tokens.is(value, '{') ||
      text(value) === 'setmetatable' ||
      (called !== null && text(called.next - 1) === 'extend');
    const symbol = define(name, isTable ? 'object' : 'variable', first, lineEnd(value), isExported);
    symbol.type = type;
    topNames.add(text(name));
    if (isTable && !tables.has(text(name))) tables.set(text(name), symbol);
    if (called !== null && text(called.next - 1) === 'extend' && called.parts.length > 1) {
      draft.references.push({
        name: text(called.parts[called.parts.length - 2]!),
        kind: 'extends',
        start: tokens.start[called.parts[called.parts.length - 2]!]!,
      });
    }
  };

  /** Last token on the line of a token. */
  const lineEnd = (from: number): number => {
    let at = from;
    while (at + 1 < tokens.count && !startsLine(at + 1)) at++;
    return at;
  };

  const startsLine = (at: number): boolean =>
    at === 0 || tokens.text.slice(tokens.end[at - 1]!, tokens.start[at]!).includes('\n');

  /** `Foo.new(…)`, `Foo:new(…)`, `Foo(…)` with a capital. */
  const newType = (value: number): string | null => {
    if (!isName(value)) return null;
    const { parts, next } = chainAt(value);
    if (!tokens.is(next, '(') && !tokens.is(next, '{')) return null;
    const last = text(parts[parts.length - 1]!);
    if (/^(?:new|create|init)$/i.test(last) && parts.length > 1) return text(parts[parts.length - 2]!);
    return /^[A-Z]\w*[a-z]/.test(last) ? last : null;
  };

  /** `require "a.b"`, `require("a.b").c`; whether it was one. */
  const readRequire = (value: number, local: number): boolean => {
    if (text(value) !== 'require') return false;
    const module = tokens.is(value + 1, '(') ? value + 2 : value + 1;
    if (tokens.kind[module] !== STRING) return false;
    const behind = tokens.is(value + 1, '(') ? module + 2 : module + 1;
    const member = tokens.is(behind, '.') && isName(behind + 1) ? text(behind + 1) : '*';
    if (local >= 0 && !scopes.isTop()) scopes.bind(text(local), null);
    if (local >= 0) topNames.add(text(local));
    draft.imports.push({
      module: text(module).slice(1, -1),
      at: tokens.start[module]!,
      name: member,
      local: local >= 0 ? text(local) : '',
    });
    return true;
  };

  /** A name that begins a chain: a call, a member, an assignment, a use. Gives the token behind it. */
  const readChain = (first: number): number => {
    const chain = chainAt(first);
    const { parts, next, isMethod } = chain;
    const last = parts[parts.length - 1]!;
    const isCall =
      tokens.is(next, '(') || tokens.is(next, '{') || (tokens.kind[next] === STRING && !startsLine(next));
    const inTable = brackets[brackets.length - 1] === '{';
    if (isEquals(next)) {
      if (inTable && parts.length === 1) return readKey(first, next);
      if (brackets.length === 0) return readAssignment(chain);
    }
    if (parts.length === 1) {
      const name = text(first);
      if (name === 'require' && isCall && scopes.find(name) === undefined) {
        const known = draft.imports.some(({ at }) => at >= tokens.start[first]!);
        if (!known) readRequire(first, -1);
      } else if (isCall && scopes.find(name) === undefined) {
        if (!builtins.has(name) || topNames.has(name))
          draft.references.push({ name, kind: 'call', start: tokens.start[first]! });
      } else use(first);
      return next;
    }
    use(first);
    const receiver = parts.slice(0, -1).map(text).join('.');
    const root = text(first);
    const bound = scopes.find(root);
    if (isCall || isMethod) {
      draft.references.push({
        name: text(last),
        kind: 'member-call',
        start: tokens.start[last]!,
        receiver: receiver.length > 80 ? null : receiver,
        receiverType:
          parts.length === 2 ? (bound?.type ?? (tables.get(root) === undefined ? null : root)) : null,
      });
    } else if (bound === undefined && (topNames.has(root) || /^[A-Z]/.test(root))) {
      draft.references.push({
        name: text(last),
        kind: 'member',
        start: tokens.start[last]!,
        receiver: receiver.length > 80 ? null : receiver,
      });
    }
    return next;
  };

  /** `name = function (…)` within a table; `__index = Base` of a metatable. */
  const readKey = (name: number, equals: number): number => {
    const value = equals + 1;
    if (text(name) === '__index' && isName(value) && text(value) !== 'function') {
      const isWhole = tokens.is(value + 1, '}') || tokens.is(value + 1, ',');
      if (isWhole && scopes.find(text(value)) === undefined) {
        draft.references.push({ name: text(value), kind: 'extends', start: tokens.start[value]! });
        return value + 1;
      }
    }
    if (text(value) !== 'function') return value;
    const symbol = scopes.isInFunction() ? null : define(name, 'function', name, value, true);
    return readFunction(value + 1, symbol, null, false);
  };

  const readAssignment = ({ parts, next }: Chain): number => {
    const value = next + 1;
    const last = parts[parts.length - 1]!;
    const [first = last] = parts;
    const isLocal = parts.length === 1 && scopes.find(text(first)) !== undefined;
    if (parts.length > 1) use(first);
    const owner = parts.length > 1 ? text(parts[parts.length - 2]!) : null;
    if (text(value) === 'function') {
      const isExported = !scopes.isInFunction() && !isLocal;
      const symbol = define(last, 'function', first, value, isExported, owner);
      if (!isLocal && parts.length === 1) topNames.add(text(last));
      return readFunction(value + 1, symbol, owner, false);
    }
    if (scopes.isInFunction() || isLocal) return value;
    if (parts.length > 1) define(last, 'field', first, lineEnd(value), true, owner);
    else if (!topNames.has(text(last))) defineAssigned(last, first, value, true, newType(value));
    return value;
  };

  /** `for i, v in …` and `for i = 1, 3`: they hold in the block that `do` opens. */
  const readFor = (at: number): number => {
    const names: string[] = [];
    let next = at + 1;
    while (isName(next)) {
      names.push(text(next));
      next += tokens.is(next + 1, ',') ? 2 : 1;
    }
    scopes.bindInNext(names);
    return next;
  };

  /** What the file returns it exports: a name, or the names in a table. */
  const readReturn = (at: number): void => {
    if (scopes.isInFunction()) return;
    if (isName(at + 1)) exported.add(text(at + 1));
    if (!tokens.is(at + 1, '{')) return;
    for (let next = at + 2; next < tokens.count && !tokens.is(next, '}'); next++) {
      if (isName(next) && (tokens.is(next + 1, ',') || tokens.is(next + 1, '}'))) exported.add(text(next));
    }
  };

  const readWord = (at: number): number => {
    switch (text(at)) {
      case 'local':
        return readDeclaration(at);
      case 'global':
        if (isName(at + 1) || text(at + 1) === 'function' || tokens.is(at + 1, '<'))
          return readDeclaration(at);
        return readChain(at);
      case 'function': {
        const isStatement = isName(at + 1);
        return isStatement ? readNamedFunction(at, false) : readFunction(at + 1, null, null, false);
      }
      case 'if':
      case 'do':
      case 'repeat':
        scopes.open(text(at), null, null);
        return at + 1;
      case 'else':
      case 'elseif':
        scopes.close();
        scopes.open('if', null, null);
        return at + 1;
      case 'end':
      case 'until': {
        const closed = scopes.close();
        if (closed?.symbol) closed.symbol.end = tokens.end[at]!;
        return at + 1;
      }
      case 'for':
        return readFor(at);
      case 'goto':
        return at + 2;
      case 'return':
        readReturn(at);
        return at + 1;
      default:
        if (!isName(at)) return at + 1;
        // What follows a call or an index: its receiver has no name.
        if (tokens.is(at - 1, '.') && !tokens.is(at - 2, '.')) return readAfterDot(at);
        if (tokens.is(at - 1, ':')) return tokens.is(at - 2, ':') ? at + 1 : readAfterDot(at);
        return readChain(at);
    }
  };

  const readAfterDot = (at: number): number => {
    const { parts, next, isMethod } = chainAt(at);
    const last = parts[parts.length - 1]!;
    if (tokens.is(next, '(') || tokens.is(next, '{') || tokens.kind[next] === STRING || isMethod) {
      draft.references.push({ name: text(last), kind: 'member-call', start: tokens.start[last]! });
    }
    return next;
  };

  return {
    read() {
      for (let at = 0; at < tokens.count; ) {
        if (tokens.kind[at] === WORD) {
          at = readWord(at);
          continue;
        }
        const sign = text(at);
        if (sign === '{' || sign === '(' || sign === '[') brackets.push(sign);
        else if (sign === '}' || sign === ')' || sign === ']') brackets.pop();
        at++;
      }
      finish(draft, scopes, { tables, topNames, uses, exported });
    },
  };
}

function finish(
  draft: FactsDraft,
  scopes: Scopes,
  found: {
    tables: ReadonlyMap<string, SymbolDraft>;
    topNames: ReadonlySet<string>;
    uses: readonly PendingUse[];
    exported: ReadonlySet<string>;
  },
): void {
  for (let open = scopes.close(); open !== null; open = scopes.close()) {
    if (open.symbol) open.symbol.end = draft.text.length;
  }
  for (const symbol of draft.symbols) {
    if (found.exported.has(symbol.name)) symbol.exported = true;
  }
  for (const { name, start } of found.uses) {
    if (found.topNames.has(name) || (CONSTANT_LIKE.test(name) && !builtins.has(name))) {
      draft.references.push({ name, kind: 'use', start });
    }
  }
}
