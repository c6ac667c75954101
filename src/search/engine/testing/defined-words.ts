import type { FactsOutcome, SymbolFact } from '../../facts/types.ts';

/** What tests take for structure: the word behind `class` or `fn` is defined there. */
export function definedWords(text: Buffer): SymbolFact[] {
  const latin = text.toString('latin1');
  const symbols: SymbolFact[] = [];
  let line = 1;
  let counted = 0;
  for (const { 0: whole, 1: name = '', index } of latin.matchAll(/\b(?:class|fn) (\w+)/g)) {
    for (; counted < index; counted++) if (text[counted] === 10) line++;
    const nameStart = index + whole.length - name.length;
    const place = { start: index, end: nameStart + name.length, signatureStart: index, signatureEnd: index };
    const lines = { nameLine: line, startLine: line, endLine: line };
    symbols.push({
      name,
      kind: 'class',
      nameStart,
      nameEnd: nameStart + name.length,
      ...place,
      ...lines,
      docStart: -1,
      docEnd: -1,
      parent: -1,
      exported: true,
      type: null,
    });
  }
  return symbols;
}

export function definedWordsOf(_: string, text: Buffer): FactsOutcome {
  const symbols = definedWords(text);
  return { facts: { symbols, references: [], imports: [], namespace: null, packageFile: null } };
}
