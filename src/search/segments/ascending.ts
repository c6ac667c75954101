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
