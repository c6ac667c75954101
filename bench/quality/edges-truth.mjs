/** SCIP indexes as the truth: what stands where, and where it is defined. */
import { readFileSync } from 'node:fs';
import { fromBinary } from '@bufbuild/protobuf';
import { IndexSchema } from '@c4312/scip';

const DEFINITION = 1;

/**
 * `documents`: by path its occurrences, each once by where it begins, with the symbols that it stands for. `definitionsOf(symbol, path)`:
 * where a symbol is defined in this index, lines from 1, and 0 for
 * a file as a module.
 */
export function readTruth(file) {
  const { documents } = fromBinary(IndexSchema, readFileSync(file));
  const definitions = new Map();
  const byPath = new Map();
  const packages = new Set();
  for (const { relativePath, occurrences } of documents) {
    const places = new Map();
    byPath.set(relativePath, places);
    for (const { range, symbol, symbolRoles } of occurrences) {
      const [line, column, third, fourth] = range;
      const isDefinition = (symbolRoles & DEFINITION) !== 0;
      const end = fourth === undefined ? third : line === third ? fourth : column;
      if (isDefinition) {
        const key = keyOf(symbol, relativePath);
        const isModule = end === column || (line === 0 && column === 0 && /\/(?:__init__:)?$/.test(symbol));
        const known = definitions.get(key) ?? [];
        definitions.set(key, known);
        known.push({ path: relativePath, line: isModule ? 0 : line + 1 });
        const { manager, name } = externalOf(symbol) ?? {};
        if (name !== undefined) packages.add(`${manager} ${name}`.toLowerCase());
      }
      if (end === column) continue;
      const place = `${line + 1}:${column}`;
      const one = places.get(place) ?? { line: line + 1, column, end, symbols: [], isDefinition: false };
      places.set(place, one);
      one.symbols.push(symbol);
      one.isDefinition ||= isDefinition;
    }
  }
  return {
    documents: byPath,
    /** Those that it defines something of, in lower case. */
    packages,
    definitionsOf: (symbol, path) =>
      variants(symbol).flatMap((variant) => definitions.get(keyOf(variant, path)) ?? []),
  };
}

/** A getter and its setter are one, and so are a class and its constructor. */
function variants(symbol) {
  const accessor = /^(.*)`<(?:get|set)>([^`]+)`(\(\)\.)$/.exec(symbol);
  if (accessor) {
    const [, before, name, after] = accessor;
    return ['get', 'set'].map((which) => `${before}\`<${which}>${name}\`${after}`);
  }
  const made = /^(.*#)`<constructor>`\(\)\.$/.exec(symbol);
  return made ? [symbol, made[1]] : [symbol];
}

export const isLocal = (symbol) => symbol.startsWith('local ');

/** `method`, `type`, `parameter`, `type-parameter`, `term`, `module`. */
export function suffixOf(symbol) {
  if (/\(\S*\)\.$/.test(symbol)) return 'method';
  if (symbol.endsWith('#')) return 'type';
  if (symbol.endsWith('.')) return 'term';
  if (symbol.endsWith(')')) return 'parameter';
  if (symbol.endsWith(']')) return 'type-parameter';
  return 'module';
}

/** Package, and what is named within it: `Werkzeug`, `werkzeug.exceptions`, `HTTPException`. Null for locals. */
export function externalOf(symbol) {
  const parts = /^\S+ (\S+) (\S+) \S+ (.*)$/.exec(symbol);
  if (parts === null) return null;
  const [, manager, name, descriptors] = parts;
  const last = /([\w$]+)`?(?:[#.:]|\(\S*\)\.)?$/.exec(descriptors)?.[1] ?? '';
  const file = /^(?:`([^`]+)`|([^`/#]+))\//.exec(descriptors);
  return { manager, name, module: (file?.[1] ?? file?.[2] ?? '').replaceAll('/', '.'), last, descriptors };
}

function keyOf(symbol, path) {
  return isLocal(symbol) ? `${path} ${symbol}` : symbol;
}
