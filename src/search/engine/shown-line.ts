import type { ByteRange } from '../regex/line-matcher.ts';
import type { FoundLine } from './types.ts';

export interface LineToShow {
  number: number;
  /** Without its line break. */
  line: Buffer;
  /** In any order, possibly overlapping. */
  ranges: readonly ByteRange[];
  matched: boolean;
  bytesMax: number;
}

/** A line as an answer has it: a long one is cut around its first match. */
export function shownLine({ number, line, ranges, matched, bytesMax }: LineToShow): FoundLine {
  const merged = mergedRanges(ranges);
  if (line.length <= bytesMax) {
    return { number, text: line.toString('utf8'), ranges: merged, matched, cut: false };
  }
  const first = merged[0] ?? { start: 0, end: 0 };
  // What stands before a match tells less than what follows it.
  const wantedStart = Math.max(0, Math.min(first.start - (bytesMax >> 2), line.length - bytesMax));
  const start = nextCharacter(line, Math.min(wantedStart, first.start));
  const end = characterStart(line, Math.min(line.length, start + bytesMax));
  const kept = merged.flatMap((range) => {
    const clipped = { start: Math.max(range.start, start) - start, end: Math.min(range.end, end) - start };
    return clipped.start <= clipped.end && range.start < end && range.end >= start ? [clipped] : [];
  });
  return { number, text: line.toString('utf8', start, end), ranges: kept, matched, cut: true };
}

function nextCharacter(bytes: Buffer, at: number): number {
  let next = at;
  while (next - at < 3 && next < bytes.length && (bytes[next]! & 0xc0) === 0x80) next++;
  return next;
}

function characterStart(bytes: Buffer, at: number): number {
  let back = at;
  while (back > 0 && at - back < 3 && back < bytes.length && (bytes[back]! & 0xc0) === 0x80) back--;
  return back;
}

/** In order, without overlap; a match of nothing that lies within another is none of its own. */
export function mergedRanges(ranges: readonly ByteRange[]): readonly ByteRange[] {
  if (ranges.length < 2) return ranges;
  const sorted = [...ranges].sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: ByteRange[] = [];
  for (const { start, end } of sorted) {
    const last = merged.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else if (last && start === end && start === last.end) continue;
    else merged.push({ start, end });
  }
  return merged;
}
