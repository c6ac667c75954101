import { createHash } from 'node:crypto';

/** In an order that depends on the seed and on each value alone: a later state of a repository draws mostly the same. */
export function drawn(values, seed) {
  return values
    .map((value) => [createHash('sha1').update(seed).update(JSON.stringify(value)).digest('hex'), value])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value);
}
