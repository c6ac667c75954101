import { VarintReader, type VarintWriter } from './varints.ts';

/**
 * A record in the file: how many strings stood before it, how many it names, these, then its columns in pieces. Columns name strings
 * by their place in this list, so that a merge copies them as they are. In the list 0 is the next string that nobody named before;
 * others are told by their number or by how far back they lie, whichever is shorter: what is common comes early, what is rare comes
 * up again near by.
 */
export function writeNamedStrings(ids: readonly number[], stringsBefore: number, to: VarintWriter): void {
  let next = stringsBefore;
  to.number(next);
  to.number(ids.length);
  for (const id of ids) {
    if (id === next) {
      to.number(0);
      next++;
    } else to.number(1 + Math.min(id * 2, (next - 1 - id) * 2 + 1));
  }
}

export interface NamedStrings {
  ids: Uint32Array;
  /** Where the columns begin. */
  end: number;
}

export function readNamedStrings(record: Uint8Array): NamedStrings {
  const reader = new VarintReader(record);
  let next = reader.number();
  const ids = new Uint32Array(Math.min(reader.number(), record.length));
  for (let i = 0; i < ids.length; i++) {
    const code = reader.number();
    if (code === 0) ids[i] = next++;
    else ids[i] = (code - 1) & 1 ? next - 1 - ((code - 1) >>> 1) : (code - 1) >>> 1;
  }
  return { ids, end: reader.at };
}
