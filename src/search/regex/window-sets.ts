import { op, type Program } from './program.ts';

/** For each byte 1 if it is a member. */
export type ByteSet = Uint8Array;

const VISITED_MAX = 200_000;

/** For the first, second, ... byte of a match which bytes it can be, as long as no match can have ended. */
export function windowSets(program: Program, lengthMax: number): ByteSet[] {
  const { ops, a, b, edgeLow, edgeHigh, edgeTo } = program;
  const sets: ByteSet[] = [];
  let reached = [program.start];
  let visited = 0;
  while (sets.length < lengthMax) {
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
