import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../src/base/testing/seeded-random.ts';
import { randomQuestion } from '../../src/search/regex/testing/random-patterns.ts';
import { writeRecordedAnswers } from '../../src/search/regex/testing/recorded-answers.ts';
import { askGo, isGoInstalled, runRegexSoak } from './regex.soak.ts';

const seeds = (process.env.PERISCOPE_SOAK_SEEDS ?? '1').split(',').map(Number);
const isLong = process.env.PERISCOPE_SOAK_SEEDS !== undefined;
const hasGo = isGoInstalled();
if (!hasGo)
  console.log('The comparison of the regex matcher with Go is skipped: there is no go on the PATH.');

describe.skipIf(!hasGo)('the regex matcher agrees with Go', () => {
  for (const seed of seeds) {
    it(`seed ${seed}`, { timeout: 600_000 }, () => {
      const { disagreements, ...counts } = runRegexSoak({ seed, rounds: isLong ? 4000 : 40 });
      if (isLong) console.log(seed, counts);
      expect(disagreements).toEqual([]);
    });
  }

  it.runIf(process.env.PERISCOPE_RECORD_REGEX)('records answers', () => {
    const random = new SeededRandom(2024);
    const questions = Array.from({ length: 500 }, () => randomQuestion(random, 6));
    const answers = askGo(questions);
    writeRecordedAnswers(questions.map((question, index) => ({ ...question, go: answers[index]! })));
  });
});
