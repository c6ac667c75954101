/**
 * Reads tree-sitter's query language, the part of it that our queries use: nodes with fields, captures, `?`, `*`, `+`, `.`, `!field`,
 * alternatives, `_`, anonymous nodes, and after a pattern's nodes predicates and `#set!`. Groups of siblings are not read.
 */

export interface QueryElement {
  /** Types of nodes that fit, or other elements of which each is tried. */
  shape: { kind: 'named' | 'anonymous'; type: string } | { kind: 'any'; named: boolean } | Alternatives;
  field: string | null;
  captures: string[];
  quantifier: '' | '?' | '*' | '+';
  /** Stands right behind the element before it, or first in its parent. */
  anchored: boolean;
  children: QueryElement[];
  /** The last child must be the parent's last one. */
  anchoredEnd: boolean;
  negatedFields: string[];
}

interface Alternatives {
  kind: 'alternatives';
  elements: QueryElement[];
}

export interface QueryPredicate {
  name: string;
  /** Captures with their `@`, other words without quotes. */
  words: string[];
}

export interface QueryPattern {
  root: QueryElement;
  predicates: QueryPredicate[];
  /** Of the source, counted from 1. */
  line: number;
}

export function parseQuerySource(source: string): QueryPattern[] {
  const tokens = tokensOf(source);
  let at = 0;
  const peek = () => tokens[at]?.text ?? '';
  const take = () => tokens[at++]!;
  const fault = (what: string): Error => {
    const line = (tokens[at] ?? tokens[tokens.length - 1])?.line ?? 1;
    return new Error(`query, line ${line}: ${what}`);
  };

  const expect = (text: string) => {
    if (peek() !== text) throw fault(`"${text}" expected, "${peek()}" found`);
    at++;
  };

  const suffixes = (element: QueryElement) => {
    if (/^[?*+]$/.test(peek())) element.quantifier = take().text as '?' | '*' | '+';
    while (peek().startsWith('@')) element.captures.push(take().text.slice(1));
    return element;
  };

  const readElement = (): QueryElement => {
    const element: QueryElement = {
      shape: { kind: 'any', named: false },
      field: null,
      captures: [],
      quantifier: '',
      anchored: false,
      children: [],
      anchoredEnd: false,
      negatedFields: [],
    };
    if (tokens[at + 1]?.text === ':') {
      element.field = take().text;
      at++;
    }
    const { text } = take();
    if (text === '[') {
      const elements: QueryElement[] = [];
      while (peek() !== ']' && at < tokens.length) elements.push(readElement());
      expect(']');
      element.shape = { kind: 'alternatives', elements };
    } else if (text.startsWith('"')) {
      element.shape = { kind: 'anonymous', type: JSON.parse(text) as string };
    } else if (text === '_') {
      element.shape = { kind: 'any', named: false };
    } else if (text === '(') {
      const type = take().text;
      element.shape = type === '_' ? { kind: 'any', named: true } : { kind: 'named', type };
      readChildren(element);
      expect(')');
    } else {
      throw fault(`"${text}" begins no node`);
    }
    return suffixes(element);
  };

  const readChildren = (element: QueryElement) => {
    let anchored = false;
    while (peek() !== ')' && at < tokens.length) {
      if (peek() === '.') {
        at++;
        anchored = true;
      } else if (peek() === '!') {
        at++;
        element.negatedFields.push(take().text);
      } else if (peek() === '(' && tokens[at + 1]?.text.startsWith('#')) {
        // A predicate within the node belongs to the whole pattern.
        predicates.push(readPredicate());
      } else {
        const child = readElement();
        child.anchored = anchored;
        anchored = false;
        element.children.push(child);
      }
    }
    element.anchoredEnd = anchored;
  };

  const readPredicate = (): QueryPredicate => {
    expect('(');
    const name = take().text;
    const words: string[] = [];
    while (peek() !== ')' && at < tokens.length) {
      const { text } = take();
      words.push(text.startsWith('"') ? (JSON.parse(text) as string) : text);
    }
    expect(')');
    return { name, words };
  };

  let predicates: QueryPredicate[] = [];
  const patterns: QueryPattern[] = [];
  while (at < tokens.length) {
    predicates = [];
    const { line } = tokens[at]!;
    let root: QueryElement;
    if (peek() === '(' && (tokens[at + 1]?.text === '(' || tokens[at + 1]?.text === '[')) {
      at++;
      root = readElement();
      while (peek() === '(' && tokens[at + 1]?.text.startsWith('#')) predicates.push(readPredicate());
      if (peek() !== ')') throw fault('siblings in a group are not read: one node and its predicates');
      at++;
    } else {
      root = readElement();
    }
    patterns.push({ root, predicates, line });
  }
  return patterns;
}

function tokensOf(source: string): { text: string; line: number }[] {
  const tokens: { text: string; line: number }[] = [];
  const pattern = /\s+|;[^\n]*|"(?:\\.|[^"\\])*"|@[\w.-]+|#[\w.?!-]+|[()[\]:!?*+]|\.|[\w/-]+(?:\.[\w/-]+)*/gy;
  let line = 1;
  for (let at = 0; at < source.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (!found) throw new Error(`query, line ${line}: "${source.slice(at, at + 10)}" is no part of a query`);
    const text = found[0];
    if (!/^[\s;]/.test(text)) tokens.push({ text, line });
    line += text.split('\n').length - 1;
  }
  return tokens;
}
