import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Language, Parser } from 'web-tree-sitter';
import { languageDefinitions } from '../languages/language-list.ts';
import { loadGrammar } from './grammars.ts';
import { SyntaxTree } from './syntax-tree.ts';
import { startTreeSitter, type TreeSitterMemory } from './tree-sitter-memory.ts';

const grammarLanguages = [...languageDefinitions].flatMap(([folder, { definition }]) =>
  'grammar' in definition ? [{ folder, definition }] : [],
);

describe('trees are read out of memory as tree-sitter tells them', () => {
  let memory: TreeSitterMemory;
  const grammars = new Map<string, Language>();
  beforeAll(async () => {
    memory = await startTreeSitter();
    for (const { definition } of grammarLanguages) {
      if (!grammars.has(definition.grammar)) {
        grammars.set(definition.grammar, await loadGrammar(definition.grammar));
      }
    }
  });

  for (const { folder, definition } of grammarLanguages) {
    it(`every node of ${folder}, of whole texts and of broken ones`, () => {
      const language = grammars.get(definition.grammar)!;
      for (const text of sourcesOf(folder)) {
        expect(ours(language, memory, text)).toEqual(theirs(language, text));
        const broken = text.slice(0, Math.floor(text.length / 2)) + text.slice(Math.floor(text.length / 3));
        expect(ours(language, memory, broken)).toEqual(theirs(language, broken));
      }
    });
  }
});

function sourcesOf(folder: string): string[] {
  const golden = path.join(import.meta.dirname, '../languages', folder, 'golden');
  if (!existsSync(golden)) return [];
  return readdirSync(golden)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => readFileSync(path.join(golden, name), 'utf8'));
}

/** One string a node: type, field, range and depth. */
function ours(language: Language, memory: TreeSitterMemory, text: string): string[] {
  const parser = new Parser();
  parser.setLanguage(language);
  const parsed = parser.parse(text)!;
  const tree = new SyntaxTree(language);
  tree.read(parsed, text, memory);
  parsed.delete();
  parser.delete();
  const depths: number[] = [];
  return Array.from({ length: tree.count }, (_, node) => {
    const parent = tree.parent[node]!;
    depths[node] = parent < 0 ? 0 : depths[parent]! + 1;
    expect(parent < 0 || (parent < node && node < tree.next[parent]!)).toBe(true);
    return `${tree.type(node)} ${tree.field[node]} ${tree.start[node]}-${tree.end[node]} ${depths[node]}`;
  });
}

function theirs(language: Language, text: string): string[] {
  const parser = new Parser();
  parser.setLanguage(language);
  const parsed = parser.parse(text)!;
  const cursor = parsed.walk();
  const nodes: string[] = [];
  for (let more = true; more; ) {
    nodes.push(
      `${cursor.nodeType} ${cursor.currentFieldId} ${cursor.startIndex}-${cursor.endIndex} ${cursor.currentDepth}`,
    );
    if (cursor.gotoFirstChild()) continue;
    while (more && !cursor.gotoNextSibling()) more = cursor.gotoParent();
  }
  cursor.delete();
  parsed.delete();
  parser.delete();
  return nodes;
}
