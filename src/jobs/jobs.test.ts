import { afterEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../base/logger.ts';
import { openStorage, type Storage, type StorageOptions } from '../storage/index.ts';
import { overEachDatabase } from '../storage/testing/each-database.ts';
import { createEvents, createJobs, type Job, type JobRun, type Jobs, type JobsOptions } from './index.ts';
import { sweepFinished } from './job-table.ts';

overEachDatabase('jobs', ({ fresh }) => {
  let nowMs = 1_700_000_000_000;
  const clock = { now: () => nowMs };
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  /** A process of its own as far as jobs can tell, on the given database or a new one. */
  const start = async (database?: StorageOptions, options: Partial<JobsOptions> = {}) => {
    const at = database ?? (await fresh());
    const storage = await openStorage(at, { clock, logger: silentLogger });
    const events = createEvents({ keepMax: 1000 }, { storage, clock });
    const jobs = createJobs(
      {
        depthMax: 100,
        finishedMax: 100,
        retryFirstMs: 100,
        retryMostMs: 1000,
        closeWaitMs: 5000,
        ...options,
      },
      { storage, clock, events, logger: silentLogger, owner: `process ${closing.length}`, random: () => 1 },
    );
    closing.push(async () => {
      await jobs.close();
      await storage.close();
    });
    return { at, storage, events, jobs };
  };
  const one = { kind: 'index', key: 'repo-1', payload: { repo: 1 } };
  const work = { concurrency: 2, leaseMs: 10_000, pollMs: 5 };

  describe('enqueueing', () => {
    test('one live job per kind and key, whoever asks', async () => {
      const { at, jobs } = await start();
      const other = await start(at);
      const asked = await Promise.all(
        [0, 1, 2, 3, 4, 5].map((n) => (n % 2 ? jobs : other.jobs).enqueue(one)),
      );
      expect(new Set(asked.map(({ job }) => job.id)).size).toBe(1);
      expect(asked.filter(({ created }) => created)).toHaveLength(1);
    });

    test('a finished one runs anew, or is returned where once is enough for ever', async () => {
      const { jobs } = await start();
      jobs.work('index', async () => 'indexed', work);
      const first = await finished(jobs, (await jobs.enqueue(one)).job);
      expect(await jobs.enqueue({ ...one, onceEver: true })).toEqual({ job: first, created: false });
      const second = await jobs.enqueue(one);
      expect(second.created).toBe(true);
      expect(second.job.id).toBeGreaterThan(first.id);
    });

    test('once for ever holds for all that ask at once', async () => {
      const { at, jobs } = await start();
      const other = await start(at);
      jobs.work('index', async () => 'indexed', work);
      const asked = await Promise.all(
        Array.from({ length: 12 }, (_, n) => (n % 2 ? jobs : other.jobs).enqueue({ ...one, onceEver: true })),
      );
      expect(asked.filter(({ created }) => created)).toHaveLength(1);
    });

    test('a full queue is busy, of its own kind alone', async () => {
      const { jobs } = await start(undefined, { depthMax: 2 });
      for (const key of ['a', 'b']) await jobs.enqueue({ ...one, key });
      await expect(jobs.enqueue({ ...one, key: 'c' })).rejects.toMatchObject({
        kind: 'busy',
        code: 'jobs/queue-full',
      });
      expect((await jobs.enqueue({ ...one, key: 'a' })).created).toBe(false);
      expect((await jobs.enqueue({ ...one, kind: 'fetch' })).created).toBe(true);
    });

    test('a job of a transaction that fails was never there', async () => {
      const { jobs, storage } = await start();
      const failing = storage.transaction(async (tx) => {
        await jobs.enqueue({ ...one, within: tx });
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await jobs.list({ limit: 10 })).toEqual([]);
    });
  });

  describe('working', () => {
    test('a job runs with its payload, and its result is kept', async () => {
      const { jobs } = await start();
      jobs.work('index', async ({ job }) => ({ seen: job.payload }), work);
      const job = await finished(jobs, (await jobs.enqueue(one)).job);
      expect(job).toMatchObject({
        state: 'done',
        result: { seen: { repo: 1 } },
        attempts: 1,
        finishedMs: nowMs,
        problem: null,
      });
    });

    test('each of many jobs runs once, over several processes, never more at once than allowed', async () => {
      const { at, jobs } = await start();
      const other = await start(at);
      const ran: unknown[] = [];
      const atOnce = new Map<Jobs, number>();
      let mostAtOnce = 0;
      for (const worker of [jobs, other.jobs]) {
        worker.work(
          'index',
          async ({ job }) => {
            atOnce.set(worker, (atOnce.get(worker) ?? 0) + 1);
            mostAtOnce = Math.max(mostAtOnce, atOnce.get(worker) ?? 0);
            ran.push(job.payload);
            await turn();
            atOnce.set(worker, (atOnce.get(worker) ?? 0) - 1);
          },
          work,
        );
      }
      const wanted = Array.from({ length: 40 }, (_, index) => index);
      await Promise.all(
        wanted.map((index) => jobs.enqueue({ kind: 'index', key: `${index}`, payload: index })),
      );
      await until(async () => (await jobs.list({ states: ['done'], limit: 100 })).length === wanted.length);
      expect([...ran].sort((a, b) => Number(a) - Number(b))).toEqual(wanted);
      expect(mostAtOnce).toBeLessThanOrEqual(work.concurrency);
    });

    test('the one that is due first goes first, and none before its time', async () => {
      const { jobs } = await start();
      await jobs.enqueue({ ...one, key: 'later', runAfterMs: 1000 });
      await jobs.enqueue({ ...one, key: 'first' });
      nowMs += 1;
      await jobs.enqueue({ ...one, key: 'second' });
      const order: string[] = [];
      jobs.work('index', async ({ job }) => order.push(job.key), { ...work, concurrency: 1 });
      await until(async () => order.length === 2);
      nowMs += 1000;
      await until(async () => order.length === 3);
      expect(order).toEqual(['first', 'second', 'later']);
    });

    test('a failed job is tried again, later each time, and is dead with its problem in the end', async () => {
      const { jobs } = await start();
      jobs.work('index', () => Promise.reject(new Error('no such thing')), work);
      const { job } = await jobs.enqueue({ ...one, maxAttempts: 3 });
      const delays: number[] = [];
      for (const attempt of [1, 2]) {
        const failed = await until(
          () => jobs.get(job.id),
          (now) => now?.state === 'waiting' && now.attempts === attempt,
        );
        delays.push((failed?.nextMs ?? 0) - nowMs);
        nowMs = failed?.nextMs ?? 0;
      }
      expect(delays).toEqual([100, 200]);
      expect(await finished(jobs, job)).toMatchObject({
        state: 'dead',
        attempts: 3,
        problem: 'Error: no such thing',
      });
    });

    test('what an ending writes commits with it, or neither does', async () => {
      const { jobs, storage } = await start();
      jobs.work(
        'index',
        ({ complete, job }) =>
          complete(async (tx) => {
            await tx
              .insertInto('meta')
              .values({ key: job.key, value: `${job.attempts}` })
              .execute();
            if (job.attempts === 1) throw new Error('after the write');
            return 'written';
          }),
        work,
      );
      const { job } = await jobs.enqueue(one);
      await until(
        () => jobs.get(job.id),
        (now) => now?.state === 'waiting' && now.attempts === 1,
      );
      expect(await storage.db.selectFrom('meta').selectAll().execute()).toEqual([]);
      nowMs += 100;
      expect(await finished(jobs, job)).toMatchObject({ state: 'done', result: 'written' });
      expect(
        (await storage.db.selectFrom('meta').select('value').execute()).map(({ value }) => value),
      ).toEqual(['2']);
    });

    test('one handler for each kind', async () => {
      const { jobs } = await start();
      jobs.work('index', async () => {}, work);
      expect(() => jobs.work('index', async () => {}, work)).toThrow(/already have a handler/);
    });
  });

  describe('leases', () => {
    test('the job of a silent worker is taken over, and the late one can neither end it nor write', async () => {
      const { at, jobs, storage } = await start();
      const late = hold();
      // Its renewals never come: the next would be due in an hour.
      jobs.work(
        'index',
        async (run) => {
          await late.reached(run);
          await run.complete(async (tx) => {
            await tx.insertInto('meta').values({ key: 'late', value: '' }).execute();
          });
        },
        { ...work, concurrency: 1, leaseMs: 3_600_000 },
      );
      const { job } = await jobs.enqueue(one);
      const first = await late.run;
      nowMs += 3_600_000;

      const other = await start(at);
      other.jobs.work('index', async ({ fence, complete }) => complete(async () => `by ${fence}`), work);
      expect(await finished(other.jobs, job)).toMatchObject({ state: 'done', result: 'by 2', attempts: 2 });

      late.go();
      await jobs.close();
      expect(first.fence).toBe(1);
      expect(await jobs.get(job.id)).toMatchObject({ state: 'done', result: 'by 2' });
      expect(await storage.db.selectFrom('meta').selectAll().execute()).toEqual([]);
    });

    test('a worker that renews keeps its job, however long it takes', async () => {
      const { at, jobs } = await start();
      const slow = hold();
      jobs.work('index', slow.reached, { ...work, leaseMs: 60 });
      const { job } = await jobs.enqueue(one);
      const run = await slow.run;
      const other = await start(at);
      other.jobs.work('index', async () => 'stolen', work);
      for (let beat = 0; beat < 5; beat++) {
        nowMs += 40;
        await leasedUntil(other.storage, job.id, nowMs + 60);
      }
      expect(run.signal.aborted).toBe(false);
      slow.go();
      expect(await finished(jobs, job)).toMatchObject({ state: 'done', result: null, attempts: 1 });
    });

    test('a job that silences every worker is dead after its attempts', async () => {
      const { at, storage } = await start();
      const { jobs } = await start(at);
      const { job } = await jobs.enqueue({ ...one, maxAttempts: 2 });
      for (const fence of [1, 2]) {
        await storage.db
          .updateTable('job')
          .set({ state: 'running', attempts: fence, fence, lease_until_ms: nowMs })
          .execute();
        if (fence === 1) jobs.work('other', async () => {}, work);
        await until(
          () => jobs.get(job.id),
          (now) => now?.state !== 'running',
        );
      }
      expect(await jobs.get(job.id)).toMatchObject({ state: 'dead', problem: /not heard of/ });
    });
  });

  describe('cancelling', () => {
    test('a waiting job never runs', async () => {
      const { jobs } = await start();
      const { job } = await jobs.enqueue(one);
      expect(await jobs.cancel(job.id)).toMatchObject({ state: 'cancelled', finishedMs: nowMs });
      const ran: string[] = [];
      jobs.work('index', async ({ job: { key } }) => ran.push(key), work);
      await finished(jobs, (await jobs.enqueue({ ...one, key: 'next' })).job);
      expect(ran).toEqual(['next']);
    });

    test('a running handler is told, in its own process at once and in another at its next renewal', async () => {
      const { at, jobs } = await start();
      const other = await start(at);
      for (const canceller of [jobs, other.jobs]) {
        const slow = hold();
        const { jobs: working } = canceller === jobs ? { jobs } : await start(at);
        working.work(`slow ${canceller === jobs}`, (run) => slow.reached(run), { ...work, leaseMs: 60 });
        const { job } = await working.enqueue({ ...one, kind: `slow ${canceller === jobs}` });
        const { signal } = await slow.run;
        await canceller.cancel(job.id);
        await until(async () => signal.aborted);
        slow.go();
        expect(await jobs.get(job.id)).toMatchObject({ state: 'cancelled', result: null });
      }
    });

    test('what has ended stays as it ended, and an unknown job is told as such', async () => {
      const { jobs } = await start();
      jobs.work('index', async () => 'fine', work);
      const job = await finished(jobs, (await jobs.enqueue(one)).job);
      expect(await jobs.cancel(job.id)).toEqual(job);
      await expect(jobs.cancel(job.id + 1)).rejects.toMatchObject({ code: 'jobs/not-found' });
    });
  });

  test('of the finished jobs of a kind the oldest go first, and live ones never', async () => {
    const { jobs, storage } = await start();
    jobs.work('index', async () => {}, work);
    for (const key of ['a', 'b', 'c']) await finished(jobs, (await jobs.enqueue({ ...one, key })).job);
    await jobs.enqueue({ ...one, key: 'later', runAfterMs: 1000 });
    await finished(jobs, (await jobs.enqueue({ ...one, key: 'd' })).job);
    await sweepFinished(storage.db, 'index', 2);
    expect((await jobs.list({ kind: 'index', limit: 10 })).map(({ key }) => key)).toEqual([
      'd',
      'later',
      'c',
    ]);
    await sweepFinished(storage.db, 'index', 0);
    expect((await jobs.list({ kind: 'index', limit: 10 })).map(({ key }) => key)).toEqual(['later']);
  });

  describe('closing', () => {
    test('running handlers may end', async () => {
      const { at, jobs } = await start();
      const slow = hold();
      jobs.work('index', slow.reached, work);
      const { job } = await jobs.enqueue(one);
      await slow.run;
      const closed = jobs.close();
      await jobs.enqueue({ ...one, key: 'too late' });
      slow.go();
      await closed;
      const { jobs: after } = await start(at);
      expect((await after.get(job.id))?.state).toBe('done');
      expect((await after.list({ key: 'too late', limit: 1 }))[0]?.state).toBe('waiting');
    });

    test('those that take too long are aborted and wait again, the attempt not counted', async () => {
      const { jobs } = await start(undefined, { closeWaitMs: 20 });
      const slow = hold();
      jobs.work(
        'index',
        async (run) => {
          await Promise.race([slow.reached(run), aborted(run.signal)]);
          run.signal.throwIfAborted();
        },
        work,
      );
      const { job } = await jobs.enqueue(one);
      await slow.run;
      await jobs.close();
      expect(await jobs.get(job.id)).toMatchObject({ state: 'waiting', attempts: 0, problem: null });
    });
  });

  describe('events', () => {
    test('the life of a job is told in order', async () => {
      const { jobs, events } = await start();
      jobs.work(
        'index',
        async ({ job, progress }) => {
          await progress({ files: job.attempts });
          if (job.attempts === 1) throw new Error('once');
        },
        work,
      );
      const { job } = await jobs.enqueue(one);
      await until(
        () => jobs.get(job.id),
        (now) => now?.state === 'waiting' && now.attempts === 1,
      );
      nowMs += 100;
      await finished(jobs, job);
      const { events: told } = await events.since(0, 10);
      expect(told.map(({ kind, subject, data }) => [kind, subject, data])).toEqual([
        ['job.progress', 'index/repo-1', { files: 1, job: job.id }],
        ['job.retry', 'index/repo-1', { attempt: 1, job: job.id }],
        ['job.progress', 'index/repo-1', { files: 2, job: job.id }],
        ['job.done', 'index/repo-1', { job: job.id }],
      ]);
    });

    test('a follower sees every event once, whatever commits in which order', async () => {
      const { at, storage, events } = await start();
      const other = await start(at);
      const seen: number[] = [];
      let appending = true;
      const follow = async () => {
        let last = 0;
        for (;;) {
          const more = appending;
          const { events: next } = await other.events.since(last, 7);
          seen.push(...next.map(({ data }) => Number((data as { n: number }).n)));
          last = next.at(-1)?.id ?? last;
          if (!more && next.length === 0) return;
          await turn();
        }
      };
      const following = follow();
      await Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          n % 2
            ? events.append({ kind: 'k', subject: 's', data: { n } })
            : storage.transaction(async (tx) => {
                await tx
                  .insertInto('meta')
                  .values({ key: `${n}`, value: '' })
                  .execute();
                await events.append({ kind: 'k', subject: 's', data: { n } }, tx);
              }),
        ),
      );
      appending = false;
      await following;
      expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n));
    });

    test('the oldest go first, and a follower who is too late is told that it missed some', async () => {
      const { storage } = await start();
      const events = createEvents({ keepMax: 3 }, { storage, clock });
      for (let n = 1; n <= 5; n++) await events.append({ kind: 'k', subject: 's', data: { n } });
      const latest = await events.latest();
      await events.sweep();
      const kept = await events.since(0, 10);
      expect(kept.events.map(({ data }) => data)).toEqual([{ n: 3 }, { n: 4 }, { n: 5 }]);
      expect(kept.missed).toBe(true);
      expect((await events.since(latest - 2, 10)).missed).toBe(false);
      expect(await events.since(latest, 10)).toEqual({ events: [], missed: false });
    });
  });

  /** A handler that stops where the test wants it. */
  function hold() {
    let go = () => {};
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    let arrived: (run: JobRun) => void;
    const run = new Promise<JobRun>((resolve) => {
      arrived = resolve;
    });
    return {
      run,
      go: () => go(),
      reached: async (at: JobRun): Promise<void> => {
        arrived(at);
        await gone;
      },
    };
  }

  async function finished(jobs: Jobs, job: Job): Promise<Job> {
    const ended = await until(
      () => jobs.get(job.id),
      (now) => now !== null && now.finishedMs !== null,
    );
    if (!ended) throw new Error('gone');
    return ended;
  }

  function leasedUntil(storage: Storage, id: number, ms: number): Promise<unknown> {
    return until(
      () => storage.db.selectFrom('job').select('lease_until_ms').where('id', '=', id).executeTakeFirst(),
      (row) => row?.lease_until_ms === ms,
    );
  }
});

/** Looks again and again until it holds; the test's own time limit ends it. */
async function until<T>(
  look: () => Promise<T>,
  holds: (now: T) => boolean = (now) => now === true,
): Promise<T> {
  for (;;) {
    const now = await look();
    if (holds(now)) return now;
    await turn();
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2));
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
