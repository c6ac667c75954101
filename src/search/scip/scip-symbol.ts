/**
 * A symbol of SCIP as text, `scheme manager package version descriptors`: spaces within a part are doubled. What a symbol is called
 * in every version of its package is its key.
 */
export interface SymbolParts {
  scheme: string;
  manager: string;
  /** Empty where the indexer knew none. */
  packageName: string;
  version: string;
  descriptors: string;
}

export const LOCAL_SYMBOL = 'local ';

/** Null for local symbols and for what is no symbol at all. */
export function symbolParts(symbol: string): SymbolParts | null {
  if (symbol.startsWith(LOCAL_SYMBOL)) return null;
  const parts: string[] = [];
  let at = 0;
  while (parts.length < 4) {
    const end = partEnd(symbol, at);
    if (end < 0) return null;
    const part = symbol.slice(at, end).replaceAll('  ', ' ');
    parts.push(part === '.' ? '' : part);
    at = end + 1;
  }
  const [scheme = '', manager = '', packageName = '', version = ''] = parts;
  const descriptors = symbol.slice(at);
  return descriptors === '' ? null : { scheme, manager, packageName, version, descriptors };
}

/** Empty for what is part of no package: such symbols mean nothing in another repository. */
export function symbolKey(symbol: string): string {
  const parts = symbolParts(symbol);
  if (parts === null || parts.packageName === '') return '';
  return `${parts.scheme} ${parts.manager} ${parts.packageName} ${parts.descriptors}`;
}

/** The single space that ends a part; -1 where none does. */
function partEnd(symbol: string, from: number): number {
  for (let at = symbol.indexOf(' ', from); at >= 0; at = symbol.indexOf(' ', at + 2))
    if (symbol[at + 1] !== ' ') return at;
  return -1;
}

/** What kind a name is, by the sign behind it. */
export type DescriptorKind =
  | 'namespace'
  | 'type'
  | 'term'
  | 'method'
  | 'type-parameter'
  | 'parameter'
  | 'meta'
  | 'macro';

export interface Descriptor {
  name: string;
  kind: DescriptorKind;
}

const kindOfSign: Readonly<Record<string, DescriptorKind>> = {
  '/': 'namespace',
  '#': 'type',
  '.': 'term',
  ':': 'meta',
  '!': 'macro',
};

/** The names that lead to a symbol, outermost first; empty where they cannot be read. */
export function descriptorsOf(text: string): Descriptor[] {
  const found: Descriptor[] = [];
  let at = 0;
  const name = (): string | null => {
    if (text[at] !== '`') {
      const word = /^[\w$+-]+/.exec(text.slice(at, at + 512))?.[0];
      if (word === undefined) return null;
      at += word.length;
      return word;
    }
    let end = text.indexOf('`', at + 1);
    while (end >= 0 && text[end + 1] === '`') end = text.indexOf('`', end + 2);
    if (end < 0) return null;
    const quoted = text.slice(at + 1, end).replaceAll('``', '`');
    at = end + 1;
    return quoted;
  };
  while (at < text.length) {
    const bracket = text[at];
    if (bracket === '[' || bracket === '(') {
      at++;
      const inner = name();
      if (inner === null || text[at] !== (bracket === '[' ? ']' : ')')) return [];
      at++;
      found.push({ name: inner, kind: bracket === '[' ? 'type-parameter' : 'parameter' });
      continue;
    }
    const word = name();
    if (word === null) return [];
    if (text[at] === '(') {
      const end = text.indexOf(').', at);
      if (end < 0) return [];
      at = end + 2;
      found.push({ name: word, kind: 'method' });
      continue;
    }
    const kind = kindOfSign[text[at] ?? ''];
    if (kind === undefined) return [];
    at++;
    found.push({ name: word, kind });
  }
  return found;
}
