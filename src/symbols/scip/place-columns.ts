import type { ColumnUnit } from './read-scip-index.ts';

/** From lines and columns of one text to its bytes. */
export class PlaceColumns {
  readonly #bytes: Buffer;
  readonly #unit: ColumnUnit;
  readonly #lineStarts: number[] = [0];

  constructor(text: Uint8Array, unit: ColumnUnit) {
    this.#bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
    this.#unit = unit;
    for (let at = this.#bytes.indexOf(10); at >= 0; at = this.#bytes.indexOf(10, at + 1))
      this.#lineStarts.push(at + 1);
  }

  /** -1 for a place that the text does not have. */
  offset(line: number, column: number): number {
    const start = this.#lineStarts[line];
    if (start === undefined || column < 0) return -1;
    const end = this.#lineStarts[line + 1] ?? this.#bytes.length;
    let at = start;
    if (this.#unit === 'utf-8') at += column;
    else {
      let left = column;
      // Four bytes are two units of UTF-16.
      for (; left > 0 && at < end; at += bytesOf(this.#bytes[at]!))
        left -= this.#unit === 'utf-16' && this.#bytes[at]! >= 0xf0 ? 2 : 1;
      if (left !== 0) return -1;
    }
    return at <= end && (at < end || end === this.#bytes.length) ? at : -1;
  }
}

function bytesOf(first: number): number {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}
