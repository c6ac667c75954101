/** Numbers that two ascending lists share. */
export function inBoth(left: Uint32Array, right: Uint32Array): Uint32Array {
  const both = new Uint32Array(Math.min(left.length, right.length));
  let count = 0;
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const a = left[i]!;
    const b = right[j]!;
    if (a === b) both[count++] = a;
    if (a <= b) i++;
    if (b <= a) j++;
  }
  return both.subarray(0, count);
}

/** Index of the first number of an ascending list that is not below `number`; its length where all are. */
export function firstNotBelow(numbers: Uint32Array, number: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of a number in an ascending list, -1 where it is not in it. */
export function indexIn(numbers: Uint32Array, number: number): number {
  const at = firstNotBelow(numbers, number);
  return numbers[at] === number ? at : -1;
}
