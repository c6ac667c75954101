import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Acme, createAcme } from './support/acme-repositories.ts';
import { buildFor } from './support/built-program.ts';

const root = path.resolve(import.meta.dirname, '../..');
let build: string;
let acme: Acme;
beforeAll(() => {
  build = buildFor('benches');
  acme = createAcme();
});
afterAll(() => acme.remove());

/** As little as still runs every line of a bench, and what its output must tell. */
const tiny: Record<string, { env: Record<string, string>; tells: string }> = {
  memory: { env: { BENCH_MEMORY_READS: '200' }, tells: '200 reads' },
  reads: { env: { BENCH_READS: '40' }, tells: 'read_file over HTTP' },
  'server-cpu': { env: { BENCH_READS: '40' }, tells: 'of server CPU a call' },
  search: { env: { BENCH_RUNS: '1' }, tells: 'rare literal' },
  // Of a fork: the references, the root for the opt-out, and whether each file is there; nothing is read.
  updates: {
    env: { BENCH_REPOSITORIES: '1', BENCH_FORKS: '1', BENCH_PUSHES: '1' },
    tells: ' | 3, 1, 0 | ',
  },
  regex: { env: { BENCH_MEGABYTES: '1' }, tells: 'TODO' },
};

describe('every bench runs, on a tiny load', () => {
  const benches = readdirSync(path.join(root, 'bench/speed')).filter((file) => file.endsWith('.mjs'));
  for (const file of benches) {
    it(file, () => {
      const { env, tells } = tiny[path.basename(file, '.mjs')]!;
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['--expose-gc', `bench/speed/${file}`, acme.folder],
        {
          cwd: root,
          encoding: 'utf8',
          env: { ...process.env, ...env, PERISCOPE_BENCH_BUILD: build },
        },
      );
      expect(stderr).toBe('');
      expect(stdout).toContain(tells);
      expect(status).toBe(0);
    });
  }
});
