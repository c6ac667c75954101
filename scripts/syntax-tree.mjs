/** `node scripts/syntax-tree.mjs GRAMMAR FILE`: prints the tree of a text, for who writes queries. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { Language, Parser } from 'web-tree-sitter';

const [grammar, file] = process.argv.slice(2);
if (!grammar || !file) {
  console.error('node scripts/syntax-tree.mjs GRAMMAR FILE; grammars lie in src/symbols/grammars');
  process.exit(2);
}
const packed = readFileSync(path.resolve(import.meta.dirname, `../src/symbols/grammars/${grammar}.wasm.br`));
await Parser.init();
const parser = new Parser();
parser.setLanguage(await Language.load(brotliDecompressSync(packed)));
const cursor = parser.parse(readFileSync(file, 'utf8')).walk();
let depth = 0;
for (let more = true; more; ) {
  const { currentNode: node, currentFieldName: field } = cursor;
  const label = node.isNamed ? `(${node.type})` : JSON.stringify(node.type);
  const text = node.childCount === 0 && node.isNamed ? ` ${JSON.stringify(node.text)}` : '';
  console.log(
    `${'  '.repeat(depth)}${field ? `${field}: ` : ''}${label}${text} [${node.startPosition.row + 1}:${node.startPosition.column}]`,
  );
  if (cursor.gotoFirstChild()) depth++;
  else {
    while (more && !cursor.gotoNextSibling()) {
      more = cursor.gotoParent();
      depth--;
    }
  }
}
