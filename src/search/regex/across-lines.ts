import { LINE_FEED } from './code-point-set.ts';
import type { Line, LineMatcher } from './line-matcher.ts';
import type { MatchedLine, ScanOptions, ScanOutcome } from './text-scan.ts';
import { OutOfTime, WorkMeter } from './work-meter.ts';

const CARRIAGE_RETURN = 0x0d;

/**
 * The lines of a text in which a match begins, for a pattern whose matches may hold line breaks. `whole` is the text as wholeText
 * gives it.
 */
export function scanAcrossLines(
  matcher: LineMatcher,
  text: Uint8Array,
  whole: Line,
  { limit = Number.POSITIVE_INFINITY, rangesPerLine = Number.POSITIVE_INFINITY, deadline }: ScanOptions,
): ScanOutcome {
  const meter = new WorkMeter(deadline);
  const lines: MatchedLine[] = [];
  const place = new LineWalk(text);
  const outcome = (ended: ScanOutcome['ended']): ScanOutcome => {
    const bytesRead = ended === 'complete' ? text.length : place.start;
    return { lines, ended, bytesRead, work: meter.done };
  };
  if (text.length === 0) return outcome('complete');
  try {
    return outcome(matcher.visitRanges(whole, meter, addMatch) ? 'complete' : 'limit');
  } catch (error) {
    if (error instanceof OutOfTime) return outcome('deadline');
    throw error;
  }

  function addMatch(start: number, end: number): boolean {
    // Behind the last line break there is no line for an empty match to lie on.
    if (start === text.length && text[start - 1] === LINE_FEED) return true;
    place.moveTo(start);
    let line = lines.at(-1);
    if (line?.number !== place.number) {
      if (lines.length >= limit) return false;
      line = { ...place.line(), ranges: [], rangesComplete: true };
      lines.push(line);
    }
    line.lastLine = place.numberBefore(end);
    if (line.ranges.length < rangesPerLine) line.ranges.push({ start, end: Math.min(end, place.end) });
    else line.rangesComplete = false;
    return true;
  }
}

/** Where in a text we are, from its first line on. */
class LineWalk {
  number = 1;
  start = 0;
  readonly #text: Uint8Array;
  /** The offset of the line feed, or of the end of the text. */
  #feed: number;

  constructor(text: Uint8Array) {
    this.#text = text;
    this.#feed = this.#feedFrom(0);
  }

  /** Without the line break. */
  get end(): number {
    const isPair =
      this.#feed > this.start &&
      this.#feed < this.#text.length &&
      this.#text[this.#feed - 1] === CARRIAGE_RETURN;
    return isPair ? this.#feed - 1 : this.#feed;
  }

  line(): { number: number; lastLine: number; start: number; end: number } {
    return { number: this.number, lastLine: this.number, start: this.start, end: this.end };
  }

  /** Goes on to the line that holds `offset`, this one or a later. A line break belongs to the line that it ends. */
  moveTo(offset: number): void {
    while (offset > this.#feed) {
      this.number++;
      this.start = this.#feed + 1;
      this.#feed = this.#feedFrom(this.start);
    }
  }

  /** The number of the line that holds the byte before `offset`; of this line if that lies earlier. */
  numberBefore(offset: number): number {
    let { number } = this;
    for (let feed = this.#feed; feed < offset - 1; feed = this.#feedFrom(feed + 1)) number++;
    return number;
  }

  #feedFrom(offset: number): number {
    const feed = this.#text.indexOf(LINE_FEED, offset);
    return feed < 0 ? this.#text.length : feed;
  }
}
