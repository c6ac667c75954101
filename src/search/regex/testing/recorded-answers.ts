import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { GoAnswer } from './go-comparison.ts';
import type { RandomQuestion } from './random-patterns.ts';

/** A random question with what Go 1.26 answered; written by `PERISCOPE_RECORD_REGEX=1 npx vitest run test/soak/regex.test.ts`. */
export interface RecordedAnswer extends RandomQuestion {
  go: GoAnswer;
}

const files = {
  lines: new URL('./recorded-answers.json.gz', import.meta.url),
  /** Texts of several lines. */
  texts: new URL('./recorded-text-answers.json.gz', import.meta.url),
};

export function readRecordedAnswers(of: keyof typeof files = 'lines'): RecordedAnswer[] {
  const file = files[of];
  const recorded = JSON.parse(gunzipSync(readFileSync(file)).toString()) as [string, string[], GoAnswer][];
  return recorded.map(([pattern, lines, go]) => ({
    pattern,
    lines: lines.map((line) => Buffer.from(line, 'base64')),
    go,
  }));
}

export function writeRecordedAnswers(of: keyof typeof files, answers: readonly RecordedAnswer[]): void {
  const compact = answers.map(({ pattern, lines, go }) => [
    pattern,
    lines.map((line) => line.toString('base64')),
    go,
  ]);
  writeFileSync(files[of], gzipSync(JSON.stringify(compact), { level: 9 }));
}
