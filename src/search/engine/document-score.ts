import type { Manifest } from '../manifests/manifest.ts';
import { WHOLE_WORD } from './content-matcher.ts';
import type { DocumentReading } from './document-reading.ts';
import { nearScore } from './near-score.ts';
import type { PathMatcher } from './path-matcher.ts';
import { pathScore } from './path-score.ts';

const CLASS_SCORE = 300;
const LINE_SCORE = 5;
const LINES_SCORED_MAX = 20;
/** From here on a document is as good as one with a whole word. */
const STRONG_PATH = 5500;

/** What makes a document fit: the tests that do. */
export interface FittingTests {
  contents: readonly number[];
  paths: readonly number[];
  lines: number;
  /** The best of what the document defines of that which is looked for; 0 for nothing. */
  symbol: number;
}

/** How good the document is that was read last, on zoekt's scale. */
export function documentScore(
  { contents, paths, lines, symbol }: FittingTests,
  { bests, offsets }: DocumentReading,
  { manifest, row, matchers }: { manifest: Manifest; row: number; matchers: readonly PathMatcher[] },
): { score: number; isStrong: boolean } {
  let best = symbol;
  for (const test of contents) best = Math.max(best, bests[test]!);
  let path = 0;
  for (const test of paths) path = Math.max(path, pathScore(manifest.path(row), matchers[test]!));
  const near = contents.length > 1 ? nearScore(contents.map((test) => offsets[test]!)) : 0;
  const many = LINE_SCORE * Math.min(lines, LINES_SCORED_MAX);
  return {
    score: best + path + near + many - CLASS_SCORE * manifest.classOf(row),
    isStrong: best >= WHOLE_WORD || path >= STRONG_PATH || (contents.length === 0 && paths.length === 0),
  };
}
