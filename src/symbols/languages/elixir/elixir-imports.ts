import type { FactsDraft } from '../../scanning/facts-draft.ts';
import { type Tokens, WORD } from '../../scanning/token-list.ts';
import { KEY } from './elixir-tokens.ts';

/** The module that is named at a token, null for none: `Acme.Shop`, `__MODULE__`. */
export function readModuleName(tokens: Tokens, at: number): string | null {
  if (tokens.kind[at] !== WORD) return null;
  const name = tokens.of(at);
  return /^(?:[A-Z]|__MODULE__$)/.test(name) ? name : null;
}

/** `alias Acme.{Item, Order.Line}`, `alias Acme.Customer, as: Buyer`, `import`, `require`, `use`. Gives the token behind the names. */
export function readAlias(tokens: Tokens, first: number, draft: FactsDraft, around: string | null): number {
  const isAlias = tokens.of(first) === 'alias';
  const written = readModuleName(tokens, first + 1)!;
  let module = written === '__MODULE__' && around !== null ? around : written;
  let at = first + 2;
  if (written === '__MODULE__' && tokens.is(at, '.') && readModuleName(tokens, at + 1) !== null) {
    module = `${module}.${tokens.of(at + 1)}`;
    at += 2;
  }
  const start = tokens.start[first + 1]!;
  if (tokens.is(at, '.') && tokens.is(at + 1, '{')) {
    at += 2;
    while (at < tokens.count && !tokens.is(at, '}')) {
      const member = readModuleName(tokens, at);
      if (member !== null) {
        draft.imports.push({
          module: `${module}.${member}`,
          at: tokens.start[at]!,
          local: isAlias ? lastPart(member) : '',
        });
      }
      at++;
    }
    return at + 1;
  }
  let local = isAlias ? lastPart(module) : '';
  if (tokens.is(at, ',') && tokens.kind[at + 1] === KEY && tokens.of(at + 1) === 'as') {
    local = readModuleName(tokens, at + 2) ?? local;
    at += 3;
  }
  draft.imports.push({ module, at: start, local });
  return at;
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
