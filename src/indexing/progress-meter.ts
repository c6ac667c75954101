import type { Clock } from '../base/clock.ts';
import type { IndexingProgress } from './types.ts';

const windowMs = 10_000;

/** How much has been read, how fast of late, and how long the rest may take if it is like what came before. */
export class ProgressMeter {
  readonly #clock: Clock;
  #bytes = 0;
  #samples: { atMs: number; bytes: number }[] = [];
  #startedMs: number | null = null;
  #doneAtStart = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  read(bytes: number): void {
    this.#bytes += bytes;
    const nowMs = this.#clock.now();
    const last = this.#samples.at(-1);
    if (last && nowMs - last.atMs < 200) last.bytes += bytes;
    else this.#samples.push({ atMs: nowMs, bytes });
    while (this.#samples[0] && this.#samples[0].atMs < nowMs - windowMs) this.#samples.shift();
  }

  progress(done: number, total: number): Omit<IndexingProgress, 'symbols' | 'embedding'> {
    const nowMs = this.#clock.now();
    if (done === total) this.#startedMs = null;
    else if (this.#startedMs === null) {
      this.#startedMs = nowMs;
      this.#doneAtStart = done;
    }
    const recent = this.#samples.filter(({ atMs }) => atMs >= nowMs - windowMs);
    const spanMs = recent.length === 0 ? 0 : Math.max(200, nowMs - recent[0]!.atMs);
    const bytes = recent.reduce((sum, sample) => sum + sample.bytes, 0);
    return {
      repositoriesDone: done,
      repositoriesTotal: total,
      bytesDone: this.#bytes,
      bytesPerSecond: spanMs === 0 ? 0 : Math.round((bytes * 1000) / spanMs),
      remainingMs: this.#remaining(done, total, nowMs),
    };
  }

  #remaining(done: number, total: number, nowMs: number): number | null {
    if (done === total) return 0;
    const ended = done - this.#doneAtStart;
    if (this.#startedMs === null || ended <= 0) return null;
    return Math.round(((nowMs - this.#startedMs) / ended) * (total - done));
  }
}
