/**
 * `npm run bench -- FOLDER...`: builds, then runs every bench under bench/speed on the repositories below the folders, or the ones
 * that --only names. Figures of one run stand beside each other; compare ratios, not machines.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

process.chdir(path.resolve(import.meta.dirname, '..'));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', multiple: true } },
});
if (positionals.length === 0) {
  console.error('Name a folder of repositories: npm run bench -- ~/code');
  process.exit(2);
}
const folders = positionals.map((folder) => path.resolve(process.env['INIT_CWD'] ?? '.', folder));
const run = (args) => {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
};
run(['scripts/build.mjs']);
for (const file of readdirSync('bench/speed')
  .filter((name) => name.endsWith('.mjs'))
  .sort()) {
  const name = path.basename(file, '.mjs');
  if (values.only && !values.only.includes(name)) continue;
  console.log(`\n## ${name}`);
  run(['--expose-gc', `bench/speed/${file}`, ...folders]);
}
