export interface Closable {
  close(): void | Promise<void>;
}

/** Closes what was opened, in reverse order. One failing close does not keep the others open; the first fault is thrown at the end. */
export class ClosingStack {
  #closables: Closable[] = [];

  add<T extends Closable>(closable: T): T {
    this.#closables.push(closable);
    return closable;
  }

  async close(): Promise<void> {
    const faults: unknown[] = [];
    for (const closable of this.#closables.splice(0).reverse()) {
      try {
        await closable.close();
      } catch (fault) {
        faults.push(fault);
      }
    }
    if (faults.length > 0) throw faults[0];
  }
}
