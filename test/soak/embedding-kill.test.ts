import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleForNode } from '../../src/base/testing/run-typescript.ts';
import { SeededRandom } from '../../src/base/testing/seeded-random.ts';
import {
  type CountingEndpoint,
  startCountingEndpoint,
} from '../../src/indexing/testing/counting-endpoint.ts';
import { keptVectors } from '../../src/indexing/testing/kept-vectors.ts';
import {
  buildWorkerFile,
  embeddingWorkerFile,
  mortalFactsWorkerFile,
} from '../../src/indexing/testing/open-indexing.ts';
import { changeRepository, git, killBatch } from './index-kill-changes.ts';

/**
 * A process that embeds is killed at seeded moments while repositories change; another one takes over. In the end each chunk has its
 * vector of the table and of the encoder once, and the encoder has seen no more twice than a batch for each kill.
 */
const seeds = Number(process.env['PERISCOPE_SOAK_SEEDS'] ?? 2);
const blows = 3;
const names = ['one.git', 'two.git'];

describe('embedding under kills', () => {
  let bundle: string;
  let threads: string[];
  beforeAll(async () => {
    bundle = await bundleForNode(path.join(import.meta.dirname, 'embedding-kill-worker.ts'), {
      inline: ['kysely'],
    });
    const files = await Promise.all([buildWorkerFile(), mortalFactsWorkerFile(), embeddingWorkerFile()]);
    threads = files.map((file) => fileURLToPath(file));
  });

  for (let seed = 1; seed <= seeds; seed++) {
    it(`misses nothing and embeds no more than a batch twice, seed ${seed}`, {
      timeout: 120_000,
    }, async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'periscope-embedding-kill-'));
      const endpoint = await startCountingEndpoint();
      try {
        await soak(folder, seed, endpoint);
      } finally {
        await endpoint.close();
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }

  async function soak(folder: string, seed: number, endpoint: CountingEndpoint): Promise<void> {
    const random = new SeededRandom(seed);
    const repositories = path.join(folder, 'repositories');
    const change = () => {
      for (const name of names) changeRepository(repositories, name, random);
    };
    change();
    for (let blow = 0; blow < blows; blow++) {
      const heads = headsOf(repositories);
      const sent = endpoint.requests();
      const program = start(folder, endpoint);
      // Killed between what it has sent and what it has kept, before and after.
      await program.until((told) => endpoint.requests() > sent + random.below(4) || isThrough(told, heads));
      await sleep(random.below(150));
      await program.kill();
      change();
    }
    const heads = headsOf(repositories);
    const last = start(folder, endpoint);
    await last.until((told) => isThrough(told, heads));
    await last.kill();
    const kept = await keptVectors(path.join(folder, 'index'));
    expect(kept).toMatchObject({ inTable: kept.chunks, twice: 0 });
    expect(Object.values(kept.encoded)).toEqual([kept.chunks]);
    const twice = [...endpoint.texts.values()].reduce((sum, times) => sum + times - 1, 0);
    // Two texts may be cut into chunks that read the same; here no two are.
    expect(twice).toBeLessThanOrEqual(blows * killBatch);
  }

  function start(folder: string, endpoint: CountingEndpoint) {
    const args = [bundle, folder, ...threads, endpoint.url];
    const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let seen: Told | null = null;
    const ended = new Promise((resolve) => child.on('exit', resolve));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      seen = JSON.parse(line) as Told;
    });
    const kill = async () => {
      child.kill('SIGKILL');
      await ended;
    };
    return {
      kill,
      async until(isReached: (told: Told) => boolean) {
        const untilMs = Date.now() + 90_000;
        while (seen === null || !isReached(seen)) {
          await sleep(10);
          if (Date.now() < untilMs) continue;
          await kill();
          throw new Error(`it never got there: ${JSON.stringify(seen)}`);
        }
      },
    };
  }
});

function headsOf(repositories: string): string[] {
  return names.map((name) => git(path.join(repositories, name), ['rev-parse', 'refs/heads/main']).trim());
}

/** What is the newest is indexed, and all of it embedded. */
function isThrough({ commits, state }: Told, heads: readonly string[]): boolean {
  return state === 'done' && heads.every((head) => commits.includes(head));
}

interface Told {
  /** That are indexed. */
  commits: readonly (string | null)[];
  /** Of the encoder. */
  state: string | null;
}
