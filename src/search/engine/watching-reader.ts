import { damagedFileOf, noteDamage } from '../index-folder/damage-notes.ts';
import type { OpenSegment } from '../segments/open-segment.ts';
import { SegmentReader } from '../segments/segment-reader.ts';
import type { GramNeed } from '../segments/types.ts';

/** Reads segments, and notes for the writer which of them are damaged. */
export class WatchingReader extends SegmentReader {
  override candidates(segment: OpenSegment, need: GramNeed): Uint32Array | null {
    try {
      return super.candidates(segment, need);
    } catch (error) {
      throw noted(error, segment.file);
    }
  }

  override text(segment: OpenSegment, block: number, ahead?: Uint32Array, from?: number): number {
    try {
      return super.text(segment, block, ahead, from);
    } catch (error) {
      throw noted(error, segment.file);
    }
  }
}

function noted(error: unknown, file: string): unknown {
  if (damagedFileOf(error) !== null) noteDamage(file);
  return error;
}
