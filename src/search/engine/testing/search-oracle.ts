import { SeededRandom } from '../../../base/testing/seeded-random.ts';
import type { QueryNode } from '../../queries/types.ts';
import type { FoundFile, SearchRequest } from '../types.ts';
import { definedWordsOf } from './defined-words.ts';
import { InThreadSearch } from './in-thread-search.ts';
import { type NaiveFile, naiveSearch } from './naive-search.ts';
import { editedRepositories, randomQuery, randomRepositories } from './random-corpus.ts';
import { SmallIndex, type TestRepository } from './small-index.ts';

export interface OracleRun {
  queries: number;
  filesFound: number;
  /** Empty when every answer was as it must be. */
  disagreements: string[];
}

const ROUNDS = 4;

/** A random corpus through some edits, each state asked random queries, and every answer compared with a naive scan's. */
export async function runSearchOracle(seed: number, queriesPerRound: number): Promise<OracleRun> {
  const random = new SeededRandom(seed);
  const run: OracleRun = { queries: 0, filesFound: 0, disagreements: [] };
  let repositories = randomRepositories(random);
  const index = await SmallIndex.create(definedWordsOf);
  await index.publish(repositories);
  const search = await InThreadSearch.open(index.folder);
  try {
    for (let round = 0; round < ROUNDS; round++) {
      if (round > 0) {
        repositories = editedRepositories(random, repositories);
        await index.publish(repositories);
        if (random.below(3) === 0) await index.merge();
        await search.refresh();
      }
      const scope = repositories.filter(() => random.below(6) > 0);
      for (let i = 0; i < queriesPerRound; i++) compare(scope, randomQuery(random));
    }
  } finally {
    await search.close();
    index.remove();
  }
  return run;

  function compare(scope: readonly TestRepository[], query: QueryNode): void {
    run.queries++;
    const told = `seed ${seed}, query ${run.queries}: ${JSON.stringify(query)}`;
    const naive = naiveSearch(scope, query);
    const answer = search.search({ ...everything, scope, query });
    run.filesFound += naive.length;
    const expected = naive.map(shownNaive).sort();
    const found = answer.files.map(shownFile).sort();
    if (JSON.stringify(found) !== JSON.stringify(expected)) {
      const missing = expected.filter((file) => !found.includes(file));
      const wrong = found.filter((file) => !expected.includes(file));
      run.disagreements.push(`${told}\n  missing ${missing.join('\n    ')}\n  wrong ${wrong.join('\n    ')}`);
    }
    const counts = {
      files: answer.fileCount,
      lines: answer.lineCount,
      stopped: answer.stopped,
      problems: answer.problems,
    };
    // Texts that are not there yet may hold more.
    const exact = answer.searched.pending === 0;
    const expectedCounts = {
      files: { count: naive.length, exact },
      lines: { count: naive.reduce((sum, { lines }) => sum + lines.length, 0), exact },
      stopped: null,
      problems: [],
    };
    if (JSON.stringify(counts) !== JSON.stringify(expectedCounts)) {
      run.disagreements.push(`${told}\n  ${JSON.stringify(counts)} for ${JSON.stringify(expectedCounts)}`);
    }
  }
}

const everything: Omit<SearchRequest, 'scope' | 'query'> = {
  revisions: new Map(),
  output: 'lines',
  filesMax: 10_000,
  linesPerFileMax: 10_000,
  contextLines: 0,
  lineBytesMax: 1_000_000,
  exact: true,
  after: null,
  budgetMs: 60_000,
};

function shownNaive({ repositoryId, revision, path, matchedPath, lines, also }: NaiveFile): string {
  const places = also.slice(0, 10).join();
  const shown = lines.map(({ number, ranges }) => shownRanges(number, ranges)).join(' ');
  return `${repositoryId} ${revision} ${path} ${matchedPath} also ${also.length} ${places} lines ${shown}`;
}

function shownFile(file: FoundFile): string {
  const places = file.also.map(({ repositoryId, revision, path }) => `${repositoryId} ${revision} ${path}`);
  const shown = file.blocks
    .flat()
    .filter(({ matched }) => matched)
    .sort((a, b) => a.number - b.number)
    .map(({ number, ranges }) => shownRanges(number, ranges))
    .join(' ');
  const { repositoryId, revision, path, matchedPath, alsoCount } = file;
  return `${repositoryId} ${revision} ${path} ${matchedPath} also ${alsoCount} ${places.join()} lines ${shown}`;
}

function shownRanges(number: number, ranges: readonly { start: number; end: number }[]): string {
  return `${number}:${ranges.map(({ start, end }) => `${start}-${end}`).join('+')}`;
}
