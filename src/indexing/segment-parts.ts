import type { SegmentEntry } from '../search/index.ts';

/** Blobs of a segment that are worked on together: from `first` up to `end`. */
export interface PartRange {
  first: number;
  end: number;
}

/** A segment of up to `wholeBytes` is one part, a larger one at least two, of about `partBytes` each. */
export function partsOf(
  { blobs, textBytes }: SegmentEntry,
  { wholeBytes, partBytes }: { wholeBytes: number; partBytes: number },
): PartRange[] {
  const wanted = textBytes <= wholeBytes ? 1 : Math.max(2, Math.ceil(textBytes / partBytes));
  const count = Math.max(1, Math.min(wanted, blobs));
  return Array.from({ length: count }, (_, part) => ({
    first: Math.floor((blobs * part) / count),
    end: Math.floor((blobs * (part + 1)) / count),
  }));
}

/** Pairs of part and blob within it, which put the parts together again. */
export function orderOfParts(parts: readonly PartRange[]): Uint32Array {
  const order = new Uint32Array((parts.at(-1)?.end ?? 0) * 2);
  parts.forEach(({ first, end }, input) => {
    for (let blob = first; blob < end; blob++) order.set([input, blob - first], blob * 2);
  });
  return order;
}

export interface PartWork {
  /** Parts that are worked on at once. */
  workers: number;
  signal: AbortSignal;
}

/** Works on all parts, some at once; `place` is the lane's number. When one fails the others are stopped, and waited for. */
export async function eachPart<Part, Result>(
  parts: readonly Part[],
  work: (part: Part, place: number, signal: AbortSignal) => Promise<Result>,
  { workers, signal: outer }: PartWork,
): Promise<Result[]> {
  const results: Result[] = [];
  const stopping = new AbortController();
  const signal = AbortSignal.any([outer, stopping.signal]);
  let next = 0;
  const lanes = Array.from({ length: Math.min(workers, parts.length) }, async (_, place) => {
    try {
      for (let at = next++; at < parts.length; at = next++)
        results[at] = await work(parts[at]!, place, signal);
    } catch (error) {
      // The others end soon, and leave nothing that is still being written.
      stopping.abort();
      throw error;
    }
  });
  const ended = await Promise.allSettled(lanes);
  const failed = ended.find((lane) => lane.status === 'rejected');
  if (failed) throw failed.reason;
  return results;
}
