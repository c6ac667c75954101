import type { QuantizedVector } from '../types.ts';

/** The nearest vector with values in int8 and one scale. */
export function quantize(vector: Float32Array): QuantizedVector {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]!));
  const scale = largest / 127;
  const values = new Int8Array(vector.length);
  if (scale > 0) for (let i = 0; i < vector.length; i++) values[i] = Math.round(vector[i]! / scale);
  return { values, scale };
}
