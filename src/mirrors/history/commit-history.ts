import { historyQueryFault, linesBeyondEnd } from '../errors.ts';
import { shownTime } from '../objects/commit-object.ts';
import type { ObjectStore, ReadRepository } from '../objects/object-store.ts';
import { pathBytes } from '../objects/repository-path.ts';
import type { Commit, HistoryQuery } from '../types.ts';
import { createCountedCommits } from './counted-commits.ts';
import { type HistoryDeps, historyCommand } from './history-command.ts';
import { checkLines } from './line-range.ts';

const limitMax = 1000;
/** An id of 64 digits and a line break each. */
const bytesPerCommit = 65;

/** The commits of a path or of lines, newest first. Git tells the ids; the commits themselves are read as objects. */
export async function commitHistory(
  repository: ReadRepository,
  query: HistoryQuery,
  signal: AbortSignal,
  deps: HistoryDeps & { objects: ObjectStore },
): Promise<Commit[]> {
  // Fails in the caller's words where the commit is not there; git would speak of a bad object.
  await deps.objects.commit(repository, query.commit);
  const commits = await (query.pickaxe !== undefined && query.pickaxeCounts
    ? countedCommits(repository, query, query.pickaxeCounts, signal, deps)
    : listedCommits(repository, query, signal, deps)
  ).catch((error: unknown) => {
    throw linesBeyondEnd(error, query.path) ?? error;
  });
  return Promise.all(commits.map((commit) => deps.objects.commit(repository, commit)));
}

const limitOf = (query: HistoryQuery): number => Math.min(query.limit, limitMax);

async function listedCommits(
  repository: ReadRepository,
  query: HistoryQuery,
  signal: AbortSignal,
  deps: HistoryDeps,
): Promise<string[]> {
  // Where git decides by a commit's diff whether it is shown, it skips commits before it knows: these are skipped here.
  const isByDiff = query.pickaxe !== undefined || query.followRenames || query.lines !== undefined;
  const skippedHere = isByDiff ? query.skip : 0;
  const read = limitOf(query) + skippedHere;
  const { args, ...place } = logArguments(query);
  const output = await historyCommand(
    repository,
    {
      doing,
      args: [...args, '--no-patch', `--max-count=${read}`, `--skip=${query.skip - skippedHere}`],
      ...place,
      objectIds: [query.commit],
      stdoutBytesMax: read * bytesPerCommit + 4096,
      signal,
    },
    deps,
  );
  const commits = output.stdout.toString('latin1').match(/^[0-9a-f]{40,64}$/gm) ?? [];
  return commits.slice(skippedHere);
}

/** Commits whose diff adds or removes the text in a file that counts. A rename counts as what it does to each of its two files. */
async function countedCommits(
  repository: ReadRepository,
  query: HistoryQuery,
  counts: (path: string) => boolean,
  signal: AbortSignal,
  deps: HistoryDeps,
): Promise<string[]> {
  if (query.lines) throw historyQueryFault('Lines and a text cannot be looked for together here.');
  const counted = createCountedCommits(counts, query.skip + limitOf(query));
  const { args, ...place } = logArguments({ ...query, followRenames: false });
  await historyCommand(
    repository,
    {
      doing,
      args: [...args, '-z', '--raw', '--no-renames'],
      ...place,
      objectIds: [query.commit],
      // Read as it comes; the time is bounded.
      stdoutBytesMax: Number.POSITIVE_INFINITY,
      onStdout: counted.onStdout,
      signal,
    },
    deps,
  );
  return counted.commits.slice(query.skip);
}

const doing = 'Reading the history';

/** What one argument of a process may hold is 128 KiB on Linux; nobody looks for as much. */
const textBytesMax = 16 * 1024;

function logArguments(query: HistoryQuery): { args: string[]; path?: Buffer; lastOption?: Buffer } {
  const args = [
    'log',
    '--format=tformat:%H',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
    '--no-show-signature',
    '--no-mailmap',
  ];
  if (query.pickaxe === '') throw historyQueryFault('The text to look for is empty.');
  for (const text of [query.pickaxe, query.authorContains]) checkText(text ?? '');
  if (query.pickaxe !== undefined) args.push(`-S${query.pickaxe}`);
  if (query.authorContains !== undefined) {
    args.push('--fixed-strings', '--regexp-ignore-case', `--author=${query.authorContains}`);
  }
  if (query.sinceMs !== undefined) args.push(`--since=${gitSecond(query.sinceMs)}`);
  if (query.untilMs !== undefined) args.push(`--until=${gitSecond(query.untilMs)}`);
  const path = pathBytes(query.path);
  if (query.lines) {
    if (path.length === 0) throw historyQueryFault('Lines need the path of a file.');
    checkLines(query.lines);
    const { start, end } = query.lines;
    // Only the first colon after the range ends it, so the path may hold any byte.
    return { args, lastOption: Buffer.concat([Buffer.from(`-L${start},${end}:`), path]) };
  }
  if (path.length > 0 && query.followRenames) args.push('--follow');
  return { args, path };
}

function checkText(text: string) {
  if (text.includes('\0')) throw historyQueryFault('The text to look for holds a NUL.');
  if (Buffer.byteLength(text) > textBytesMax) {
    throw historyQueryFault(`The text to look for is longer than ${textBytesMax} bytes.`);
  }
}

/** A moment as git takes it without guessing; it knows none before the epoch, and none beyond what a Date shows is meant. */
function gitSecond(ms: number): string {
  return `@${Math.max(0, Math.floor(shownTime(ms / 1000) / 1000))} +0000`;
}
