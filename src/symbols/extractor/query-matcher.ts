import type { Language } from 'web-tree-sitter';
import type { QueryElement, QueryPredicate } from './query-source.ts';
import { parseQuerySource } from './query-source.ts';
import type { SyntaxTree } from './syntax-tree.ts';

/** One fit of a pattern: `nodes[i]` was captured as `captureNames[captures[i]]`, for `i < count`. Lent for the time of the call. */
export interface QueryMatch {
  /** Number of the pattern, in the order of the source. */
  pattern: number;
  captures: number[];
  nodes: number[];
  count: number;
}

export interface QueryMatcher {
  /** Names of captures by their numbers. */
  readonly captureNames: readonly string[];
  /** Names of the captures of a pattern and what it says by `#set!`. */
  readonly patterns: readonly { captures: readonly string[]; settings: ReadonlyMap<string, string> }[];
  /** Calls `onMatch` for each fit, in the order of the nodes at which patterns begin. Throws what `onStep` throws. */
  run(tree: SyntaxTree, onMatch: (match: QueryMatch) => void, onStep: () => void): void;
}

/** What could not be read. */
const ERROR_TYPE = 65_535;
/** Steps between two calls of `onStep`. */
const STEPS_BETWEEN_CHECKS = 16_384;

/**
 * Our own reading of tree-sitter's queries, over the flat tree: each node is looked at by the patterns that begin with its type alone.
 * tree-sitter's cursor took half as long as parsing did, its answers as objects the other half.
 *
 * Unlike there, `*` and `+` take every child that fits, from where they stand on.
 */
export function compileQuery(source: string, language: Language, tree: SyntaxTree): QueryMatcher {
  const patterns = parseQuerySource(source);
  const match: QueryMatch = { pattern: 0, captures: [], nodes: [], count: 0 };
  let onMatch: (match: QueryMatch) => void = () => {};
  let onStep: () => void = () => {};
  let steps = 0;
  const typeCount = language.nodeTypeCount;
  /** Patterns that may begin at a node of a type; behind all types those for what could not be read. */
  const byType: (Matcher[] | undefined)[] = Array.from({ length: typeCount + 1 });

  const captureNames: string[] = [];
  const captureNumber = (name: string): number => {
    if (!captureNames.includes(name)) captureNames.push(name);
    return captureNames.indexOf(name);
  };

  const capture = (number: number, node: number) => {
    match.captures[match.count] = number;
    match.nodes[match.count++] = node;
  };

  const typesOf = (element: QueryElement, line: number): number[] => {
    const { shape } = element;
    if (shape.kind === 'alternatives') return shape.elements.flatMap((one) => typesOf(one, line));
    if (shape.kind === 'any') {
      const all = Array.from({ length: typeCount }, (_, type) => type);
      return shape.named ? all.filter((type) => language.nodeTypeIsNamed(type)) : all;
    }
    if (shape.type === 'ERROR') return [ERROR_TYPE];
    const types = language.types.flatMap((name, type) =>
      name === shape.type && language.nodeTypeIsNamed(type) === (shape.kind === 'named') ? [type] : [],
    );
    if (types.length === 0) throw new Error(`query, line ${line}: the grammar has no node "${shape.type}"`);
    return types;
  };

  const fieldNumber = (name: string, line: number): number => {
    const number = tree.fieldNumbers.get(name);
    if (number === undefined) throw new Error(`query, line ${line}: the grammar has no field "${name}"`);
    return number;
  };

  /** A matcher of one element at one node, which goes on with `next` wherever it fits. */
  const compileElement = (element: QueryElement, line: number, next: () => boolean): Matcher => {
    const { shape } = element;
    const captures = element.captures.map(captureNumber);
    if (shape.kind === 'alternatives') {
      const ways = shape.elements.map((one) => compileElement(one, line, next));
      const fields = shape.elements.map((one) => (one.field ? fieldNumber(one.field, line) : 0));
      return (node) => {
        const before = match.count;
        for (let i = 0; i < captures.length; i++) capture(captures[i]!, node);
        let found = false;
        for (let way = 0; way < ways.length; way++) {
          if (fields[way] !== 0 && tree.field[node] !== fields[way]) continue;
          if (ways[way]!(node)) found = true;
        }
        match.count = before;
        return found;
      };
    }
    const types = typesOf(element, line);
    // A table for each element: as long as its types ask, not as long as numbers of types can be.
    const fits = new Uint8Array(types.reduce((highest, type) => Math.max(highest, type), 0) + 1);
    for (const type of types) fits[type] = 1;
    const negated = element.negatedFields.map((name) => fieldNumber(name, line));
    const cursor = { parent: -1, last: -1 };
    const children = compileChildren(element, line, cursor, next);
    return (node) => {
      if (fits[tree.symbol[node]!] !== 1) return false;
      for (const field of negated) if (hasField(tree, node, field)) return false;
      const before = match.count;
      for (let i = 0; i < captures.length; i++) capture(captures[i]!, node);
      cursor.parent = node;
      cursor.last = -1;
      const found = children();
      match.count = before;
      return found;
    };
  };

  const compileChildren = (
    element: QueryElement,
    line: number,
    cursor: { parent: number; last: number },
    next: () => boolean,
  ): (() => boolean) => {
    let rest = next;
    if (element.anchoredEnd) {
      rest = () => {
        let after = cursor.last < 0 ? tree.firstChild(cursor.parent) : tree.nextSibling(cursor.last);
        while (after >= 0 && !tree.isNamed(after)) after = tree.nextSibling(after);
        return after < 0 && next();
      };
    }
    for (const item of [...element.children].reverse()) rest = compileChild(item, line, cursor, rest);
    return rest;
  };

  const compileChild = (
    item: QueryElement,
    line: number,
    cursor: { parent: number; last: number },
    rest: () => boolean,
  ): (() => boolean) => {
    const field = item.field ? fieldNumber(item.field, line) : 0;
    const repeats = item.quantifier === '*' || item.quantifier === '+';
    const kept: { captures: number[]; nodes: number[] } = { captures: [], nodes: [] };
    const matcher = compileElement(
      item,
      line,
      repeats
        ? () => {
            kept.captures = match.captures.slice(0, match.count);
            kept.nodes = match.nodes.slice(0, match.count);
            return true;
          }
        : rest,
    );
    const nextChild = (): number => {
      steps++;
      return cursor.last < 0 ? tree.firstChild(cursor.parent) : tree.nextSibling(cursor.last);
    };
    if (repeats) {
      return () => {
        const { parent, last } = cursor;
        const before = match.count;
        let found = false;
        for (let child = nextChild(); child >= 0; child = tree.nextSibling(child)) {
          steps++;
          if (field !== 0 && tree.field[child] !== field) continue;
          if (matcher(child)) {
            found = true;
            for (let i = 0; i < kept.captures.length; i++) {
              match.captures[i] = kept.captures[i]!;
              match.nodes[i] = kept.nodes[i]!;
            }
            match.count = kept.captures.length;
            cursor.last = child;
          }
          cursor.parent = parent;
        }
        const went = (found || item.quantifier === '*') && rest();
        match.count = before;
        cursor.parent = parent;
        cursor.last = last;
        return went;
      };
    }
    return () => {
      const { parent, last } = cursor;
      let found = false;
      for (let child = nextChild(); child >= 0; child = tree.nextSibling(child)) {
        steps++;
        if (field === 0 || tree.field[child] === field) {
          cursor.parent = parent;
          cursor.last = child;
          if (matcher(child)) found = true;
        }
        if (item.anchored && (tree.isNamed(child) || item.shape.kind === 'anonymous')) break;
      }
      cursor.parent = parent;
      cursor.last = last;
      return found || (item.quantifier === '?' && rest());
    };
  };

  const compiled = patterns.map(({ root, predicates, line }, number) => {
    const settings = new Map<string, string>();
    const conditions: (() => boolean)[] = [];
    for (const predicate of predicates) {
      if (predicate.name === '#set!') settings.set(predicate.words[0]!, predicate.words[1] ?? '');
      else conditions.push(conditionOf(predicate, match, captureNames, tree, line));
    }
    const matcher = compileElement(root, line, () => {
      for (const condition of conditions) if (!condition()) return false;
      match.pattern = number;
      onMatch(match);
      return true;
    });
    for (const type of new Set(typesOf(root, line))) {
      const place = Math.min(type, typeCount);
      byType[place] ??= [];
      byType[place].push(matcher);
    }
    return { captures: [...new Set(capturesOf(root))], settings };
  });

  return {
    captureNames,
    patterns: compiled,
    run(_tree, matched, step) {
      onMatch = matched;
      onStep = step;
      steps = 0;
      for (let node = 0; node < tree.count; node++) {
        if (steps >= STEPS_BETWEEN_CHECKS) {
          steps = 0;
          onStep();
        }
        steps++;
        const candidates = byType[Math.min(tree.symbol[node]!, typeCount)];
        if (candidates === undefined) continue;
        for (let i = 0; i < candidates.length; i++) {
          match.count = 0;
          candidates[i]!(node);
        }
      }
    },
  };
}

