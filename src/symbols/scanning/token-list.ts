export const WORD = 1;
export const STRING = 2;
export const SIGN = 3;

/** The tokens of a text: `kind[i]` from `start[i]` to `end[i]`. Signs are single characters. */
export interface Tokens {
  readonly text: string;
  readonly count: number;
  readonly kind: Uint8Array;
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  /** Text of a token, empty before the first and behind the last. */
  of(token: number): string;
  is(token: number, sign: string): boolean;
}

/** The tokens of a text as they are found, in its order; each takes at least one character. */
export class TokenList implements Tokens {
  readonly text: string;
  readonly kind: Uint8Array;
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  count = 0;

  constructor(text: string) {
    this.text = text;
    this.kind = new Uint8Array(text.length);
    this.start = new Uint32Array(text.length);
    this.end = new Uint32Array(text.length);
  }

  push(kind: number, start: number, end: number): void {
    if (end <= start) return;
    this.kind[this.count] = kind;
    this.start[this.count] = start;
    this.end[this.count++] = Math.min(end, this.text.length);
  }

  of(token: number): string {
    return token >= 0 && token < this.count ? this.text.slice(this.start[token]!, this.end[token]!) : '';
  }

  is(token: number, sign: string): boolean {
    return (
      token >= 0 && token < this.count && this.kind[token] === SIGN && this.text[this.start[token]!] === sign
    );
  }
}
