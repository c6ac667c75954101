export type TomlValue = string | number | boolean | TomlValue[] | { [key: string]: TomlValue };

export interface TomlEntry {
  /** Tables and dotted keys as one path: `['dependencies', 'serde', 'version']`. */
  path: string[];
  value: TomlValue;
  /** Counted from 1. */
  line: number;
}

const DEPTH_MAX = 16;

/** The entries of a TOML file in the order in which they stand. What is not TOML is passed over, line by line. */
export function tomlEntries(text: string): TomlEntry[] {
  const entries: TomlEntry[] = [];
  let table: string[] = [];
  let line = 1;
  let counted = 0;
  const reader = createReader(text);
  while (!reader.atEnd()) {
    const start = reader.skipBlanks();
    for (; counted < start; counted++) if (text[counted] === '\n') line++;
    if (reader.atEnd()) break;
    if (text[start] === '[') {
      const end = text.indexOf('\n', start);
      const head = text.slice(start, end < 0 ? text.length : end).match(/^\[\[?\s*([^\]]*?)\s*\]/);
      table = head ? keysOf(head[1]!) : [];
      reader.toLineEnd();
      continue;
    }
    const found = /[^=\n]*/y;
    found.lastIndex = start;
    const key = found.exec(text)?.[0] ?? '';
    if (text[start + key.length] !== '=') {
      reader.toLineEnd();
      continue;
    }
    reader.moveTo(start + key.length + 1);
    const value = reader.value(0);
    if (value !== undefined) entries.push({ path: [...table, ...keysOf(key)], value, line });
    reader.toLineEnd();
  }
  return entries;
}

function keysOf(written: string): string[] {
  return [...written.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map(
    (key) => key[1] ?? key[2] ?? key[3] ?? '',
  );
}

function createReader(text: string) {
  let at = 0;
  const skip = (pattern: RegExp) => {
    pattern.lastIndex = at;
    at += pattern.exec(text)?.[0].length ?? 0;
  };
  const value = (depth: number): TomlValue | undefined => {
    skip(/[ \t]*/y);
    const triple = text.startsWith('"""', at) ? '"""' : text.startsWith("'''", at) ? "'''" : '';
    if (triple) {
      const end = text.indexOf(triple, at + 3);
      const content = text.slice(at + 3, end < 0 ? text.length : end);
      at = end < 0 ? text.length : end + 3;
      return content;
    }
    const first = text[at];
    if (first === '"' || first === "'") {
      const string = first === '"' ? /"((?:\\.|[^"\\\n])*)"?/y : /'([^'\n]*)'?/y;
      string.lastIndex = at;
      const found = string.exec(text)!;
      at += found[0].length;
      return found[1]!;
    }
    if (depth < DEPTH_MAX && first === '[') return list(depth);
    if (depth < DEPTH_MAX && first === '{') return record(depth);
    const plain = /[^\s,\]}#]+/y;
    plain.lastIndex = at;
    const word = plain.exec(text)?.[0];
    if (word === undefined) return undefined;
    at += word.length;
    if (word === 'true' || word === 'false') return word === 'true';
    return /^[-+]?[\d_]+$/.test(word) ? Number(word.replaceAll('_', '')) : word;
  };
  const blanks = /(?:[\s,]|#[^\n]*)*/y;
  const list = (depth: number): TomlValue[] => {
    const items: TomlValue[] = [];
    at++;
    for (;;) {
      skip(blanks);
      if (at >= text.length || text[at] === ']') break;
      const item = value(depth + 1);
      if (item === undefined) break;
      items.push(item);
    }
    at++;
    return items;
  };
  const record = (depth: number): { [key: string]: TomlValue } => {
    const items: { [key: string]: TomlValue } = Object.create(null);
    at++;
    for (;;) {
      skip(blanks);
      if (at >= text.length || text[at] === '}') break;
      const key = /[^=\n}]*/y;
      key.lastIndex = at;
      const written = key.exec(text)![0];
      if (text[at + written.length] !== '=') break;
      at += written.length + 1;
      const item = value(depth + 1);
      if (item === undefined) break;
      items[keysOf(written).join('.')] = item;
    }
    at++;
    return items;
  };
  return {
    atEnd: () => at >= text.length,
    skipBlanks: () => {
      skip(/(?:\s|#[^\n]*)*/y);
      return at;
    },
    moveTo: (place: number) => {
      at = place;
    },
    toLineEnd: () => {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end + 1;
    },
    value,
  };
}
