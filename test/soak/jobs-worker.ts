/** One worker process of jobs-kill.test.ts: works until its input ends or it is told to stop, or until it is killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { createEvents, createJobs } from '../../src/jobs/index.ts';
import { openStorage, type StorageOptions } from '../../src/storage/index.ts';

export interface SoakPayload {
  /** The handler takes this long, awake. */
  takesMs: number;
  /** The next job of its chain, enqueued together with this one's end, or null. */
  next: { key: string; payload: SoakPayload } | null;
}

const options = JSON.parse(process.argv[2] ?? '') as StorageOptions;
const leaseMs = Number(process.argv[3]);

const storage = await openStorage(options, { clock: systemClock, logger: silentLogger });
const events = createEvents({ keepMax: 100_000 }, { storage, clock: systemClock });
const jobs = createJobs(
  { depthMax: 10_000, finishedMax: 10_000, retryFirstMs: 5, retryMostMs: 50, closeWaitMs: 5000 },
  {
    storage,
    events,
    clock: systemClock,
    logger: silentLogger,
    owner: `process ${process.pid}`,
    random: Math.random,
  },
);
jobs.work(
  'soak',
  async ({ job, fence, complete }) => {
    const { takesMs, next } = job.payload as SoakPayload;
    await sleep(takesMs);
    await complete(async (tx) => {
      await sql`insert into effect (job_key, fence) values (${job.key}, ${fence})`.execute(tx);
      if (next) await jobs.enqueue({ kind: 'soak', maxAttempts: 1000, ...next, within: tx });
    });
  },
  { concurrency: 4, leaseMs, pollMs: 25 },
);
process.stdin.resume().once('end', () => process.exit(1));
process.once('SIGTERM', async () => {
  await jobs.close();
  await storage.close();
  process.exit(0);
});
process.stdout.write('ready\n');
