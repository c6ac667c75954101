/** Says when to give up. Asked every few tens of kilobytes of text, or as much work. */
export interface Deadline {
  expired(): boolean;
}

/** Thrown out of the loops when the deadline has expired; it never leaves this module. */
export class OutOfTime extends Error {}

const UNITS_BETWEEN_CHECKS = 1 << 18;

/**
 * Counts work, in bytes read from cached states; a step that has to be computed counts as much as the states it touches.
 * Tests assert these counts instead of times.
 */
export class WorkMeter {
  done = 0;
  readonly #deadline: Deadline | undefined;
  #nextCheck = UNITS_BETWEEN_CHECKS;

  constructor(deadline?: Deadline) {
    this.#deadline = deadline;
  }

  spend(units: number): void {
    this.done += units;
    if (this.done < this.#nextCheck) return;
    this.#nextCheck = this.done + UNITS_BETWEEN_CHECKS;
    if (this.#deadline?.expired()) throw new OutOfTime();
  }
}
