import type { Language, Tree } from 'web-tree-sitter';
import type { TreeSitterMemory } from './tree-sitter-memory.ts';

/**
 * A parsed text as flat columns: one row for each node that its grammar shows, in the order in which they stand, parents before their
 * children. Node `n` holds the rows `n + 1 … next[n] - 1`. Offsets are UTF-16 units of `text`.
 *
 * It is read straight out of tree-sitter's memory: a call into it for each node costs as much as parsing does. The layout belongs to
 * the pinned version of web-tree-sitter and of its grammars' ABI, and a test compares it with tree-sitter's own cursor.
 *
 * The columns are lent: the next text of whatever language that is read into them overwrites them.
 */
export class SyntaxTree {
  text = '';
  count = 0;
  /** The grammar's number of the node's type; see `typeName`. */
  symbol = new Uint16Array(0);
  /** Number of the field that the node has in its parent, 0 for none. */
  field = new Uint16Array(0);
  start = new Uint32Array(0);
  end = new Uint32Array(0);
  parent = new Int32Array(0);
  next = new Uint32Array(0);
  private readonly names: readonly string[];
  private readonly namedTypes: Uint8Array;
  readonly fieldNumbers: ReadonlyMap<string, number>;
  private readonly namedSets = new Map<readonly string[], Uint8Array>();
  private readonly columns: TreeColumns;
  private stack = new Int32Array(4096);

  constructor(language: Language, columns = new TreeColumns()) {
    this.columns = columns;
    // Numbers run to 65535: that one is tree-sitter's own for what it could not read.
    this.names = language.types.map((name) => name ?? '');
    this.namedTypes = new Uint8Array(ERROR_SYMBOL + 1);
    for (let type = 0; type < this.names.length; type++) {
      this.namedTypes[type] = language.nodeTypeIsNamed(type) ? 1 : 0;
    }
    this.namedTypes[ERROR_SYMBOL] = 1;
    const fieldNumbers = new Map<string, number>();
    language.fields.forEach((name, number) => {
      if (name) fieldNumbers.set(name, number);
    });
    this.fieldNumbers = fieldNumbers;
  }

  /** Name of the node's type: `identifier`, or the text of an anonymous one: `const`. `ERROR` for what could not be read. */
  type(node: number): string {
    return this.typeName(this.symbol[node]!);
  }

  typeName(symbol: number): string {
    return symbol === ERROR_SYMBOL ? 'ERROR' : (this.names[symbol] ?? '');
  }

  /** 1 for the numbers of the types with these names. The same array gets the same answer, kept. */
  typesNamed(names: readonly string[]): Uint8Array {
    let fits = this.namedSets.get(names);
    if (fits === undefined) {
      fits = new Uint8Array(ERROR_SYMBOL + 1);
      for (let symbol = 0; symbol < this.names.length; symbol++) {
        if (names.includes(this.names[symbol]!)) fits[symbol] = 1;
      }
      this.namedSets.set(names, fits);
    }
    return fits;
  }

  isNamed(node: number): boolean {
    return this.namedTypes[this.symbol[node]!] === 1;
  }

  textOf(node: number): string {
    return this.text.slice(this.start[node]!, this.end[node]!);
  }

  /** -1 for none. */
  firstChild(node: number): number {
    return node + 1 < this.next[node]! ? node + 1 : -1;
  }

  /** -1 for none. */
  nextSibling(node: number): number {
    const parent = this.parent[node]!;
    const next = this.next[node]!;
    return parent >= 0 && next < this.next[parent]! ? next : -1;
  }

  /** -1 for none. */
  previousSibling(node: number): number {
    const parent = this.parent[node]!;
    let before = node - 1;
    if (before <= parent) return -1;
    while (this.parent[before]! !== parent) before = this.parent[before]!;
    return before;
  }

  /** The first child in a field, -1 for none. */
  childInField(node: number, field: string): number {
    const number = this.fieldNumbers.get(field);
    if (number === undefined) return -1;
    for (let child = this.firstChild(node); child >= 0; child = this.nextSibling(child)) {
      if (this.field[child] === number) return child;
    }
    return -1;
  }

  /** The first child of a type, -1 for none. */
  childOfType(node: number, type: string): number {
    for (let child = this.firstChild(node); child >= 0; child = this.nextSibling(child)) {
      if (this.type(child) === type) return child;
    }
    return -1;
  }

  /** The nearest node around `node` of one of the types, -1 for none. */
  ancestorOfType(node: number, types: ReadonlySet<string>): number {
    let above = this.parent[node]!;
    while (above >= 0 && !types.has(this.type(above))) above = this.parent[above]!;
    return above;
  }

