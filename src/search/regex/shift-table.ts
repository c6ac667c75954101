import type { ByteSet } from './window-sets.ts';

/** For skipping (see `skip` in kernels.as.ts): matches are at least `rows` bytes long, and shifts has 256 bytes for each place in that window. */
export interface ShiftTable {
  rows: number;
  shifts: Uint8Array;
}

/** Below this the window moves too little to pay. */
const ROWS_MIN = 3;

/** The table for matches whose first bytes are out of `sets`; undefined if those are too few. */
export function shiftTable(sets: readonly ByteSet[]): ShiftTable | undefined {
  if (sets.length < ROWS_MIN) return undefined;
  const shifts = new Uint8Array(sets.length * 256);
  for (const [place, set] of sets.entries()) {
    for (let byte = 0; byte < 256; byte++) {
      // By how much the window must move until this byte stands at a place that allows it, or outside.
      const before = place === 0 ? 0 : shifts[(place - 1) * 256 + byte]!;
      shifts[place * 256 + byte] = set[byte] ? 0 : before + 1;
    }
  }
  return { rows: sets.length, shifts };
}
