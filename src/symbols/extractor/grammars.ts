import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { Language } from 'web-tree-sitter';

const folder = new URL('../grammars/', import.meta.url);
const unpack = promisify(brotliDecompress);

interface GrammarRow {
  package: string;
  version: string;
  sha256: string;
}

/** Loads the compiled grammar. Load all that will be needed before the first parse: loading between parses stalls for seconds. */
export async function loadGrammar(name: string): Promise<Language> {
  const packed = await readFile(new URL(`${name}.wasm.br`, folder));
  return Language.load(await unpack(packed));
}

/** Each grammar with what its file holds, so that a new one makes facts anew. */
export async function grammarVersions(): Promise<ReadonlyMap<string, string>> {
  const rows = JSON.parse(await readFile(new URL('grammars.json', folder), 'utf8')) as Record<
    string,
    GrammarRow
  >;
  return new Map(Object.entries(rows).map(([name, { sha256 }]) => [name, sha256]));
}
