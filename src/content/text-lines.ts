import { isAscii } from 'node:buffer';
import type { LineSlice } from './types.ts';

/**
 * A UTF-8 text with the byte offset of each line. A line ends at `\n`; a `\r` before it is not part of the line, one elsewhere is.
 * What follows the last `\n` is a line when it is not empty, so an empty text has none.
 */
export class TextLines {
  readonly text: Buffer;
  /** Line n (from 0) begins at `starts[n]` and its terminator ends at `starts[n + 1]`. */
  readonly #starts: Uint32Array;
  readonly #stringEncoding: 'latin1' | 'utf8';

  constructor(text: Buffer) {
    this.text = text;
    this.#starts = lineStarts(text);
    // Reading ASCII as Latin-1 gives the same string and skips the decoder.
    this.#stringEncoding = isAscii(text) ? 'latin1' : 'utf8';
  }

  get count(): number {
    return this.#starts.length - 1;
  }

  get sizeBytes(): number {
    return this.text.length + this.#starts.byteLength;
  }

  /** Lines `first` (from 1) on, at most `count`. */
  slice(first: number, count: number, lineBytesMax: number): LineSlice {
    const from = Math.max(0, first - 1);
    const to = Math.min(this.count, from + Math.max(0, count));
    const atEnd = to >= this.count;
    if (from >= to) return { first, lines: [], cutLines: noCuts, atEnd };
    for (let line = from; line < to; line++) {
      if (this.#starts[line + 1]! - this.#starts[line]! > lineBytesMax) {
        return { first: from + 1, ...this.#oneByOne(from, to, lineBytesMax), atEnd };
      }
    }
    return { first: from + 1, lines: this.#together(from, to), cutLines: noCuts, atEnd };
  }

  #together(from: number, to: number): string[] {
    const joined = this.text.toString(this.#stringEncoding, this.#starts[from], this.#starts[to]);
    const lines = joined.split('\n');
    const last = lines.pop()!;
    if (joined.includes('\r')) {
      for (let index = 0; index < lines.length; index++) {
        const line = lines[index]!;
        if (line.endsWith('\r')) lines[index] = line.slice(0, -1);
      }
    }
    if (last !== '') lines.push(last);
    return lines;
  }

  #oneByOne(from: number, to: number, lineBytesMax: number): Pick<LineSlice, 'lines' | 'cutLines'> {
    const lines: string[] = [];
    const cutLines = new Map<number, number>();
    for (let line = from; line < to; line++) {
      const start = this.#starts[line]!;
      const end = this.#endOf(line);
      let shownEnd = end;
      if (end - start > lineBytesMax) {
        cutLines.set(line + 1, end - start);
        shownEnd = characterStart(this.text, start + Math.max(0, lineBytesMax));
      }
      lines.push(this.text.toString(this.#stringEncoding, start, shownEnd));
    }
    return { lines, cutLines };
  }

  /** Where a line ends, its terminator left out. */
  #endOf(line: number): number {
    const start = this.#starts[line]!;
    const end = this.#starts[line + 1]!;
    if (this.text[end - 1] !== newline) return end;
    return end - 2 >= start && this.text[end - 2] === carriageReturn ? end - 2 : end - 1;
  }
}

const newline = 0x0a;
const carriageReturn = 0x0d;
const noCuts: ReadonlyMap<number, number> = new Map();

/** The start of the character that `at` is in. */
function characterStart(text: Buffer, at: number): number {
  while (at > 0 && at < text.length && (text[at]! & 0xc0) === 0x80) at -= 1;
  return at;
}

function lineStarts(text: Buffer): Uint32Array {
  let newlines = 0;
  for (let at = 0; at < text.length; at++) if (text[at] === newline) newlines += 1;
  const isOpenEnded = text.length > 0 && text[text.length - 1] !== newline;
  const starts = new Uint32Array(newlines + (isOpenEnded ? 1 : 0) + 1);
  let line = 1;
  for (let at = 0; at < text.length; at++) if (text[at] === newline) starts[line++] = at + 1;
  if (isOpenEnded) starts[line] = text.length;
  return starts;
}
