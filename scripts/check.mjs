/** `npm run check`: format and lint (cycles included), types, import table, stale generated files. Runs all of them and reports every fault. */
import { spawnSync } from 'node:child_process';

const steps = [
  ['format and lint', 'npx', ['biome', 'check', '--error-on-warnings', '.']],
  ['types', 'npx', ['tsc', '-p', '.']],
  ['import table', 'node', ['scripts/check-imports.mjs']],
  ['generated files', 'node', ['scripts/generate.mjs', '--check']],
];

let failed = 0;
for (const [name, command, args] of steps) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  if (status !== 0) failed++;
}
process.exitCode = failed === 0 ? 0 : 1;
