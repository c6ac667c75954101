import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../src/base/testing/seeded-random.ts';
import type { SkipReason } from '../../src/search/index.ts';
import { type AskedQuery, written } from './ripgrep-oracle/asked-queries.ts';
import { differences } from './ripgrep-oracle/compared-answers.ts';
import { drawnQueries } from './ripgrep-oracle/drawn-queries.ts';
import { fixedQueries } from './ripgrep-oracle/fixed-queries.ts';
import {
  createNaiveScan,
  createRipgrep,
  isRipgrepInstalled,
  type LineFinder,
} from './ripgrep-oracle/line-finders.ts';
import { indexRepositories, type SearchedRepositories } from './ripgrep-oracle/searched-repositories.ts';

/**
 * PERISCOPE_ORACLE_CORPUS is a folder of bare repositories OWNER/NAME.git, PERISCOPE_ORACLE_REPOSITORIES those to search, with commas
 * between. Without them a few files of every odd kind are searched.
 */
const folder = process.env['PERISCOPE_ORACLE_CORPUS'] ?? '';
const names = (process.env['PERISCOPE_ORACLE_REPOSITORIES'] ?? '').split(',').filter((name) => name !== '');
const seed = Number(process.env['PERISCOPE_ORACLE_SEED'] ?? 1);
const isReal = folder !== '' && names.length > 0;
const drawn = Number(process.env['PERISCOPE_ORACLE_QUERIES'] ?? (isReal ? 310 : 12));
const hasRipgrep = isRipgrepInstalled();
if (!hasRipgrep) console.log('The comparison with ripgrep is left out: there is no rg on the PATH.');

let searched: SearchedRepositories;
let queries: readonly AskedQuery[];
beforeAll(async () => {
  searched = await indexRepositories(folder, names);
  const { files, skipped } = searched;
  const texts = files.filter((file) => !skipped.has(file));
  queries = [...fixedQueries, ...drawnQueries(texts, drawn, new SeededRandom(seed))];
}, 1_800_000);
afterAll(() => searched.close());

it('every file is searched, or said to be skipped for what it is', () => {
  const { files, indexed, nameOf } = searched;
  const rows = indexed.flatMap(({ repositoryId, rows }) =>
    rows.map((row) => ({ ...row, key: `${nameOf(repositoryId)}:${row.path}:${row.oid}` })),
  );
  expect(rows.map(({ key }) => key).sort()).toEqual(
    files.map(({ repository, path, oid }) => `${repository}:${path}:${oid}`).sort(),
  );
  const skipped = new Map(rows.map(({ key, skipped }) => [key, skipped]));
  const wrong = files.filter((file) => {
    const reason = skipped.get(`${file.repository}:${file.path}:${file.oid}`)!;
    return !mayBeSkippedFor(reason, file.bytes, file.writing);
  });
  expect(wrong.map(({ repository, path }) => `${repository}:${path}`)).toEqual([]);
});

it('an answer says how many files were skipped, and why', async () => {
  const counts: Partial<Record<SkipReason, number>> = {};
  for (const { rows } of searched.indexed)
    for (const { skipped } of rows) if (skipped) counts[skipped] = (counts[skipped] ?? 0) + 1;
  const { searched: said } = await searched.search(queries[0]!.asked);
  expect(said.skipped).toEqual(counts);
  expect(counts.binary).toBeGreaterThan(0);
});

describe('an exact search finds the very lines', () => {
  it.runIf(!isReal)('that a naive scan finds', () => compareAll(createNaiveScan(readable())), 600_000);
  it.runIf(hasRipgrep)('that ripgrep finds', () => compareAll(createRipgrep(readable())), 3_600_000);
});

/** What is in no index is looked for by its path alone. */
function readable() {
  return searched.files;
}

async function compareAll(finder: LineFinder): Promise<void> {
  const told: string[] = [];
  let files = 0;
  for (const { kind, asked } of queries) {
    const answer = await searched.search(asked).catch((fault: unknown) => {
      throw new Error(`seed ${seed}, ${kind}: ${written(asked)}`, { cause: fault });
    });
    files += answer.files.length;
    const found = differences(asked, answer, finder, searched);
    if (found.length > 0)
      told.push(
        `seed ${seed}, ${kind}: ${written(asked)}\n  ${found
          .slice(0, 6)
          .map((one) => one.slice(0, 300))
          .join('\n  ')}`,
      );
  }
  finder.close();
  expect(told.join('\n')).toBe('');
  expect(files).toBeGreaterThan(queries.length);
}

const NUL = 0;
const FILE_BYTES_MAX = 1 << 20;

/** Told from the bytes alone. What has too many trigrams is long at least. */
function mayBeSkippedFor(reason: SkipReason | null, bytes: Buffer, writing: string): boolean {
  const isLarge = bytes.length > FILE_BYTES_MAX;
  switch (reason) {
    case 'too-large':
      return isLarge;
    case 'binary':
      return bytes.includes(NUL) || writing === 'latin1';
    case 'too-many-trigrams':
      return bytes.length > 20_000;
    case 'lfs-pointer':
      return bytes.toString('latin1', 0, 60).startsWith('version https://git-lfs.github.com/spec/');
    case null:
      return !isLarge;
    default:
      return false;
  }
}
