/**
 * Optimal string alignment distance (insert, delete, replace, swap of neighbours), or `max + 1` when it is above `max`.
 * Source: Ukkonen's cut-off on the classic dynamic programme.
 */
export function editDistance(left: string, right: string, max: number): number {
  if (Math.abs(left.length - right.length) > max) return max + 1;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        previous[column]! + 1,
        current[column - 1]! + 1,
        previous[column - 1]! + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) cost = Math.min(cost, beforePrevious[column - 2]! + 1);
      current.push(cost);
      if (cost < best) best = cost;
    }
    if (best > max) return max + 1;
    beforePrevious = previous;
    previous = current;
  }
  return Math.min(previous[right.length]!, max + 1);
}
