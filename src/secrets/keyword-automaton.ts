/**
 * Aho-Corasick over folded bytes: every place where a keyword ends, letters in either case, in one pass whatever the text holds.
 *
 * States are rows of a dense table with a column for each byte that occurs in a keyword, and one for all others. A state in which
 * a keyword ends comes after all in which none does, so that the loop asks one question for each byte.
 */
export interface KeywordAutomaton {
  /** Column of each byte. */
  readonly columns: Uint8Array;
  /** Next state by `state + column`; a state is the offset of its row. */
  readonly next: Uint32Array;
  /** States from here on are those in which a keyword ends. */
  readonly firstHit: number;
  /** Of each such state, in order: indices of the keywords that end in it, the longest first. */
  readonly keywordsAt: readonly (readonly number[])[];
  readonly rowLength: number;
}

interface Node {
  children: Map<number, number>;
  keywords: number[];
  fallback: number;
}

export function createKeywordAutomaton(keywords: readonly string[]): KeywordAutomaton {
  const nodes = trie(keywords);
  const order = linkFallbacks(nodes);
  const columns = columnsOf(keywords);
  const rowLength = Math.max(...columns) + 1;

  const plain = order.filter((node) => nodes[node]!.keywords.length === 0);
  const hits = order.filter((node) => nodes[node]!.keywords.length > 0);
  const stateOf = new Uint32Array(nodes.length);
  [...plain, ...hits].forEach((node, index) => {
    stateOf[node] = index * rowLength;
  });

  const next = new Uint32Array(nodes.length * rowLength);
  // Breadth first: the row of a fallback is complete before it is copied.
  for (const node of order) {
    const row = stateOf[node]!;
    const { children, fallback } = nodes[node]!;
    if (node !== root) next.copyWithin(row, stateOf[fallback]!, stateOf[fallback]! + rowLength);
    for (const [byte, child] of children) next[row + columns[byte]!] = stateOf[child]!;
  }
  return {
    columns,
    next,
    rowLength,
    firstHit: plain.length * rowLength,
    keywordsAt: hits.map((node) => nodes[node]!.keywords),
  };
}

const root = 0;

function trie(keywords: readonly string[]): Node[] {
  const nodes: Node[] = [{ children: new Map(), keywords: [], fallback: root }];
  keywords.forEach((keyword, index) => {
    let at = root;
    for (const byte of Buffer.from(keyword.toLowerCase(), 'latin1')) {
      let child = nodes[at]!.children.get(byte);
      if (child === undefined) {
        child = nodes.length;
        nodes.push({ children: new Map(), keywords: [], fallback: root });
        nodes[at]!.children.set(byte, child);
      }
      at = child;
    }
    nodes[at]!.keywords.push(index);
  });
  return nodes;
}

/** Returns the nodes breadth first. A keyword that ends in a fallback ends here too. */
function linkFallbacks(nodes: Node[]): number[] {
  const order = [root];
  for (let at = 0; at < order.length; at++) {
    const node = nodes[order[at]!]!;
    for (const [byte, child] of node.children) {
      let fallback = node.fallback;
      while (fallback !== root && !nodes[fallback]!.children.has(byte)) fallback = nodes[fallback]!.fallback;
      const linked = order[at] === root ? root : (nodes[fallback]!.children.get(byte) ?? root);
      nodes[child]!.fallback = linked;
      nodes[child]!.keywords.push(...nodes[linked]!.keywords);
      order.push(child);
    }
  }
  return order;
}

function columnsOf(keywords: readonly string[]): Uint8Array {
  const columns = new Uint8Array(256);
  const bytes = new Set(Buffer.from(keywords.join('').toLowerCase(), 'latin1'));
  [...bytes]
    .sort((a, b) => a - b)
    .forEach((byte, index) => {
      columns[byte] = index + 1;
      if (byte >= 0x61 && byte <= 0x7a) columns[byte - 0x20] = index + 1;
    });
  return columns;
}