type Matcher = (node: number) => boolean;

function hasField(tree: SyntaxTree, node: number, field: number): boolean {
  for (let child = tree.firstChild(node); child >= 0; child = tree.nextSibling(child)) {
    if (tree.field[child] === field) return true;
  }
  return false;
}

function capturesOf(element: QueryElement): string[] {
  const inner = element.shape.kind === 'alternatives' ? element.shape.elements : element.children;
  return [...element.captures, ...inner.flatMap(capturesOf)];
}

/** `#eq?`, `#not-eq?`, `#match?`, `#not-match?`, `#any-of?`, `#not-any-of?` of a capture and plain words. */
function conditionOf(
  { name, words }: QueryPredicate,
  match: QueryMatch,
  captureNames: readonly string[],
  tree: SyntaxTree,
  line: number,
): () => boolean {
  const captured = words[0]?.replace(/^@/, '') ?? '';
  const textOf = (wanted: string): string | null => {
    for (let i = 0; i < match.count; i++) {
      if (captureNames[match.captures[i]!] === wanted) return tree.textOf(match.nodes[i]!);
    }
    return null;
  };
  const expected = words.slice(1);
  const test = testOf(name.replace(/^#(not-)?/, ''), expected, textOf);
  if (!test) throw new Error(`query, line ${line}: the predicate ${name} is not known`);
  const wanted = !name.startsWith('#not-');
  return () => {
    const text = textOf(captured);
    return text === null || test(text) === wanted;
  };
}

function testOf(
  name: string,
  expected: string[],
  textOf: (capture: string) => string | null,
): ((text: string) => boolean) | null {
  const [first = ''] = expected;
  if (name === 'eq?') {
    return first.startsWith('@') ? (text) => text === textOf(first.slice(1)) : (text) => text === first;
  }
  if (name === 'match?') {
    const pattern = new RegExp(first);
    return (text) => pattern.test(text);
  }
  if (name === 'any-of?') {
    const all = new Set(expected);
    return (text) => all.has(text);
  }
  return null;
}
