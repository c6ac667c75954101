const REVIEW_AT = 1 << 16;
const FIRST_REST = 1 << 18;

/** Remembers whether a shortcut pays, by counts, not by time. One that does not is left alone for a while, longer each time. */
export class PayoffRecord {
  #gained = 0;
  #spent = 0;
  #restBytes = 0;
  #nextRest = FIRST_REST;

  /** Whether to use it for the next `bytes`. */
  isWorthwhile(bytes: number): boolean {
    if (this.#restBytes <= 0) return true;
    this.#restBytes -= bytes;
    return false;
  }

  record(gained: number, spent: number): void {
    this.#gained += gained;
    this.#spent += spent;
    if (this.#gained + this.#spent < REVIEW_AT) return;
    if (this.#gained < this.#spent) {
      this.#restBytes = this.#nextRest;
      this.#nextRest *= 2;
    } else {
      this.#nextRest = FIRST_REST;
    }
    this.#gained = 0;
    this.#spent = 0;
  }
}
