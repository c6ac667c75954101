/** `npm run build`: compiles src/ into dist/, or into the folder given. */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
process.chdir(root);
const out = process.argv[2] ?? 'dist';
rmSync(out, { recursive: true, force: true });
const { status } = spawnSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', out],
  { stdio: 'inherit' },
);
if (status !== 0) process.exit(status ?? 1);
chmodSync(`${out}/cli/main.js`, 0o755);
// The credential rules are others' data under a licence whose notice goes where they go.
copyFileSync('src/secrets/rules/NOTICE', `${out}/secrets/rules/NOTICE`);
