import type { SegmentReader } from '../segments/segment-reader.ts';
import type { SearchedSegment } from './searched-segment.ts';

/** Where the line begins that holds an offset of a blob's text. */
export function lineStartOf(
  reader: SegmentReader,
  { file, cut }: SearchedSegment,
  blob: number,
  offset: number,
): number {
  if (cut?.[blob] === 1) return lineStartIn(reader.blobText(file, blob), offset);
  const block = file.blockAt(blob, offset);
  const at = reader.text(file, block);
  const from = file.tables.blockStarts[block]!;
  return from + reader.lineStart(at, at + offset - from) - at;
}

export function lineStartIn(text: Buffer, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf(LINE_FEED, offset - 1) + 1;
}

const LINE_FEED = 10;
