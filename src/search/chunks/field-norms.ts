import type { ChunksTables } from './chunks-format.ts';
import type { KeywordWeights } from './keyword-types.ts';
import { BODY_MAX, BODY_SHIFT, DOC_SHIFT, NAME_MAX, OUTLINE_MAX, OUTLINE_SHIFT } from './term-postings.ts';
import type { ChunkField } from './types.ts';

const LENGTHS = 2048;
let made = 0;

/** What one use of a word counts in a field, by the field's length: its weight over its norm. */
export class FieldNorms {
  /** Tells them apart in one thread. */
  readonly serial = ++made;
  readonly #k1: number;
  readonly #name: Float64Array;
  readonly #outline: Float64Array;
  readonly #doc: Float64Array;
  readonly #body: Float64Array;

  constructor({ k1, fields }: KeywordWeights, means: Readonly<Record<ChunkField, number>>) {
    this.#k1 = k1;
    const table = (field: ChunkField) => {
      const { weight, b } = fields[field];
      return Float64Array.from(
        { length: LENGTHS },
        (_, length) => weight / (1 - b + (b * length) / means[field]),
      );
    };
    this.#name = table('name');
    this.#outline = table('outline');
    this.#doc = table('doc');
    this.#body = table('body');
  }

  /** From 0 to 1: how much a word says of a chunk, whatever the word. */
  weigh(counts: number, tables: ChunksTables, chunk: number): number {
    let uses = 0;
    const body = (counts >>> BODY_SHIFT) & BODY_MAX;
    if (body > 0) uses += body * this.#body[Math.min(tables.bodyWords[chunk]!, LENGTHS - 1)]!;
    const name = counts & NAME_MAX;
    if (name > 0) uses += name * this.#name[tables.nameWords[chunk]!]!;
    const outline = (counts >>> OUTLINE_SHIFT) & OUTLINE_MAX;
    if (outline > 0) uses += outline * this.#outline[tables.outlineWords[chunk]!]!;
    const doc = counts >>> DOC_SHIFT;
    if (doc > 0) uses += doc * this.#doc[Math.min(tables.docWords[chunk]!, LENGTHS - 1)]!;
    return uses / (this.#k1 + uses);
  }
}
