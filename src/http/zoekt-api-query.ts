import { zoektQueryInvalid } from './errors.ts';

/**
 * A query of zoekt's language in ours. The two agree in nearly all; but zoekt takes every word and value as a regex, where ours takes
 * as text what looks like it, so each is marked as what it is. Throws http/zoekt-query.
 */
export function fromZoektQuery(text: string): string {
  const reader = { text, at: 0 };
  let written = '';
  for (;;) {
    while (/\s/.test(text.charAt(reader.at))) reader.at++;
    const token = nextToken(reader);
    if (!token) return written.trim();
    const part = partOf(token);
    if (part === '') continue;
    written += part;
    if (part !== '-') written += ' ';
  }
}

interface Token {
  field: string | null;
  /** The value, quotes taken off. */
  value: string;
  /** As it stands in the query. */
  written: string;
}

function partOf({ field, value, written }: Token): string {
  switch (field) {
    case null:
      return isMark(written) ? written : patternOf(value);
    case 'regex':
      return patternOf(value);
    case 'f':
    case 'file':
      return `file:${regexOf(value)}`;
    case 'c':
    case 'content':
      return `content:${regexOf(value)}`;
    case 'r':
    case 'repo':
      return `repo:${regexOf(value)}`;
    case 'sym':
      return `sym:${regexOf(value)}`;
    case 'b':
    case 'branch':
      return `branch:${quoted(value)}`;
    case 'lang':
      return `lang:${quoted(value)}`;
    case 'case':
    case 'archived':
    case 'fork':
      return `${field}:${value}`;
    case 't':
    case 'type':
      return `type:${kinds[value] ?? refuse(`there is no type "${value}", use filematch, filename or repo`)}`;
    case 'public':
      return '';
    default:
      return refuse(`${field} is not known here`);
  }
}

const kinds: Readonly<Record<string, string>> = {
  filematch: 'content',
  filename: 'file',
  file: 'file',
  repo: 'repo',
};

function refuse(what: string): never {
  throw zoektQueryInvalid(what);
}

function isMark(written: string): boolean {
  return ['-', '(', ')', 'or'].includes(written);
}

/** A word: the plain ones as text, so that an answer's reading is plain, too. */
function patternOf(source: string): string {
  return /[\\.+*?()|[\]{}^$]/.test(source) ? regexOf(source) : quoted(source);
}

function regexOf(source: string): string {
  if (source === '') refuse('a field has no value');
  return `/${source.replace(/\\?\//g, '\\/')}/`;
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

const FIELDS =
  /^(?:archived|b|branch|c|case|content|f|file|fork|public|r|regex|repo|lang|sym|t|type|meta\.[^:]*):/;

/**
 * As zoekt reads it: quotes may stand anywhere in a word, parentheses within a word belong to it, unless a blank stands between a
 * first one and its partner, which makes them a group.
 */
function nextToken(reader: { text: string; at: number }): Token | null {
  const { text } = reader;
  const start = reader.at;
  if (start >= text.length) return null;
  if (text[start] === '-') return mark(reader, '-');
  let value = '';
  let open = 0;
  let at = start;
  let isGroup = false;
  for (; at < text.length; at++) {
    const character = text[at]!;
    if (/\s/.test(character)) {
      isGroup = open > 0 && text[start] === '(';
      break;
    }
    if (character === ')') {
      if (open === 0) break;
      open--;
    }
    if (character === '(') open++;
    if (character === '"') {
      const literal = literalAt(text, at);
      value += literal.value;
      at = literal.end - 1;
    } else if (character === '\\') {
      if (at + 1 === text.length) refuse('it ends in a lone backslash');
      value += text.slice(at, at + 2);
      at++;
    } else {
      value += character;
    }
  }
  if (isGroup) return mark(reader, '(');
  if (at === start) return mark(reader, ')');
  reader.at = at;
  const written = text.slice(start, at);
  const field = FIELDS.exec(written)?.[0];
  if (field === undefined) return { field: null, value, written };
  return { field: field.slice(0, -1), value: value.slice(field.length), written };
}

function mark(reader: { at: number }, written: string): Token {
  reader.at++;
  return { field: null, value: written, written };
}

function literalAt(text: string, start: number): { value: string; end: number } {
  let value = '';
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return { value, end: at + 1 };
    if (text[at] === '\\') at++;
    value += text[at] ?? '';
  }
  return refuse('a quote is not closed');
}
