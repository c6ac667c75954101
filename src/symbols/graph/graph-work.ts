import { cancelled } from '../../base/errors.ts';
import type { AskedGround } from '../../search/index.ts';

/** What one question may cost and has cost: counted by what is visible, so that it ends at the same place for whoever sees the same. */
export class GraphWork {
  files = 0;
  uses = 0;
  readonly #deadline: AskedGround['deadline'];

  constructor(deadline: AskedGround['deadline']) {
    this.#deadline = deadline;
  }

  /** True: the time is over. Asked before each file. Fails with `cancelled`. */
  isOver(): boolean {
    if (this.#deadline.isStopped()) throw cancelled();
    return this.#deadline.expired();
  }
}
