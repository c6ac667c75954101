import { op, type Program } from './program.ts';

/** For skipping (see `skip` in kernels.as.ts): matches are at least `rows` bytes long, and shifts has 256 bytes for each place in that window. */
export interface ShiftTable {
  rows: number;
  shifts: Uint8Array;
}

/** Below this the window moves too little to pay. */
const ROWS_MIN = 3;
const VISITED_MAX = 200_000;

/** Undefined if matches can be too short. */
export function shiftTable(program: Program, rowsMax: number): ShiftTable | undefined {
  const sets = windowSets(program, rowsMax);
  if (sets.length < ROWS_MIN) return undefined;
  const shifts = new Uint8Array(sets.length * 256);
  for (let place = 0; place < sets.length; place++) {
    for (let byte = 0; byte < 256; byte++) {
      // By how much the window must move until this byte stands at a place that allows it, or outside.
      let shift = 0;
      while (shift <= place && !sets[place - shift]![byte]) shift++;
      shifts[place * 256 + byte] = shift;
    }
  }
  return { rows: sets.length, shifts };
}

/** For the first, second, ... byte of a match which bytes it can be, as long as no match can have ended. */
function windowSets(program: Program, rowsMax: number): Uint8Array[] {
  const { ops, a, b, edgeLow, edgeHigh, edgeTo } = program;
  const sets: Uint8Array[] = [];
  let reached = [program.start];
  let visited = 0;
  while (sets.length < rowsMax) {
    const set = new Uint8Array(256);
    const seen = new Set<number>();
    const next = new Set<number>();
    while (reached.length > 0) {
      const at = reached.pop()!;
      if (seen.has(at)) continue;
      seen.add(at);
      if (++visited > VISITED_MAX) return [];
      if (ops[at] === op.match) return sets;
      if (ops[at] === op.split) reached.push(a[at]!, b[at]!);
      if (ops[at] === op.assert) reached.push(b[at]!);
      if (ops[at] !== op.bytes) continue;
      for (let edge = a[at]!; edge < b[at]!; edge++) {
        set.fill(1, edgeLow[edge]!, edgeHigh[edge]! + 1);
        next.add(edgeTo[edge]!);
      }
    }
    if (next.size === 0) return sets;
    sets.push(set);
    reached = [...next];
  }
  return sets;
}
