import type { SeededRandom } from '../../base/testing/seeded-random.ts';
import { quantize } from '../store/quantize.ts';
import type { VectorHit, VectorRow } from '../store/store-types.ts';

/** Of length 1, in directions that are spread evenly. */
export function randomVector(random: SeededRandom, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (let i = 0; i < dimensions; i++) {
    vector[i] = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

export function randomRows(random: SeededRandom, dimensions: number, owners: readonly number[]): VectorRow[] {
  return owners.flatMap((owner) =>
    Array.from({ length: 1 + random.below(4) }, (_, part) => ({
      owner,
      part,
      vector: quantize(randomVector(random, dimensions)),
    })),
  );
}

/** What a search must find: every row looked at. */
export function naiveHits(rows: readonly VectorRow[], query: Float32Array, limit: number): VectorHit[] {
  return rows
    .map(({ owner, part, vector }) => {
      let sum = 0;
      for (let i = 0; i < query.length; i++) sum += query[i]! * vector.values[i]!;
      return { owner, part, score: Math.fround(vector.scale) * sum };
    })
    .sort((a, b) => b.score - a.score || a.owner - b.owner || a.part - b.part)
    .slice(0, limit);
}
