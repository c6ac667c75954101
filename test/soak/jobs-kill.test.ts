import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { bundleForNode } from '../../src/base/testing/run-typescript.ts';
import { SeededRandom } from '../../src/base/testing/seeded-random.ts';
import { createEvents, createJobs, type Event, type Events } from '../../src/jobs/index.ts';
import { openStorage, type Storage, type StorageOptions } from '../../src/storage/index.ts';
import { overEachDatabase } from '../../src/storage/testing/each-database.ts';
import type { SoakPayload } from './jobs-worker.ts';

/**
 * Worker processes are killed, or frozen for longer than their leases and let go again, at seeded moments while they work. Afterwards
 * every job has run to its end, and what each wrote is there exactly once.
 */
const seeds = Number(process.env['PERISCOPE_SOAK_SEEDS'] ?? 10);
const workerCount = 2;
const leaseMs = 120;
const chains = 15;
const chainLength = 3;
const blows = 3;

overEachDatabase('jobs under kills', ({ kind, fresh }) => {
  let bundle: string;
  beforeAll(async () => {
    bundle = await bundleForNode(path.join(import.meta.dirname, 'jobs-worker.ts'), { inline: ['kysely'] });
  });

  // Each seed costs processes; PostgreSQL's share is smaller in the short run that every `npm test` makes.
  const count = kind === 'postgres' ? Math.ceil(seeds / 4) : seeds;
  for (let seed = 1; seed <= count; seed++) {
    test(`no job is lost and none is done twice, seed ${seed}`, { timeout: 60_000 }, async () => {
      await soak(await fresh(), seed, bundle);
    });
  }
});

async function soak(options: StorageOptions, seed: number, bundle: string): Promise<void> {
  const random = new SeededRandom(seed);
  const storage = await openStorage(options, { clock: systemClock, logger: silentLogger });
  const deps = { storage, clock: systemClock };
  const events = createEvents({ keepMax: 100_000 }, deps);
  const jobs = createJobs(
    { depthMax: 10_000, finishedMax: 10_000, retryFirstMs: 5, retryMostMs: 50, closeWaitMs: 5000 },
    { ...deps, events, logger: silentLogger, owner: 'test', random: () => random.next() },
  );
  const workers: ChildProcess[] = [];
  const stopFollowing = new AbortController();
  let following: Promise<Event[]> = Promise.resolve([]);
  try {
    await sql`create table effect (job_key text, fence bigint)`.execute(storage.db);
    following = follow(events, stopFollowing.signal);
    const starting = Array.from({ length: workerCount }, () => startWorker(bundle, options, workers));
    await Promise.all(starting);

    const enqueueing = (async () => {
      for (let chain = 0; chain < chains; chain++) {
        const { key, payload } = chainOf(random, chain);
        // Twice: the second is the same job, or finds it done.
        const request = { kind: 'soak', key, payload, maxAttempts: 1000, onceEver: true };
        await Promise.all([jobs.enqueue(request), jobs.enqueue(request)]);
        await sleep(random.below(8));
      }
    })();
    for (let blow = 0; blow < blows; blow++) {
      await sleep(random.below(100));
      const at = random.below(workerCount);
      const victim = workers[at] as ChildProcess;
      if (random.below(2) === 0) {
        victim.kill('SIGSTOP');
        await sleep(leaseMs + random.below(leaseMs));
        victim.kill('SIGCONT');
      } else {
        victim.kill('SIGKILL');
        workers.splice(at, 1);
        await startWorker(bundle, options, workers);
      }
    }
    await enqueueing;
    const wanted = chains * chainLength;
    await allDone(storage, wanted);

    const ended = workers.map((worker) => once(worker, 'exit'));
    for (const worker of workers) worker.kill('SIGTERM');
    for (const end of ended) expect(await end).toEqual([0, null]);
    stopFollowing.abort();
    const { rows } = await sql<{ job_key: string }>`select job_key from effect`.execute(storage.db);
    const effects = rows.map(({ job_key }) => job_key).sort();
    expect(effects).toEqual([...new Set(effects)]);
    expect(effects).toHaveLength(wanted);
    const told = (await following).filter(({ kind }) => kind === 'job.done').map(({ subject }) => subject);
    expect(told.sort()).toEqual(effects.map((key) => `soak/${key}`));
  } finally {
    stopFollowing.abort();
    for (const worker of workers) worker.kill('SIGKILL');
    await following;
    await jobs.close();
    await storage.close();
  }
}

function chainOf(random: SeededRandom, chain: number): { key: string; payload: SoakPayload } {
  let next: SoakPayload['next'] = null;
  for (let link = chainLength; link > 0; link--) {
    next = { key: `${chain}/${link}`, payload: { takesMs: random.below(10), next } };
  }
  return next as NonNullable<SoakPayload['next']>;
}

async function startWorker(bundle: string, options: StorageOptions, workers: ChildProcess[]): Promise<void> {
  const worker = spawn(process.execPath, [bundle, JSON.stringify(options), String(leaseMs)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  workers.push(worker);
  await once(worker.stdout, 'data');
}

async function allDone(storage: Storage, wanted: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ state: string; count: number }>`
      select state, count(*) as count from job group by state`.execute(storage.db);
    if (rows.length === 1 && rows[0]?.state === 'done' && rows[0].count >= wanted) return;
    const dead = rows.find(({ state }) => state === 'dead');
    expect(dead).toBeUndefined();
    await sleep(20);
  }
}

/** Every event, as a follower in another process would see them. */
async function follow(events: Events, signal: AbortSignal): Promise<Event[]> {
  const seen: Event[] = [];
  for (let more = true; more; ) {
    more = !signal.aborted;
    const { events: next } = await events.since(seen.at(-1)?.id ?? 0, 50);
    seen.push(...next);
    if (next.length > 0) more = true;
    else await sleep(5);
  }
  return seen;
}
