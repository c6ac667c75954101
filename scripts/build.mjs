/** `npm run build`: compiles src/ into dist/ and copies what is not TypeScript. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
process.chdir(root);
rmSync('dist', { recursive: true, force: true });
const { status } = spawnSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
  { stdio: 'inherit' },
);
if (status !== 0) process.exit(status ?? 1);
for (const assets of ['mirrors/assets']) {
  if (existsSync(`src/${assets}`)) cpSync(`src/${assets}`, `dist/${assets}`, { recursive: true });
}
if (existsSync('dist/cli/main.js')) chmodSync('dist/cli/main.js', 0o755);
