import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../src/base/testing/seeded-random.ts';
import { randomQuestion, randomTextQuestion } from '../../src/search/regex/testing/random-patterns.ts';
import { writeRecordedAnswers } from '../../src/search/regex/testing/recorded-answers.ts';
import { GoOracle, isGoInstalled, runRegexSoak, runTextSoak } from './regex.soak.ts';

const seeds = Number(process.env['PERISCOPE_SOAK_SEEDS'] ?? 3);
const rounds = process.env['PERISCOPE_SOAK_SEEDS'] === undefined ? 40 : 1000;
const hasGo = isGoInstalled();
if (!hasGo)
  console.log('The comparison of the regex matcher with Go is skipped: there is no go on the PATH.');

describe.skipIf(!hasGo)('the regex matcher agrees with Go', () => {
  let oracle: GoOracle;
  beforeAll(() => {
    oracle = new GoOracle();
  });
  afterAll(() => oracle.close());

  for (let seed = 1; seed <= seeds; seed++) {
    it(`seed ${seed}`, () => {
      const { disagreements, pairs } = runRegexSoak({ oracle, seed, rounds });
      expect(disagreements).toEqual([]);
      expect(pairs).toBeGreaterThan(rounds);
    });
  }

  for (let seed = 1; seed <= seeds; seed++) {
    it(`over several lines, seed ${seed}`, () => {
      const { disagreements, pairs } = runTextSoak({ oracle, seed, rounds });
      expect(disagreements).toEqual([]);
      expect(pairs).toBeGreaterThan(rounds);
    });
  }

  it.runIf(process.env['PERISCOPE_RECORD_REGEX'])('records answers', () => {
    const random = new SeededRandom(2024);
    const lines = Array.from({ length: 500 }, () => randomQuestion(random, 6));
    const texts = Array.from({ length: 300 }, () => randomTextQuestion(random, 6));
    for (const [of, questions] of Object.entries({ lines, texts }) as ['lines' | 'texts', typeof lines][]) {
      const answers = oracle.ask(questions);
      writeRecordedAnswers(
        of,
        questions.map((question, index) => ({ ...question, go: answers[index]! })),
      );
    }
  });
});
