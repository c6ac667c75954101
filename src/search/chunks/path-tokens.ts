import { termsOfToken } from './words.ts';

const POOL_START = 1 << 16;
const SLOTS_START = 1 << 12;

/**
 * The runs of letters and digits that paths are made of, and the terms of each: the same ones make up thousands of paths, so what they
 * are is found once. Terms are numbered in the order in which they came up.
 */
export class PathTokens {
  readonly #numbers = new Map<string, number>();
  /** Bytes of all tokens, one after the other. */
  #pool = Buffer.allocUnsafe(POOL_START);
  #starts = new Uint32Array(SLOTS_START);
  #hashes = new Uint32Array(SLOTS_START);
  /** By token: where its terms begin in the list of all. */
  #termStarts = new Uint32Array(SLOTS_START);
  readonly #termList: number[] = [];
  /** Numbers of tokens from 1, by their hashes; twice as many as there may be tokens. */
  #slots = new Uint32Array(2 * SLOTS_START);
  #tokens = 0;

  get tokens(): number {
    return this.#tokens;
  }

  get terms(): number {
    return this.#numbers.size;
  }

  /** -1 for a term that no path has. */
  termNumber(term: string): number {
    return this.#numbers.get(term) ?? -1;
  }

  /** Adds those terms of a piece of a path that `into` does not have yet. */
  addTerms(into: number[], bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; ) {
      if (isWordByte[bytes[at]!] === 0) {
        at++;
        continue;
      }
      const start = at;
      let hash = 0x811c9dc5;
      while (at < to && isWordByte[bytes[at]!] === 1) hash = Math.imul(hash ^ bytes[at++]!, 0x01000193);
      const token = this.#tokenOf(bytes, start, at, (hash ^ (hash >>> 15)) >>> 0);
      for (let i = this.#termStarts[token]!; i < this.#termStarts[token + 1]!; i++) {
        const term = this.#termList[i]!;
        if (!into.includes(term)) into.push(term);
      }
    }
  }

  #tokenOf(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const token = this.#slots[slot]! - 1;
      if (this.#hashes[token] === hash && this.#is(token, bytes, from, to)) return token;
    }
    return this.#add(bytes, from, to, hash, slot);
  }

  #is(token: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#starts[token]!;
    if (this.#starts[token + 1]! - start !== to - from) return false;
    for (let i = 0; i < to - from; i++) if (this.#pool[start + i] !== bytes[from + i]) return false;
    return true;
  }

  #add(bytes: Uint8Array, from: number, to: number, hash: number, slot: number): number {
    const token = this.#tokens++;
    const start = this.#starts[token]!;
    const end = start + to - from;
    if (end > this.#pool.length) {
      const larger = Buffer.allocUnsafe(Math.max(end, 2 * this.#pool.length));
      this.#pool.copy(larger, 0, 0, start);
      this.#pool = larger;
    }
    this.#pool.set(bytes.subarray(from, to), start);
    for (const term of new Set(termsOfToken(this.#pool.toString('utf8', start, end)))) {
      let number = this.#numbers.get(term);
      if (number === undefined) {
        number = this.#numbers.size;
        this.#numbers.set(term, number);
      }
      this.#termList.push(number);
    }
    this.#hashes[token] = hash;
    this.#slots[slot] = token + 1;
    this.#starts[token + 1] = end;
    this.#termStarts[token + 1] = this.#termList.length;
    if (this.#tokens + 1 === this.#starts.length) this.#grow();
    return token;
  }

  #grow(): void {
    const size = 2 * this.#starts.length;
    const larger = (column: Uint32Array) => {
      const grown = new Uint32Array(size);
      grown.set(column);
      return grown;
    };
    this.#starts = larger(this.#starts);
    this.#hashes = larger(this.#hashes);
    this.#termStarts = larger(this.#termStarts);
    this.#slots = new Uint32Array(2 * size);
    for (let token = 0; token < this.#tokens; token++) {
      let slot = this.#hashes[token]! & (this.#slots.length - 1);
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (this.#slots.length - 1);
      this.#slots[slot] = token + 1;
    }
  }
}

/** Letters, digits and underscores, and whatever is not ASCII. */
const isWordByte = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 || /\w/.test(String.fromCharCode(byte)) ? 1 : 0,
);
