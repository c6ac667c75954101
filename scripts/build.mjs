/** `npm run build`: compiles src/ into dist/, or into the folder given. */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { bundleWorkers } from './bundle-workers.mjs';

const root = path.resolve(import.meta.dirname, '..');
process.chdir(root);
const out = process.argv[2] ?? 'dist';
// A server may run from what was built before: it must find its files until the new ones are there.
const unfinished = `${out}.new-${process.pid}`;
const old = `${out}.old-${process.pid}`;
const { status } = spawnSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', unfinished],
  { stdio: 'inherit' },
);
if (status !== 0) {
  rmSync(unfinished, { recursive: true, force: true });
  process.exit(status ?? 1);
}
chmodSync(`${unfinished}/cli/main.js`, 0o755);
// What the command line says of the product.
cpSync('src/cli/generated', `${unfinished}/cli/generated`, { recursive: true });
// The credential rules are others' data under a licence whose notice goes where they go.
copyFileSync('src/secrets/rules/NOTICE', `${unfinished}/secrets/rules/NOTICE`);
// Grammars and queries are read at run time.
cpSync('src/symbols/grammars', `${unfinished}/symbols/grammars`, { recursive: true });
for (const file of readdirSync('src/symbols/languages', { recursive: true }).map(String)) {
  if (file.endsWith('.scm'))
    copyFileSync(`src/symbols/languages/${file}`, `${unfinished}/symbols/languages/${file}`);
}
// The table of word vectors.
copyFileSync('src/vectors/table/static-table.bin', `${unfinished}/vectors/table/static-table.bin`);
await bundleWorkers(unfinished);
if (existsSync(out)) renameSync(out, old);
renameSync(unfinished, out);
rmSync(old, { recursive: true, force: true });
