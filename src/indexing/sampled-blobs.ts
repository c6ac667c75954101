import { createHash } from 'node:crypto';

const bitsPerBlob = 12;
const places = 4;

/** Which blobs a set of dictionaries was trained on, in a few bits for each: never misses one, now and then names another. */
export function sampledFilter(oids: readonly string[]): string {
  const bits = new Uint8Array(Math.max(8, Math.ceil((oids.length * bitsPerBlob) / 8)));
  for (const oid of oids) for (const at of placesOf(oid, bits)) bits[at >>> 3]! |= 1 << (at & 7);
  return Buffer.from(bits).toString('base64');
}

export function mayBeSampled(filter: string, oids: Iterable<string>): boolean {
  const bits = Buffer.from(filter, 'base64');
  for (const oid of oids) {
    if (placesOf(oid, bits).every((at) => ((bits[at >>> 3]! >>> (at & 7)) & 1) === 1)) return true;
  }
  return false;
}

function placesOf(oid: string, bits: Uint8Array): number[] {
  const digest = createHash('sha256').update(oid).digest();
  return Array.from({ length: places }, (_, at) => digest.readUInt32LE(at * 4) % (bits.length * 8));
}
