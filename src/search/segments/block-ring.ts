/** Decoded blocks lie one behind another in a ring of memory; the oldest are overwritten. Remembers which are still there. */
export class BlockRing {
  readonly #at: number;
  readonly #bytes: number;
  readonly #segments: Uint32Array;
  readonly #blocks: Uint32Array;
  /** Positions count on over the rounds of the ring. */
  readonly #positions: Float64Array;
  readonly #mask: number;
  #position = 0;
  #placed = 0;

  constructor(at: number, bytes: number) {
    this.#at = at;
    this.#bytes = bytes;
    const slots = 2 ** Math.ceil(Math.log2(bytes / 1024));
    this.#mask = slots - 1;
    this.#segments = new Uint32Array(slots);
    this.#blocks = new Uint32Array(slots);
    this.#positions = new Float64Array(slots).fill(Number.NEGATIVE_INFINITY);
  }

  /** Address of a block's text, or 0 when it is not there (any more). */
  find(segment: number, block: number): number {
    const slot = this.#slotOf(segment, block);
    const position = this.#positions[slot]!;
    if (this.#segments[slot] !== segment || this.#blocks[slot] !== block) return 0;
    return position >= this.#position - this.#bytes ? this.#at + (position % this.#bytes) : 0;
  }

  /** Makes room for a text and what is written past its end. A block never lies across the ring's end. */
  place(bytes: number): number {
    const offset = this.#position % this.#bytes;
    if (offset + bytes > this.#bytes) this.#position += this.#bytes - offset;
    this.#placed = this.#position;
    const address = this.#at + (this.#placed % this.#bytes);
    this.#position += (bytes + 15) & ~15;
    return address;
  }

  /** The text that was placed last is whole, and is this block's. */
  remember(segment: number, block: number): void {
    const slot = this.#slotOf(segment, block);
    this.#segments[slot] = segment;
    this.#blocks[slot] = block;
    this.#positions[slot] = this.#placed;
  }

  /** Forgets all: as if a whole round had been placed since. */
  flush(): void {
    this.#position += this.#bytes;
  }

  #slotOf(segment: number, block: number): number {
    return (block + Math.imul(segment, 0x9e3779b1)) & this.#mask;
  }
}
