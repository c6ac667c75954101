import type { FoundLine } from '../engine/types.ts';
import { withoutReturn, type ZoektLine } from './zoekt-answers.ts';

export interface LineBounds {
  linesPerFileMax: number;
  contextLines: number;
  lineBytesMax: number;
}

export interface FoundBlocks {
  blocks: FoundLine[][];
  /** Matching lines, also those that are left out. */
  lineCount: number;
}

/** The best matching lines of a file and what stands around them, in order, in blocks without gaps. */
export function foundBlocks(lines: readonly ZoektLine[], bounds: LineBounds): FoundBlocks {
  const byNumber = new Map<number, ZoektLine>();
  for (const line of lines) {
    const known = byNumber.get(line.number);
    if (!known || known.ranges.length === 0) byNumber.set(line.number, line);
    else if (line.ranges.length > 0) byNumber.set(line.number, joined(known, line));
  }
  const matched = [...byNumber.values()].filter(({ ranges }) => ranges.length > 0);
  const best = matched
    .sort((a, b) => b.score - a.score || a.number - b.number)
    .slice(0, bounds.linesPerFileMax)
    .map(({ number }) => number);
  const shown = new Set<number>();
  for (const number of best) {
    for (let at = number - bounds.contextLines; at <= number + bounds.contextLines; at++) shown.add(at);
  }
  const chosen = new Set(best);
  const blocks: FoundLine[][] = [];
  let previous = Number.NEGATIVE_INFINITY;
  for (const number of [...shown].sort((a, b) => a - b)) {
    const line = byNumber.get(number);
    if (!line) continue;
    if (number !== previous + 1) blocks.push([]);
    previous = number;
    blocks.at(-1)!.push(foundLine(line, chosen.has(number), bounds.lineBytesMax));
  }
  return { blocks, lineCount: matched.length };
}

/** Several matches of one line come apart where servers cut texts into chunks. */
function joined(line: ZoektLine, other: ZoektLine): ZoektLine {
  const ranges = new Map([...line.ranges, ...other.ranges].map((range) => [range.start, range]));
  return {
    ...line,
    ranges: [...ranges.values()].sort((a, b) => a.start - b.start),
    score: Math.max(line.score, other.score),
  };
}

function foundLine({ number, bytes, ranges }: ZoektLine, matched: boolean, bytesMax: number): FoundLine {
  const line = withoutReturn(bytes);
  const focus = matched ? (ranges[0]?.start ?? 0) : 0;
  const { from, to } = cutAround(line, focus, bytesMax);
  const shown = line.subarray(from, to);
  const offset = offsets(shown);
  const kept = matched ? ranges.filter(({ start }) => start >= from && start <= to) : [];
  return {
    number,
    text: shown.toString(),
    ranges: kept.map(({ start, end }) => ({
      start: offset(start - from),
      end: offset(Math.min(end, to) - from),
    })),
    matched,
    cut: from > 0 || to < line.length,
  };
}

/** At most so many bytes, a quarter of them before the focus, no character torn. */
function cutAround(line: Buffer, focus: number, bytesMax: number): { from: number; to: number } {
  if (line.length <= bytesMax) return { from: 0, to: line.length };
  const wanted = Math.min(Math.max(0, focus - (bytesMax >> 2)), line.length - bytesMax);
  return { from: boundary(line, wanted), to: boundary(line, wanted + bytesMax) };
}

function boundary(line: Buffer, at: number): number {
  for (let back = at; back > at - 4 && back > 0; back--) if ((line[back]! & 0xc0) !== 0x80) return back;
  return at;
}

/** Where a byte of the line stands in its text: bytes that are no UTF-8 become longer. */
function offsets(line: Buffer): (offset: number) => number {
  if (Buffer.byteLength(line.toString()) === line.length) return (offset) => offset;
  return (offset) => Buffer.byteLength(line.subarray(0, offset).toString());
}
