import { PeriscopeError } from '../../../base/errors.ts';
import { compileRegex, type Regex } from '../regex.ts';
import type { RandomQuestion } from './random-patterns.ts';

/** What Go's regexp answered (test/soak/regex-oracle): all ranges of each line as [start, end, start, end, ...], or why it refused. */
export interface GoAnswer {
  ok: boolean;
  err?: string;
  r?: number[][];
}

export interface Comparison {
  pairs: number;
  matchingLines: number;
  ranges: number;
  scans: number;
  refusedByBoth: number;
  statesBuilt: number;
  flushes: number;
  bytesUncached: number;
  /** One sentence for each. */
  disagreements: string[];
}

export function emptyComparison(): Comparison {
  return {
    pairs: 0,
    matchingLines: 0,
    ranges: 0,
    scans: 0,
    refusedByBoth: 0,
    statesBuilt: 0,
    flushes: 0,
    bytesUncached: 0,
    disagreements: [],
  };
}

/** What Go refuses and we do not: half of a surrogate pair, which we read as U+FFFD; short names of scripts; a name for two groups. */
const KNOWN_LENIENCY = [
  /invalid UTF-8/,
  /invalid character class range: `\\[pP]/,
  /duplicate capture group name/,
];

/**
 * Compares our answers for one pattern with Go's: line by line and as whole texts, with a normal cache, with one of a few states
 * that is flushed and given up all the time, and without any. Whole texts are left out without `scans`.
 */
export function compareWithGo(
  { pattern, lines, go }: RandomQuestion & { go: GoAnswer },
  into: Comparison,
  { scans }: { scans: boolean } = { scans: true },
): void {
  const engines = compileAll(pattern);
  const disagree = (what: string) => into.disagreements.push(`${JSON.stringify(pattern)}: ${what}`);
  if ('refusal' in engines) {
    if (!go.ok) into.refusedByBoth++;
    else disagree(`we refuse: ${engines.refusal}`);
    return;
  }
  if (!go.ok && !KNOWN_LENIENCY.some((known) => known.test(go.err!))) disagree(`Go refuses: ${go.err}`);
  if (!go.ok) return;
  for (const [index, line] of lines.entries()) {
    const expected = go.r![index]!;
    into.pairs++;
    into.ranges += expected.length / 2;
    if (expected.length > 0) into.matchingLines++;
    for (const [name, regex] of Object.entries(engines)) {
      const shown = `${name}, line ${JSON.stringify(line.toString('latin1'))} (latin1)`;
      const got = regex.ranges(line).flatMap(({ start, end }) => [start, end]);
      if (got.join() !== expected.join()) disagree(`${shown}: ranges [${got}], Go has [${expected}]`);
      if (regex.test(line) !== expected.length > 0) disagree(`${shown}: test says ${expected.length === 0}`);
    }
  }
  for (const [name, regex] of Object.entries(engines)) {
    if (scans && !regex.spansLines) compareScans(name, regex, engines.normal, lines, into, disagree);
    const { statesBuilt, flushes, bytesUncached } = regex.statistics;
    into.statesBuilt += statesBuilt;
    into.flushes += flushes;
    into.bytesUncached += bytesUncached;
  }
}

/**
 * The same for texts of several lines and a pattern that spans lines; others are left out, since Go knows no lines. Each text is also
 * tried with `\r\n` for every line break, which moves offsets and changes nothing else.
 */
export function compareTextsWithGo(
  { pattern, lines: texts, go }: RandomQuestion & { go: GoAnswer },
  into: Comparison,
): void {
  const engines = compileAll(pattern);
  const disagree = (what: string) => into.disagreements.push(`${JSON.stringify(pattern)}: ${what}`);
  if ('refusal' in engines || !go.ok) {
    if (go.ok) disagree('we refuse it');
    return;
  }
  if (!engines.normal.spansLines) return;
  for (const [index, text] of texts.entries()) {
    const expected = go.r![index]!;
    into.pairs++;
    into.ranges += expected.length / 2;
    if (expected.length > 0) into.matchingLines++;
    for (const [name, regex] of Object.entries(engines)) {
      for (const lineBreak of ['\n', '\r\n']) {
        into.scans++;
        const { bytes, offsets } = withLineBreaks(text, expected, lineBreak);
        const shown = `${name}, text ${JSON.stringify(bytes.toString('latin1'))} (latin1)`;
        const got = regex.ranges(bytes).flatMap(({ start, end }) => [start, end]);
        if (got.join() !== offsets.join()) disagree(`${shown}: ranges [${got}], Go has [${offsets}]`);
        if (regex.test(bytes) !== offsets.length > 0) disagree(`${shown}: test says ${offsets.length === 0}`);
        const lines = shownLines(regex, bytes);
        const wanted = linesOfRanges(bytes, offsets);
        if (lines.join() !== wanted.join()) disagree(`${shown}: scan tells ${lines}, ranges say ${wanted}`);
      }
    }
  }
}

function withLineBreaks(
  text: Buffer,
  offsets: readonly number[],
  lineBreak: string,
): { bytes: Buffer; offsets: number[] } {
  const bytes = Buffer.from(text.toString('latin1').replaceAll('\n', lineBreak), 'latin1');
  const moved = offsets.map((offset) => {
    const before = text.subarray(0, offset).toString('latin1');
    return before.replaceAll('\n', lineBreak).length;
  });
  return { bytes, offsets: moved };
}

function shownLines(regex: Regex, text: Buffer): string[] {
  return regex.scan(text).lines.map(({ number, lastLine, start, end, ranges }) => {
    const cut = ranges.map((range) => `${range.start}-${range.end}`).join(' ');
    return `${number}-${lastLine}:${start}-${end}[${cut}]`;
  });
}

/** What a scan has to tell, worked out without haste. */
function linesOfRanges(text: Buffer, offsets: readonly number[]): string[] {
  const breaks = [...text.toString('latin1').matchAll(/\n/g)].map(({ index }) => index);
  const numberOf = (offset: number) => 1 + breaks.filter((at) => at < offset).length;
  const lines = new Map<number, { last: number; ranges: string[]; start: number; end: number }>();
  for (let i = 0; i < offsets.length; i += 2) {
    const [start, end] = [offsets[i]!, offsets[i + 1]!];
    if (start === text.length && (start === 0 || text[start - 1] === 0x0a)) continue;
    const number = numberOf(start);
    const lineStart = number === 1 ? 0 : breaks[number - 2]! + 1;
    const feed = breaks[number - 1] ?? text.length;
    const isPair = feed < text.length && feed > lineStart && text[feed - 1] === 0x0d;
    const lineEnd = isPair ? feed - 1 : feed;
    const line = lines.get(number) ?? { last: number, ranges: [], start: lineStart, end: lineEnd };
    lines.set(number, line);
    line.ranges.push(`${start}-${Math.min(end, lineEnd)}`);
    line.last = Math.max(line.last, end > start ? numberOf(end - 1) : number);
  }
  return [...lines].map(
    ([number, { last, ranges, start, end }]) => `${number}-${last}:${start}-${end}[${ranges.join(' ')}]`,
  );
}

type Engines = Record<'normal' | 'tiny' | 'uncached', Regex>;

function compileAll(pattern: string): Engines | { refusal: string } {
  try {
    const uncached = compileRegex(pattern);
    uncached.neverCache();
    return { normal: compileRegex(pattern), tiny: compileRegex(pattern, { cacheBytes: 0 }), uncached };
  } catch (error) {
    if (error instanceof PeriscopeError) return { refusal: error.message };
    throw error;
  }
}

/** Scans texts made of the lines and compares with what the same lines give one by one, which has been compared with Go. */
function compareScans(
  name: string,
  regex: Regex,
  reference: Regex,
  lines: readonly Buffer[],
  into: Comparison,
  disagree: (what: string) => void,
): void {
  // The last text is large enough for four lanes.
  const texts: [lineBreak: string, times: number, endsInBreak: boolean][] = [
    ['\n', 1, true],
    ['\r\n', 1, false],
    ['\n', 40, true],
    ['\r\n', 40, true],
  ];
  for (const [lineBreak, times, endsInBreak] of texts) {
    if (times > 1 && name === 'uncached') continue;
    into.scans++;
    const repeated = Array.from({ length: times }, () => lines).flat();
    const text = Buffer.concat(repeated.flatMap((line) => [line, Buffer.from(lineBreak)]));
    const cut =
      endsInBreak || lines.at(-1)!.length === 0 ? text : text.subarray(0, text.length - lineBreak.length);
    const expected = linesOneByOne(reference, cut, lineBreak);
    const got = regex
      .scan(cut, { rangesPerLine: 0 })
      .lines.map(({ number, start, end }) => `${number}:${start}-${end}`);
    if (got.join() !== expected.join()) {
      disagree(
        `${name}, scan of ${JSON.stringify(cut.toString('latin1'))} (latin1): ${got}, one by one ${expected}`,
      );
    }
  }
}

function linesOneByOne(regex: Regex, text: Buffer, lineBreak: string): string[] {
  const found: string[] = [];
  let number = 1;
  for (let start = 0; start < text.length; number++) {
    const at = text.indexOf(lineBreak, start);
    const end = at < 0 ? text.length : at;
    if (regex.test(text, start, end)) found.push(`${number}:${start}-${end}`);
    start = end + lineBreak.length;
  }
  return found;
}
