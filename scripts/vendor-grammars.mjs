/**
 * Fetches the grammars that src/symbols uses, at the versions below, and writes each as src/symbols/grammars/NAME.wasm.br with its
 * licence and a row in grammars.json. Run by hand when a version is changed (`node scripts/vendor-grammars.mjs`); users never run it.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/** The package ships the modules of others; their licences are not in it. */
const upstream = {
  swift: ['https://github.com/alex-pinkus/tree-sitter-swift', 'Copyright (c) 2021 alex-pinkus'],
};
const own = (name, version, file = `tree-sitter-${name}.wasm`) => [
  `tree-sitter-${name.replace('_', '-')}`,
  version,
  file,
];
/** Grammar: package, version, file in the package. */
const grammars = {
  typescript: ['tree-sitter-typescript', '0.23.2', 'tree-sitter-typescript.wasm'],
  tsx: ['tree-sitter-typescript', '0.23.2', 'tree-sitter-tsx.wasm'],
  javascript: own('javascript', '0.25.0'),
  python: own('python', '0.25.0'),
  go: own('go', '0.25.0'),
  rust: own('rust', '0.24.0'),
  java: own('java', '0.23.5'),
  c: own('c', '0.24.1'),
  cpp: own('cpp', '0.23.4'),
  c_sharp: own('c_sharp', '0.23.5'),
  ruby: own('ruby', '0.23.1'),
  php: own('php', '0.24.2'),
  scala: own('scala', '0.24.0'),
  kotlin: ['@tree-sitter-grammars/tree-sitter-kotlin', '1.1.0', 'tree-sitter-kotlin.wasm'],
  swift: ['@cursorless/tree-sitter-wasms', '0.7.0', 'out/tree-sitter-swift.wasm'],
};

const target = path.resolve(import.meta.dirname, '../src/symbols/grammars');
const folder = mkdtempSync(path.join(tmpdir(), 'periscope-grammars-'));
writeFileSync(path.join(folder, 'package.json'), '{"name":"grammars","private":true}\n');
const wanted = [...new Set(Object.values(grammars).map(([name, version]) => `${name}@${version}`))];
execFileSync(
  'npm',
  ['install', '--ignore-scripts', '--legacy-peer-deps', '--save-exact', '--no-audit', '--no-fund', ...wanted],
  {
    cwd: folder,
    stdio: 'inherit',
  },
);
mkdirSync(path.join(target, 'licences'), { recursive: true });
const rows = {};
for (const [grammar, [packageName, version, file]] of Object.entries(grammars)) {
  const home = path.join(folder, 'node_modules', packageName);
  const module = readFileSync(path.join(home, file));
  const packed = brotliCompressSync(module, {
    params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: module.length },
  });
  writeFileSync(path.join(target, `${grammar}.wasm.br`), packed);
  writeFileSync(path.join(target, 'licences', `${grammar}.txt`), licence(grammar, home));
  rows[grammar] = {
    package: packageName,
    version,
    sha256: createHash('sha256').update(module).digest('hex'),
    sizeBytes: module.length,
  };
  console.log(`${grammar}: ${module.length} -> ${packed.length}`);
}
writeFileSync(path.join(target, 'grammars.json'), `${JSON.stringify(rows, null, 2)}\n`);
rmSync(folder, { recursive: true });

function licence(grammar, home) {
  const file = readdirSync(home).find((name) => /^licen[cs]e/i.test(name));
  if (!file || !existsSync(path.join(home, file))) throw new Error(`${grammar} has no licence file`);
  const text = readFileSync(path.join(home, file), 'utf8');
  if (!upstream[grammar]) return text;
  const [address, copyright] = upstream[grammar];
  return `Grammar: ${address}\n${copyright}\nMIT License, as below. Compiled by @cursorless/tree-sitter-wasms:\n\n${text}`;
}
