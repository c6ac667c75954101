import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SeededRandom } from '../../src/base/testing/seeded-random.ts';
import {
  type Comparison,
  compareWithGo,
  emptyComparison,
  type GoAnswer,
} from '../../src/search/regex/testing/go-comparison.ts';
import {
  damagedPattern,
  type RandomQuestion,
  randomQuestion,
} from '../../src/search/regex/testing/random-patterns.ts';

const LINES_PER_PATTERN = 12;
/** One pattern in so many is damaged, to compare what is refused. */
const DAMAGED_EACH = 8;

export interface RegexSoakOptions {
  seed: number;
  /** Patterns; each is tried on 12 lines. */
  rounds: number;
}

export function isGoInstalled(): boolean {
  return spawnSync('go', ['version']).status === 0;
}

/** Compares random patterns with Go's regexp, which must be on the PATH. The same seed asks the same questions. */
export function runRegexSoak({ seed, rounds }: RegexSoakOptions): Comparison {
  const random = new SeededRandom(seed);
  const questions = Array.from({ length: rounds }, (_, round) => soakQuestion(random, round));
  const answers = askGo(questions);
  const comparison = emptyComparison();
  for (const [index, question] of questions.entries()) {
    compareWithGo({ ...question, go: answers[index]! }, comparison);
  }
  return comparison;
}

function soakQuestion(random: SeededRandom, round: number): RandomQuestion {
  const question = randomQuestion(random, LINES_PER_PATTERN);
  if (round % DAMAGED_EACH !== 0) return question;
  return { ...question, pattern: damagedPattern(random, question.pattern) };
}

/** Go's answers, in order. */
export function askGo(questions: readonly RandomQuestion[]): GoAnswer[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'periscope-regex-oracle-'));
  try {
    const program = path.join(folder, 'regex-oracle');
    execFileSync('go', ['build', '-o', program, '.'], {
      cwd: path.join(import.meta.dirname, 'regex-oracle'),
    });
    const input = questions
      .map(
        ({ pattern, lines }) =>
          `${JSON.stringify({ p: pattern, l: lines.map((line) => line.toString('base64')) })}\n`,
      )
      .join('');
    const output = execFileSync(program, { input, encoding: 'utf8', maxBuffer: 1 << 30 });
    return output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as GoAnswer);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
