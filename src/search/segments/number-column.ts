const START = 1024;

/** A column of u32 that grows. */
export class NumberColumn {
  #values = new Uint32Array(START);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Uint32Array(this.#values.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  get values(): Uint32Array {
    return this.#values.subarray(0, this.#length);
  }
}
