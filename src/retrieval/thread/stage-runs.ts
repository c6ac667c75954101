import type { RetrievalStage, StageRun } from '../types.ts';

/** What the stages of one answer did and took. */
export class StageRuns {
  readonly runs: StageRun[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Runs a stage that gives a list, or says why it cannot. Off: nothing is run, and the list is empty. */
  run<T>(stage: RetrievalStage, isOn: boolean, work: () => readonly T[] | LeftOut): readonly T[] {
    if (!isOn) {
      this.runs.push({ stage, state: 'off', ms: 0, count: 0, why: null });
      return [];
    }
    const startedMs = this.#now();
    const found = work();
    const ms = this.#now() - startedMs;
    if ('why' in found) {
      this.runs.push({ stage, state: 'left-out', ms, count: 0, why: found.why });
      return [];
    }
    this.runs.push({ stage, state: 'ran', ms, count: found.length, why: null });
    return found;
  }
}

/** Why a stage could not run, in words for the asker. */
export interface LeftOut {
  why: string;
}
