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
    if (scans) compareScans(name, regex, engines.normal, lines, into, disagree);
    const { statesBuilt, flushes, bytesUncached } = regex.statistics;
    into.statesBuilt += statesBuilt;
    into.flushes += flushes;
    into.bytesUncached += bytesUncached;
  }
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
