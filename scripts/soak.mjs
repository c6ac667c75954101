/** `npm run soak`: the long kills, fuzz and oracles. PERISCOPE_SOAK_SEEDS says how many seeds each runs (default 200; `npm test` runs 10). */
import { spawnSync } from 'node:child_process';

const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    'test/soak',
    '--testTimeout=3600000',
    '--hookTimeout=600000',
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit', env: { PERISCOPE_SOAK_SEEDS: '200', ...process.env } },
);
process.exitCode = status ?? 1;
