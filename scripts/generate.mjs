/**
 * `npm run generate` writes every generated file; `--check` writes nothing and fails when one is stale.
 * A generator is an entry of `generators`: the file it owns and a function that gives its text.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

process.chdir(path.resolve(import.meta.dirname, '..'));
const generators = [];

const check = process.argv.includes('--check');
let stale = 0;
for (const { file, text } of generators) {
  const wanted = await text();
  if (existsSync(file) && readFileSync(file, 'utf8') === wanted) continue;
  if (check) {
    console.error(`${file} is stale: run npm run generate`);
    stale++;
  } else {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, wanted);
    console.log(`wrote ${file}`);
  }
}
process.exitCode = stale === 0 ? 0 : 1;
