import type { FoundFile, SearchAnswer } from '../../../src/search/index.ts';
import type { Asked } from './asked-queries.ts';
import type { LineFinder } from './line-finders.ts';
import type { TreeFile } from './tree-files.ts';

/** A file as an answer has it: copies of one text are one, with so many places. */
type Entries = Map<string, { places: number; lines: string }>;

export interface SearchedTrees {
  files: readonly TreeFile[];
  /** Files whose text is in no index: what they hold nobody knows. */
  skipped: ReadonlySet<TreeFile>;
  nameOf(repositoryId: number): string;
}

/** In what an answer differs from what a finder finds; empty when in nothing. */
export function differences(
  asked: Asked,
  answer: SearchAnswer,
  finder: LineFinder,
  trees: SearchedTrees,
): string[] {
  const expected = expectedEntries(asked, finder, trees);
  const found = foundEntries(answer, trees);
  const left = new Set(trees.files.filter((file) => !finder.understands(file)).map(({ oid }) => oid));
  for (const entries of [expected, found])
    for (const key of entries.keys()) if (left.has(key.split(' ')[0]!)) entries.delete(key);
  const told: string[] = [];
  for (const [key, { places, lines }] of expected) {
    const entry = found.get(key);
    if (!entry) told.push(`missing ${key}, lines ${lines}`);
    else if (entry.lines !== lines) told.push(`${key}: ${changed(lines, entry.lines)}`);
    else if (entry.places !== places) told.push(`${key}: ${entry.places} places for ${places}`);
  }
  for (const [key, { lines }] of found) if (!expected.has(key)) told.push(`too much ${key}, lines ${lines}`);
  const lines = [...expected.values()].reduce((sum, entry) => sum + countOf(entry.lines), 0);
  const counts = { files: expected.size, lines, exact: [true, true], stopped: null, problems: [] };
  const { fileCount, lineCount, stopped, problems } = answer;
  const counted = {
    files: fileCount.count,
    lines: lineCount.count,
    exact: [fileCount.exact, lineCount.exact],
    stopped,
    problems,
  };
  if (left.size === 0 && JSON.stringify(counts) !== JSON.stringify(counted))
    told.push(`${JSON.stringify(counted)} for ${JSON.stringify(counts)}`);
  return told;
}

function countOf(lines: string): number {
  return lines === '' ? 0 : lines.split(',').length;
}

function changed(expected: string, found: string): string {
  const [wanted, got] = [new Set(expected.split(',')), new Set(found.split(','))];
  const missing = [...wanted].filter((line) => !got.has(line)).slice(0, 5);
  const wrong = [...got].filter((line) => !wanted.has(line)).slice(0, 5);
  return `missing lines [${missing.join()}], too many lines [${wrong.join()}]`;
}

function foundEntries({ files }: SearchAnswer, trees: SearchedTrees): Entries {
  const { nameOf } = trees;
  const entries: Entries = new Map();
  const alone = withoutCopies(trees);
  for (const file of files) {
    const numbers = file.blocks
      .flat()
      .filter(({ matched }) => matched)
      .map(({ number }) => number)
      .sort((a, b) => a - b);
    const key = keyOf(file, numbers.length > 0);
    const place = placeOf(nameOf(file.repositoryId), file.path);
    entries.set(alone.has(place) ? place : key, { places: file.alsoCount + 1, lines: numbers.join() });
  }
  return entries;
}

function expectedEntries(asked: Asked, finder: LineFinder, trees: SearchedTrees): Entries {
  const entries: Entries = new Map();
  const alone = withoutCopies(trees);
  const tests = testsOf(asked, finder, trees.skipped);
  for (const file of trees.files) {
    if (tests.truth(asked, file) !== true) continue;
    const numbers = [...tests.lines(asked, file)].sort((a, b) => a - b);
    const place = placeOf(file.repository, file.path);
    const key = alone.has(place) ? place : keyOf(file, numbers.length > 0);
    const known = entries.get(key);
    if (known) known.places++;
    else entries.set(key, { places: 1, lines: numbers.join() });
  }
  return entries;
}

/** Nothing says of what is not indexed, or empty, that it is the same as another. */
function withoutCopies({ files, skipped }: SearchedTrees): ReadonlySet<string> {
  const alone = files.filter((file) => skipped.has(file) || file.bytes.length === 0);
  return new Set(alone.map(({ repository, path }) => placeOf(repository, path)));
}

const placeOf = (repository: string, path: string) => `${repository}:${path}`;

const keyOf = ({ oid, path }: Pick<FoundFile, 'oid' | 'path'>, byText: boolean) =>
  byText ? oid : `${oid} ${path}`;

function testsOf(root: Asked, finder: LineFinder, skipped: ReadonlySet<TreeFile>) {
  const linesBy = new Map<Asked, ReadonlyMap<TreeFile, ReadonlySet<number>>>();
  const pathsBy = new Map<Asked, ReadonlySet<TreeFile>>();
  prepare(root);
  return { truth, lines };

  function prepare(asked: Asked): void {
    if (asked.kind === 'term') {
      linesBy.set(asked, finder.lines(asked.term));
      if (asked.term.orPath) pathsBy.set(asked, finder.inPath(asked.term));
    } else if (asked.kind === 'not') prepare(asked.of);
    else if (asked.kind === 'all' || asked.kind === 'any') asked.of.forEach(prepare);
  }

  /** Null: it depends on a text that is in no index. */
  function truth(asked: Asked, file: TreeFile): boolean | null {
    switch (asked.kind) {
      case 'term':
        if (pathsBy.get(asked)?.has(file)) return true;
        return skipped.has(file) ? null : linesBy.get(asked)!.has(file);
      case 'all': {
        const parts = asked.of.map((part) => truth(part, file));
        return parts.includes(false) ? false : parts.includes(null) ? null : true;
      }
      case 'any': {
        const parts = asked.of.map((part) => truth(part, file));
        return parts.includes(true) ? true : parts.includes(null) ? null : false;
      }
      case 'not': {
        const of = truth(asked.of, file);
        return of === null ? null : !of;
      }
      case 'path':
        return asked.means.test(file.path);
      case 'language':
        return file.path.endsWith(`.${asked.extension}`);
      case 'repository':
        return file.repository === asked.name;
    }
  }

  /** Of the parts that make the file fit. */
  function lines(asked: Asked, file: TreeFile): ReadonlySet<number> {
    if (asked.kind === 'term') return (!skipped.has(file) && linesBy.get(asked)!.get(file)) || none;
    if (asked.kind !== 'all' && asked.kind !== 'any') return none;
    return new Set(
      asked.of.filter((part) => truth(part, file) === true).flatMap((part) => [...lines(part, file)]),
    );
  }
}

const none: ReadonlySet<number> = new Set();
