/**
 * One pattern of a gitignore file, matched as git does (wildmatch.c with WM_PATHNAME) and in bounded time: git's own matcher
 * tries every star again inside every other, this one only the last of a segment and the last `**` between segments.
 *
 * Texts are bytes as Latin-1 characters, as git compares bytes: `?` is one of them.
 */
export interface IgnorePattern {
  isNegated: boolean;
  onlyDirectories: boolean;
  /** Without a slash it is matched with the last segment of a path, else with all of the path. */
  hasSlash: boolean;
  /** What it matches when that is one text alone. */
  literal: string | null;
  /** `.env` for `*.env`: anything that ends so matches. */
  suffix: string | null;
  /** Of the pattern, when it has to be matched step by step. */
  cost: number;
  matches(text: string): boolean;
}

/** A line of the file without its line break; null for a comment, a blank line and what git takes for a pattern that matches nothing. */
export function parseIgnoreLine(line: string): IgnorePattern | null {
  let text = withoutTrailingSpaces(line);
  if (text === '' || text.startsWith('#')) return null;
  const isNegated = text.startsWith('!');
  if (isNegated) text = text.slice(1);
  const onlyDirectories = text.endsWith('/');
  if (onlyDirectories) text = text.slice(0, -1);
  const hasSlash = text.includes('/');
  if (text.startsWith('/')) text = text.slice(1);
  if (text === '') return null;
  const segments = segmentsOf(text);
  if (segments === null) return null;
  const [only] = segments;
  const literal = literalOf(segments);
  const [prefix] = /^[^*?[\\]*/.exec(text)!;
  const suffix = segments.length === 1 && !hasSlash && only !== anyDepth ? suffixOf(only!) : null;
  return {
    isNegated,
    onlyDirectories,
    hasSlash,
    literal,
    suffix,
    cost: literal === null && suffix === null ? text.length : 0,
    matches: (path) =>
      literal === null
        ? path.startsWith(prefix) && matchSegments(segments, path.split('/'))
        : path === literal,
  };
}

type Token = { kind: 'literal'; text: string } | { kind: 'one' } | { kind: 'any' } | ByteClass;

interface ByteClass {
  kind: 'class';
  /** 256 flags. */
  bytes: Uint8Array;
}

/** `**` between slashes. */
const anyDepth = 'any-depth';
type Segment = Token[] | typeof anyDepth;

const isLiteral = (token: Token): token is { kind: 'literal'; text: string } => token.kind === 'literal';

function literalOf(segments: readonly Segment[]): string | null {
  const names: string[] = [];
  for (const segment of segments) {
    if (segment === anyDepth || !segment.every(isLiteral)) return null;
    names.push(segment.map(({ text }) => text).join(''));
  }
  return names.join('/');
}

function suffixOf(segment: readonly Token[]): string | null {
  const [star, ...rest] = segment;
  if (star?.kind !== 'any' || !rest.every(isLiteral)) return null;
  return rest.map(({ text }) => text).join('');
}

/** Git takes a trailing space away unless a backslash stands before it. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') {
    let slashes = 0;
    while (line[end - 2 - slashes] === '\\') slashes++;
    if (slashes % 2 === 1) break;
    end--;
  }
  return line.slice(0, end);
}

/** Null where git's matcher gives up: a bracket that nothing closes, a backslash at the end. */
function segmentsOf(pattern: string): Segment[] | null {
  const segments: Segment[] = [];
  let tokens: Token[] = [];
  const literal = (text: string) => {
    const last = tokens.at(-1);
    if (last?.kind === 'literal') last.text += text;
    else tokens.push({ kind: 'literal', text });
  };
  let segmentStart = 0;
  let stars = 0;
  for (let at = 0; at <= pattern.length; ) {
    const char = pattern[at];
    const slashBytes = char === '/' ? 1 : char === '\\' && pattern[at + 1] === '/' ? 2 : 0;
    if (char === undefined || slashBytes > 0) {
      segments.push(stars >= 2 && stars === at - segmentStart ? anyDepth : tokens);
      tokens = [];
      at += Math.max(1, slashBytes);
      segmentStart = at;
      stars = 0;
    } else if (char === '*') {
      stars++;
      if (tokens.at(-1)?.kind !== 'any') tokens.push({ kind: 'any' });
      at++;
    } else if (char === '?') {
      tokens.push({ kind: 'one' });
      at++;
    } else if (char === '[') {
      const parsed = byteClass(pattern, at + 1);
      if (parsed === null) return null;
      tokens.push({ kind: 'class', bytes: parsed.bytes });
      at = parsed.end;
    } else if (char === '\\') {
      const escaped = pattern[at + 1];
      if (escaped === undefined) return null;
      literal(escaped);
      at += 2;
    } else {
      literal(char);
      at++;
    }
  }
  return segments;
}

const slash = 0x2f;

function byteClass(pattern: string, from: number): { bytes: Uint8Array; end: number } | null {
  const bytes = new Uint8Array(256);
  let at = from;
  const isInverted = pattern[at] === '!' || pattern[at] === '^';
  if (isInverted) at++;
  let previous = -1;
  for (let first = true; first || pattern[at] !== ']'; first = false) {
    let char = pattern[at];
    if (char === undefined) return null;
    if (char === '[' && pattern[at + 1] === ':') {
      const close = pattern.indexOf(']', at + 2);
      if (close < 0) return null;
      if (pattern[close - 1] === ':' && close - 1 > at + 1) {
        const named = posixClasses[pattern.slice(at + 2, close - 1)];
        if (named === undefined) return null;
        for (let byte = 0; byte < 128; byte++) if (named.test(String.fromCharCode(byte))) bytes[byte] = 1;
        at = close + 1;
        previous = -1;
        continue;
      }
    }
    if (char === '-' && previous >= 0 && pattern[at + 1] !== undefined && pattern[at + 1] !== ']') {
      at++;
      if (pattern[at] === '\\') at++;
      const last = pattern.charCodeAt(at);
      if (Number.isNaN(last)) return null;
      for (let byte = previous; byte <= last; byte++) bytes[byte] = 1;
      previous = -1;
      at++;
      continue;
    }
    if (char === '\\') char = pattern[++at];
    if (char === undefined) return null;
    previous = char.charCodeAt(0);
    bytes[previous] = 1;
    at++;
  }
  if (isInverted) for (let byte = 0; byte < 256; byte++) bytes[byte] = 1 - bytes[byte]!;
  bytes[slash] = 0;
  return { bytes, end: at + 1 };
}

const posixClasses: Record<string, RegExp> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[\x21-\x7e]/,
  lower: /[a-z]/,
  print: /[\x20-\x7e]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\v\f\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** `**` at the end asks for something below it, elsewhere for any directories or none. */
function matchSegments(pattern: readonly Segment[], path: readonly string[]): boolean {
  let p = 0;
  let s = 0;
  let retryPattern = -1;
  let retryPath = 0;
  while (s < path.length) {
    const segment = pattern[p];
    if (segment === anyDepth) {
      if (p === pattern.length - 1) return true;
      p++;
      retryPattern = p;
      retryPath = s;
    } else if (segment !== undefined && matchTokens(segment, path[s]!)) {
      p++;
      s++;
    } else if (retryPattern >= 0 && retryPath < path.length) {
      p = retryPattern;
      s = ++retryPath;
    } else {
      return false;
    }
  }
  return p === pattern.length;
}

function matchTokens(tokens: readonly Token[], text: string): boolean {
  let t = 0;
  let at = 0;
  let retryToken = -1;
  let retryAt = 0;
  for (;;) {
    const token = tokens[t];
    if (token === undefined) {
      if (at === text.length) return true;
    } else if (token.kind === 'any') {
      if (t === tokens.length - 1) return true;
      retryToken = ++t;
      retryAt = at;
      continue;
    } else {
      const end = endOf(token, text, at);
      if (end >= 0) {
        t++;
        at = end;
        continue;
      }
    }
    if (retryToken < 0 || retryAt >= text.length) return false;
    t = retryToken;
    at = ++retryAt;
  }
}

function endOf(token: Exclude<Token, { kind: 'any' }>, text: string, at: number): number {
  if (token.kind === 'literal') return text.startsWith(token.text, at) ? at + token.text.length : -1;
  if (at >= text.length) return -1;
  return token.kind === 'one' || token.bytes[text.charCodeAt(at)] === 1 ? at + 1 : -1;
}