  read(tree: Tree, text: string, memory: TreeSitterMemory): void {
    this.text = text;
    this.count = 0;
    this.takeColumns();
    const { words, halves, bytes } = memory.views();
    const root = tree.rootNode.id;
    const language = words[(root + 8) >> 2]! >> 2;
    const aliasWidth = words[language + 9]! & 0xffff;
    const fieldSlices = words[language + 16]! >> 1;
    const fieldEntries = words[language + 17]!;
    const publicSymbols = words[language + 19]! >> 1;
    const aliases = words[language + 21]! >> 1;
    let {
      stack,
      symbol: symbols,
      field: fields,
      start: starts,
      end: ends,
      parent: parents,
      next: nexts,
    } = this;
    let count = 0;
    let top = -STRIDE;
    let slot = root;
    let at = 0;
    let parentRow = -1;
    for (;;) {
      const low = words[slot >> 2]!;
      const inline = (low & 1) === 1;
      let symbol: number;
      let padding: number;
      let size: number;
      let visible: boolean;
      let extra: boolean;
      let children = 0;
      if (inline) {
        symbol = (low >>> 8) & 255;
        const sizes = words[(slot >> 2) + 1]!;
        padding = (sizes >>> 16) & 255;
        size = sizes >>> 24;
        visible = (low & 2) !== 0;
        extra = (low & 8) !== 0;
      } else {
        const data = low >>> 2;
        padding = words[data + 1]!;
        size = words[data + 4]!;
        children = words[data + 9]!;
        symbol = words[data + 10]! & 0xffff;
        const flags = bytes[low + 44]!;
        visible = (flags & 1) !== 0;
        extra = (flags & 4) !== 0;
      }
      let field = 0;
      if (top >= 0) {
        const production = stack[top + PRODUCTION]!;
        if (!extra) {
          const place = stack[top + PLACE]!;
          stack[top + PLACE] = place + 1;
          if (production !== 0) {
            const slice = fieldSlices + production * 2;
            let entry = fieldEntries + halves[slice]! * 4;
            for (let left = halves[slice + 1]!; left > 0; left--, entry += 4) {
              if (bytes[entry + 2] === place && bytes[entry + 3] === 0) {
                field = halves[entry >> 1]!;
                break;
              }
            }
            if (place < aliasWidth) {
              const alias = halves[aliases + production * aliasWidth + place]!;
              if (alias !== 0) {
                symbol = alias;
                visible = true;
              }
            }
          }
          if (field === 0) field = stack[top + INHERITED]!;
        }
        stack[top + AT] = at + padding + size;
        stack[top + SLOT] = slot + 8;
        stack[top + LEFT] = stack[top + LEFT]! - 1;
      }
      let row = -1;
      if (visible) {
        row = count++;
        if (row >= symbols.length) {
          this.columns.grow();
          this.takeColumns();
          ({ symbol: symbols, field: fields, start: starts, end: ends, parent: parents, next: nexts } = this);
        }
        symbols[row] = symbol < FIRST_BUILT_IN_SYMBOL ? halves[publicSymbols + symbol]! : symbol;
        fields[row] = field;
        starts[row] = (at + padding) >>> 1;
        ends[row] = (at + padding + size) >>> 1;
        parents[row] = parentRow;
        nexts[row] = row + 1;
      }
      if (children > 0) {
        top += STRIDE;
        if (top + STRIDE > stack.length) {
          const larger = new Int32Array(stack.length * 2);
          larger.set(stack);
          this.stack = stack = larger;
        }
        stack[top + SLOT] = low - children * 8;
        stack[top + LEFT] = children;
        stack[top + AT] = at;
        stack[top + PLACE] = 0;
        stack[top + PRODUCTION] = halves[(low + 66) >>> 1]!;
        stack[top + ROW] = row;
        stack[top + PARENT_ROW] = visible ? row : parentRow;
        stack[top + INHERITED] = visible ? 0 : field;
      }
      while (top >= 0 && stack[top + LEFT] === 0) {
        const closed = stack[top + ROW]!;
        if (closed >= 0) nexts[closed] = count;
        top -= STRIDE;
      }
      if (top < 0) break;
      slot = stack[top + SLOT]!;
      at = stack[top + AT]!;
      parentRow = stack[top + PARENT_ROW]!;
    }
    this.count = count;
  }

  private takeColumns(): void {
    ({
      symbol: this.symbol,
      field: this.field,
      start: this.start,
      end: this.end,
      parent: this.parent,
      next: this.next,
    } = this.columns);
  }
}

/** Room for the nodes of one text, for the trees of all languages in turn: each alone would grow to the largest text of its own. */
export class TreeColumns {
  symbol = new Uint16Array(0);
  field = new Uint16Array(0);
  start = new Uint32Array(0);
  end = new Uint32Array(0);
  parent = new Int32Array(0);
  next = new Uint32Array(0);

  grow(): void {
    const capacity = Math.max(16_384, this.symbol.length * 2);
    this.symbol = larger(this.symbol, new Uint16Array(capacity));
    this.field = larger(this.field, new Uint16Array(capacity));
    this.start = larger(this.start, new Uint32Array(capacity));
    this.end = larger(this.end, new Uint32Array(capacity));
    this.parent = larger(this.parent, new Int32Array(capacity));
    this.next = larger(this.next, new Uint32Array(capacity));
  }
}

function larger<T extends Uint16Array | Uint32Array | Int32Array>(old: T, fresh: T): T {
  fresh.set(old);
  return fresh;
}

/** tree-sitter's own types: what could not be read, and the hidden list of such. */
const ERROR_SYMBOL = 65_535;
const FIRST_BUILT_IN_SYMBOL = 65_534;

/** What the walk keeps of each open parent, shown or hidden. */
const SLOT = 0;
const LEFT = 1;
const AT = 2;
const PLACE = 3;
const PRODUCTION = 4;
const ROW = 5;
const PARENT_ROW = 6;
const INHERITED = 7;
const STRIDE = 8;
