import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SeededRandom } from '../../src/base/testing/seeded-random.ts';
import {
  type Comparison,
  compareTextsWithGo,
  compareWithGo,
  emptyComparison,
  type GoAnswer,
} from '../../src/search/regex/testing/go-comparison.ts';
import {
  damagedPattern,
  type RandomQuestion,
  randomQuestion,
  randomTextQuestion,
} from '../../src/search/regex/testing/random-patterns.ts';

const LINES_PER_PATTERN = 12;
/** One pattern in so many is damaged, to compare what is refused. */
const DAMAGED_EACH = 8;

export interface RegexSoakOptions {
  oracle: GoOracle;
  seed: number;
  /** Patterns; each is tried on 12 lines. */
  rounds: number;
}

/** As runRegexSoak, of patterns that span lines over texts of a few lines. */
export function runTextSoak({ oracle, seed, rounds }: RegexSoakOptions): Comparison {
  const random = new SeededRandom(seed);
  const questions = Array.from({ length: rounds }, () => randomTextQuestion(random, LINES_PER_PATTERN));
  const answers = oracle.ask(questions);
  const comparison = emptyComparison();
  for (const [index, question] of questions.entries()) {
    compareTextsWithGo({ ...question, go: answers[index]! }, comparison);
  }
  return comparison;
}

/** Compares random patterns with Go's regexp. The same seed asks the same questions. */
export function runRegexSoak({ oracle, seed, rounds }: RegexSoakOptions): Comparison {
  const random = new SeededRandom(seed);
  const questions = Array.from({ length: rounds }, (_, round) => soakQuestion(random, round));
  const answers = oracle.ask(questions);
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

export function isGoInstalled(): boolean {
  return spawnSync('go', ['version']).status === 0;
}

/** The program regex-oracle/, built by the `go` on the PATH. */
export class GoOracle {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'periscope-regex-oracle-'));
  readonly #program = path.join(this.#folder, 'regex-oracle');

  constructor() {
    const source = path.join(import.meta.dirname, 'regex-oracle');
    execFileSync('go', ['build', '-o', this.#program, '.'], { cwd: source });
  }

  /** Go's answers, in order. */
  ask(questions: readonly RandomQuestion[]): GoAnswer[] {
    const asked = questions.map(({ pattern, lines }) => {
      return `${JSON.stringify({ p: pattern, l: lines.map((line) => line.toString('base64')) })}\n`;
    });
    const answered = execFileSync(this.#program, {
      input: asked.join(''),
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    });
    return answered
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as GoAnswer);
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
