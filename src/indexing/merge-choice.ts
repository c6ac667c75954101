import type { SegmentEntry } from '../search/index.ts';

export interface MergeLimits {
  /** Segments below it are deltas. */
  deltaBytes: number;
  /** So many deltas may stand beside each other. */
  deltasMax: number;
  /** Segments between a delta and this are merged upward. */
  wholeBytes: number;
  midsMax: number;
  /** No merge makes a larger segment of several. */
  mergedBytesMax: number;
  /** A segment of which a greater share is dead is written anew. */
  deadShareMax: number;
}

export const mergeLimits: MergeLimits = {
  deltaBytes: 8 * 2 ** 20,
  deltasMax: 8,
  wholeBytes: 192 * 2 ** 20,
  midsMax: 3,
  mergedBytesMax: 512 * 2 ** 20,
  deadShareMax: 0.3,
};

/**
 * Segments to merge into one now, or null. Sizes are tiers: a text is written again only when enough of its own size has come
 * together, so that each is written a few times in its life and queries look into few segments.
 */
export function chooseMerge(
  segments: readonly SegmentEntry[],
  deadBytesOf: (segment: SegmentEntry) => number,
  limits: MergeLimits,
): readonly SegmentEntry[] | null {
  for (const visited of [false, true]) {
    const own = segments.filter((segment) => segment.visited === visited);
    const chosen = chooseAlike(own, deadBytesOf, limits);
    if (chosen !== null) return chosen;
  }
  return null;
}

function chooseAlike(
  segments: readonly SegmentEntry[],
  deadBytesOf: (segment: SegmentEntry) => number,
  limits: MergeLimits,
): readonly SegmentEntry[] | null {
  const dead = segments.find(
    (segment) => segment.textBytes > 0 && deadBytesOf(segment) > segment.textBytes * limits.deadShareMax,
  );
  if (dead) return [dead];
  const deltas = segments.filter(({ textBytes }) => textBytes < limits.deltaBytes);
  if (deltas.length > limits.deltasMax) return within(deltas, limits.mergedBytesMax);
  const mids = segments.filter(
    ({ textBytes }) => textBytes >= limits.deltaBytes && textBytes < limits.wholeBytes,
  );
  if (mids.length > limits.midsMax) return within(mids, limits.mergedBytesMax);
  return null;
}

/** The smallest first, as many as fit; at least two. */
function within(segments: readonly SegmentEntry[], bytesMax: number): SegmentEntry[] {
  const bySize = [...segments].sort((a, b) => a.textBytes - b.textBytes);
  let bytes = 0;
  return bySize.filter(({ textBytes }, at) => {
    bytes += textBytes;
    return at < 2 || bytes <= bytesMax;
  });
}
