import { termHash } from './term-hash.ts';
import { TOKEN_BYTES_MAX, termsOfToken } from './words.ts';

const SLOTS_START = 1 << 14;
/** Runs that are remembered: beyond it they are forgotten, and all is as before. */
const TOKENS_MAX = 1 << 20;
const REMEMBERED_BYTES_MAX = 40;

/**
 * Finds the terms of texts, each by a number that it is given here. What a run of letters and digits is made of is remembered by its
 * bytes: most of them come again and again, and cost no more than being found.
 */
export class TermScanner {
  /** The numbers of the terms that `scan` has found, in their order. */
  found = new Uint32Array(4096);
  readonly #numbers = new Map<string, number>();
  readonly #upper: number[] = [];
  readonly #lower: number[] = [];
  #slots = new Uint32Array(SLOTS_START);
  #tokens = 0;
  /** By token, from 1: its hash, where its bytes begin and where its terms begin; behind them the ends. */
  #hashes = new Int32Array(SLOTS_START);
  #byteStarts = new Uint32Array(SLOTS_START);
  #termStarts = new Uint32Array(SLOTS_START);
  #bytes = Buffer.allocUnsafe(1 << 17);
  #bytesEnd = 0;
  #terms = new Uint32Array(1 << 15);
  #termsEnd = 0;

  get terms(): number {
    return this.#upper.length;
  }

  upperOf(term: number): number {
    return this.#upper[term]!;
  }

  lowerOf(term: number): number {
    return this.#lower[term]!;
  }

  /** All terms in the order of their hashes. */
  inOrder(): Uint32Array {
    let order = Uint32Array.from({ length: this.terms }, (_, term) => term);
    const digits = [this.#lower, this.#upper, this.#upper];
    for (const [pass, of] of digits.entries()) order = sortedBy(order, of, pass === 2 ? 16 : 0);
    return order;
  }

  /** Scans a part of a text. Returns how many terms are in `found`. */
  scan(text: Uint8Array, start: number, end: number): number {
    // A term takes at least one byte, but for those that are found twice: once as a whole, once without their digits.
    if (this.found.length < 2 * (end - start) + 16)
      this.found = new Uint32Array(2 * (2 * (end - start) + 16));
    const { found } = this;
    let count = 0;
    for (let at = start; at < end; at++) {
      let kind = kinds[text[at]!]!;
      if (kind === OTHER) continue;
      const from = at;
      let hash = 0;
      let isAscii = true;
      do {
        if (kind === HIGH) isAscii = false;
        hash = Math.imul(hash ^ text[at]!, 0x01000193);
        at++;
        if (at >= end) break;
        kind = kinds[text[at]!]!;
      } while (kind !== OTHER);
      const length = at - from;
      // A single letter or digit says nothing.
      if (isAscii && (length === 1 || length > TOKEN_BYTES_MAX)) continue;
      if (length > REMEMBERED_BYTES_MAX) {
        for (const term of termsOfToken(utf8(text, from, at))) found[count++] = this.#numberOf(term);
        continue;
      }
      const token = this.#token(text, from, length, hash ^ (hash >>> 15));
      const terms = this.#terms;
      const termsEnd = this.#termStarts[token + 1]!;
      for (let i = this.#termStarts[token]!; i < termsEnd; i++) found[count++] = terms[i]!;
    }
    return count;
  }

  #token(text: Uint8Array, from: number, length: number, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const token = this.#slots[slot]!;
      if (token === 0) return this.#remember(text, from, length, hash);
      if (this.#hashes[token] === hash && this.#isToken(token, text, from, length)) return token;
    }
  }

  #isToken(token: number, text: Uint8Array, from: number, length: number): boolean {
    const start = this.#byteStarts[token]!;
    if (this.#byteStarts[token + 1]! - start !== length) return false;
    const bytes = this.#bytes;
    for (let i = 0; i < length; i++) if (bytes[start + i] !== text[from + i]) return false;
    return true;
  }

  #remember(text: Uint8Array, from: number, length: number, hash: number): number {
    if (this.#tokens >= TOKENS_MAX) this.#forget();
    if (2 * (this.#tokens + 2) > this.#slots.length) this.#grow();
    const token = ++this.#tokens;
    const terms = termsOfToken(utf8(text, from, from + length));
    if (this.#bytesEnd + length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * this.#bytes.length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    if (this.#termsEnd + terms.length > this.#terms.length) {
      const larger = new Uint32Array(2 * this.#terms.length + terms.length);
      larger.set(this.#terms);
      this.#terms = larger;
    }
    this.#hashes[token] = hash;
    this.#byteStarts[token] = this.#bytesEnd;
    this.#termStarts[token] = this.#termsEnd;
    for (let i = 0; i < length; i++) this.#bytes[this.#bytesEnd++] = text[from + i]!;
    for (const term of terms) this.#terms[this.#termsEnd++] = this.#numberOf(term);
    this.#byteStarts[token + 1] = this.#bytesEnd;
    this.#termStarts[token + 1] = this.#termsEnd;
    this.#place(token);
    return token;
  }

  #place(token: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.#hashes[token]! & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = token;
  }

  #grow(): void {
    const size = 2 * this.#slots.length;
    const hashes = new Int32Array(size);
    hashes.set(this.#hashes);
    const byteStarts = new Uint32Array(size);
    byteStarts.set(this.#byteStarts);
    const termStarts = new Uint32Array(size);
    termStarts.set(this.#termStarts);
    this.#hashes = hashes;
    this.#byteStarts = byteStarts;
    this.#termStarts = termStarts;
    this.#slots = new Uint32Array(size);
    for (let token = 1; token <= this.#tokens; token++) this.#place(token);
  }

  #forget(): void {
    this.#slots.fill(0);
    this.#tokens = 0;
    this.#bytesEnd = 0;
    this.#termsEnd = 0;
  }

  #numberOf(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const { upper, lower } = termHash(term);
    this.#upper.push(upper);
    this.#lower.push(lower);
    // A copy: a part of a text would keep all of it in memory.
    this.#numbers.set(Buffer.from(term).toString(), this.#upper.length - 1);
    return this.#upper.length - 1;
  }
}

/** A pass of a radix sort: by 16 bits, and else as it was. */
function sortedBy(order: Uint32Array, values: readonly number[], shift: number): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(65_537);
  for (const term of order) starts[((values[term]! >>> shift) & 0xffff) + 1]! += 1;
  for (let digit = 0; digit < 65_536; digit++) starts[digit + 1]! += starts[digit]!;
  const sorted = new Uint32Array(order.length);
  for (const term of order) sorted[starts[(values[term]! >>> shift) & 0xffff]!++] = term;
  return sorted;
}

function utf8(text: Uint8Array, start: number, end: number): string {
  return Buffer.from(text.buffer, text.byteOffset + start, end - start).toString('utf8');
}

const [OTHER, WORD, HIGH] = [0, 1, 2];

const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return HIGH;
  return /\w/.test(String.fromCharCode(byte)) ? WORD : OTHER;
});
