import { firstNotBelow } from '../segments/ascending.ts';
import { NumberColumn } from '../segments/number-column.ts';

const [LINE_FEED, CARRIAGE_RETURN, SPACE, TAB] = [10, 13, 32, 9];

const SHOWN_BYTES = 240;

/** Where the lines of a text begin; lines count from 1. */
export class TextLines {
  readonly #text: Uint8Array;
  readonly #starts: Uint32Array;

  constructor(text: Uint8Array) {
    this.#text = text;
    const starts = new NumberColumn();
    starts.push(0);
    for (let at = text.indexOf(LINE_FEED); at >= 0; at = text.indexOf(LINE_FEED, at + 1)) starts.push(at + 1);
    this.#starts = starts.values;
  }

  lineOf(offset: number): number {
    return Math.max(1, firstNotBelow(this.#starts, offset + 1));
  }

  /** The end of the text for lines behind the last. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? this.#text.length;
  }

  /** Its first bytes, each as a character. */
  text(line: number): string {
    const start = this.startOf(line);
    const end = Math.min(this.#endOf(line), start + SHOWN_BYTES);
    return Buffer.from(this.#text.buffer, this.#text.byteOffset + start, end - start).toString('latin1');
  }

  isBlank(line: number): boolean {
    return this.startOf(line) + this.indentOf(line) >= this.#endOf(line);
  }

  /** Blanks and tabs that a line begins with. */
  indentOf(line: number): number {
    const start = this.startOf(line);
    const end = this.#endOf(line);
    let at = start;
    while (at < end && (this.#text[at] === SPACE || this.#text[at] === TAB)) at++;
    return at - start;
  }

  /** Where to cut a line that is too long: at most at `most`, between characters, and not within a word if that is easily done. */
  cutWithin(from: number, most: number): number {
    const text = this.#text;
    for (let at = most; at > most - 256; at--) if (isBetweenWords(text[at - 1]!)) return at;
    let at = most;
    while (at > from + 1 && (text[at]! & 0xc0) === 0x80) at--;
    return at;
  }

  #endOf(line: number): number {
    const next = this.startOf(line + 1);
    let end = next;
    if (end > this.startOf(line) && this.#text[end - 1] === LINE_FEED) end--;
    if (end > this.startOf(line) && this.#text[end - 1] === CARRIAGE_RETURN) end--;
    return end;
  }
}

function isBetweenWords(byte: number): boolean {
  if (byte >= 0x80 || byte === 0x5f) return false;
  const isDigit = byte >= 0x30 && byte <= 0x39;
  const letter = byte | 0x20;
  return !isDigit && !(letter >= 0x61 && letter <= 0x7a);
}
