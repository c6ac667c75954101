import { shownPath } from '../../base/byte-path.ts';
import { blameOfNoFile, linesBeyondEnd } from '../errors.ts';
import { decodeName, shownTime } from '../objects/commit-object.ts';
import type { ReadRepository } from '../objects/object-store.ts';
import { pathBytes } from '../objects/repository-path.ts';
import type { BlameLine } from '../types.ts';
import { type HistoryDeps, historyCommand } from './history-command.ts';
import { checkLines } from './line-range.ts';

export interface BlameQuery {
  commit: string;
  path: string;
  start: number;
  end: number;
}

const outputBytesMax = 32 * 1024 * 1024;
/** More than is shown of any subject. */
const summaryBytesMax = 16 * 1024;

/** Who last changed each line, by `git blame --porcelain`. */
export async function lineBlame(
  repository: ReadRepository,
  query: BlameQuery,
  signal: AbortSignal,
  deps: HistoryDeps,
): Promise<BlameLine[]> {
  const path = pathBytes(query.path);
  if (path.length === 0) throw blameOfNoFile();
  checkLines(query);
  const output = await historyCommand(
    repository,
    {
      doing: 'Reading who changed lines',
      args: [
        'blame',
        '--porcelain',
        // Names and subjects as they are stored: they are decoded here.
        '--encoding=none',
        `-L${query.start},${query.end}`,
      ],
      objectIds: [query.commit],
      path,
      stdoutBytesMax: outputBytesMax,
      signal,
    },
    deps,
  ).catch((error: unknown) => {
    throw linesBeyondEnd(error, query.path) ?? error;
  });
  return parsePorcelain(output.stdout);
}

interface BlamedCommit {
  authorName: string;
  authoredMs: number;
  summary: Buffer;
  path: string;
}

/** A header `commit original-line line`, facts of the commit the first time it is met, then TAB and the line itself. */
function parsePorcelain(output: Buffer): BlameLine[] {
  const commits = new Map<string, BlamedCommit>();
  const lines: BlameLine[] = [];
  let current: { commit: string; originalLine: number; line: number; facts: BlamedCommit } | null = null;
  for (let at = 0; at < output.length; ) {
    const lineEnd = output.indexOf(10, at);
    if (lineEnd < 0) break;
    const text = output.subarray(at, lineEnd);
    at = lineEnd + 1;
    if (text[0] === 0x09) {
      if (current) lines.push(blamed(current));
      current = null;
      continue;
    }
    if (current === null) {
      const [commit = '', originalLine, line] = text.toString('latin1').split(' ');
      const facts = commits.get(commit) ?? {
        authorName: '',
        authoredMs: 0,
        summary: Buffer.alloc(0),
        path: '',
      };
      commits.set(commit, facts);
      current = { commit, originalLine: Number(originalLine), line: Number(line), facts };
      continue;
    }
    readFact(text, current.facts);
  }
  return lines;
}

function readFact(text: Buffer, facts: BlamedCommit) {
  const space = text.indexOf(0x20);
  const value = text.subarray(space + 1);
  switch (text.toString('latin1', 0, space)) {
    case 'author':
      facts.authorName = decodeName(value);
      break;
    case 'author-time':
      facts.authoredMs = shownTime(Number(value.toString('latin1')));
      break;
    case 'summary':
      facts.summary = Buffer.from(value.subarray(0, summaryBytesMax));
      break;
    case 'filename':
      facts.path = shownPath(unquoted(value));
      break;
  }
}

function blamed(current: {
  commit: string;
  originalLine: number;
  line: number;
  facts: BlamedCommit;
}): BlameLine {
  const { commit, originalLine, line, facts } = current;
  const { authorName, authoredMs, summary, path } = facts;
  return { commit, originalLine, originalPath: path, line, authorName, authoredMs, summary };
}

const escapes: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** Git quotes an odd path as C does: `"a\n\377"`. */
function unquoted(value: Buffer): Buffer {
  if (value[0] !== 0x22) return value;
  const text = value.toString('latin1', 1, value.length - 1);
  const plain = text.replace(/\\([0-7]{3}|.)/g, (_, escaped: string) =>
    String.fromCharCode(escapes[escaped] ?? Number.parseInt(escaped, 8)),
  );
  return Buffer.from(plain, 'latin1');
}
