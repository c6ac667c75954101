import type { SegmentEntry } from '../search/index.ts';

export interface NextSegmentOptions {
  size: 'small' | 'large';
  /** Segments below it are what changes bring. */
  smallBytes: number;
  isDue(segment: SegmentEntry): boolean;
}

/** The newest first, those of visited revisions last. Each size helps the other where it has nothing of its own, large ones first. */
export function nextSegment(
  segments: readonly SegmentEntry[],
  { size, smallBytes, isDue }: NextSegmentOptions,
): SegmentEntry | undefined {
  const due = segments.filter(isDue).reverse();
  const own = due.filter(({ textBytes }) => textBytes < smallBytes === (size === 'small'));
  const candidates = size === 'small' || own.length > 0 ? own : due;
  return candidates.find(({ visited }) => !visited) ?? candidates[0];
}
