/** One holder at a time, in the order of asking. */
export class FairLock {
  #held = false;
  readonly #waiting: Waiter[] = [];

  /** True once it is held, false when it was not free within `waitMsMax`. */
  acquire(waitMsMax: number): Promise<boolean> {
    if (!this.#held) {
      this.#held = true;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const waiter: Waiter = {
        timer: setTimeout(() => {
          this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
          resolve(false);
        }, waitMsMax),
        resolve,
      };
      this.#waiting.push(waiter);
    });
  }

  release(): void {
    const next = this.#waiting.shift();
    if (!next) {
      this.#held = false;
      return;
    }
    clearTimeout(next.timer);
    next.resolve(true);
  }
}

interface Waiter {
  timer: NodeJS.Timeout;
  resolve(held: boolean): void;
}
