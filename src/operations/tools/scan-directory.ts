import { z } from 'zod';
import { invalidRequest } from '../../base/errors.ts';
import { withDeadline } from '../../base/with-deadline.ts';
import type { Content, ScannedFile } from '../../content/index.ts';
import type { TreeEntry } from '../../mirrors/index.ts';
import { documentClass, type MatchedLine, type Scan } from '../../search/index.ts';
import { operation } from '../operation.ts';
import { answerParams, fileFilterParam, pathParam, targetParams, targetShape } from '../parameters.ts';
import type { OperationContext, OperationResult, Row, Target } from '../types.ts';
import { globFilter } from './glob-filter.ts';
import { commitNote, placeOf, targetFacts } from './place.ts';
import { requireEntry } from './require-entry.ts';

const PATTERN_LENGTH_MAX = 4000;
const FILE_BYTES_MAX = 8 << 20;
const LINE_CHARACTERS_MAX = 400;
const LINES_PER_FILE_MAX = 1000;
/** Texts go to the worker in batches: large enough to be worth the trip, small enough to stop between two. */
const BATCH_BYTES = 1 << 20;
const BATCH_FILES = 128;

const input = z.object({
  ...targetParams,
  pattern: z
    .string()
    .min(1)
    .max(PATTERN_LENGTH_MAX)
    .optional()
    .describe(
      'Regular expression in RE2 syntax, matched line by line: "func \\\\w+Token\\\\(". With literal: plain text. Needed unless cursor is given.',
    ),
  path: pathParam.describe('Directory or file to scan. Default: the whole repository.'),
  file: fileFilterParam,
  literal: z.boolean().default(false).describe('Take pattern as plain text.'),
  ignore_case: z.boolean().default(false).describe('Letters match in any case.'),
  context: z.int().min(0).max(10).default(0).describe('Lines to show before and after each hit.'),
  limit: z.int().min(1).max(1000).default(200).describe('Most matching lines.'),
  ...answerParams,
});

type Input = z.output<typeof input>;
type Context = OperationContext<Input>;

export const scanDirectory = operation({
  name: 'scan_directory',
  title: 'Scan a directory for a pattern',
  description:
    'Find a regular expression in the files below a directory of one repository, at any revision. Examples: {"repo": "payments", "pattern": "retryLimit", "path": "src"}, {"repo": "payments", "pattern": "TODO\\\\(\\\\w+\\\\)", "file": ["*.go"], "context": 2}, {"repo": "payments", "pattern": "a.b(c)", "literal": true}.',
  readOnly: true,
  isSearch: true,
  needsRepository: true,
  localOnly: false,
  example: { repo: 'owner/name', pattern: 'retryLimit', path: 'src' },
  input,
  output: z.object({
    ...targetShape,
    matches: z.array(
      z.object({
        path: z.string(),
        line: z.int(),
        text: z.string(),
        ranges: z.array(z.object({ start: z.int(), end: z.int() })).describe('Bytes of the line, as UTF-8.'),
        permalink: z.string().nullable(),
      }),
    ),
    filesScanned: z.int(),
    filesSkipped: z.record(z.string(), z.int()),
    complete: z.boolean(),
  }),
  run: scan,
});

interface Progress {
  filesScanned: number;
  bytesScanned: number;
  skipped: Map<string, number>;
  rows: Row[];
  /** Why the scan ended before the last file, in words; null when it did not. */
  stopped: string | null;
  more: boolean;
}

async function scan(context: Context): Promise<OperationResult> {
  const { target, entry } = await requireEntry(context);
  if (entry.kind === 'submodule') throw notScannable(target.path, 'a submodule: another repository');
  if (entry.kind === 'symlink') throw notScannable(target.path, 'a symlink');
  const { pattern, literal, ignore_case: ignoreCase } = context.input;
  if (pattern === undefined) throw patternMissing();
  const progress: Progress = {
    filesScanned: 0,
    bytesScanned: 0,
    skipped: new Map(),
    rows: [],
    stopped: null,
    more: false,
  };
  const description = { pattern, literal, ignoreCase, linesPerText: LINES_PER_FILE_MAX, rangesPerLine: 20 };
  await withDeadline(context.signal, context.limits.scanTimeMs, async (signal, expired) => {
    try {
      await scanFiles(context, target, context.scans.start(description, signal), signal, progress);
    } catch (fault) {
      // Time ran out on the scan, not on the caller: what was found until then is an answer.
      if (!expired()) throw fault;
      progress.stopped = `the scan's ${Math.round(context.limits.scanTimeMs / 1000)} s were over`;
    }
  });
  return answer(context, target, progress);
}

async function scanFiles(
  context: Context,
  target: Target,
  matcher: Scan,
  signal: AbortSignal,
  progress: Progress,
): Promise<void> {
  for await (const batch of batches(context, target, signal, progress)) {
    const outcomes = await matcher.match(batch.map(({ text }) => text));
    for (const [index, { lines, ended }] of outcomes.entries()) {
      const file = batch[index]!;
      if (ended === 'limit')
        progress.stopped ??= `${file.path} has more than ${LINES_PER_FILE_MAX} matching lines`;
      addRows(file, lines, target, context, progress);
    }
    if (progress.more) return;
  }
}

type ScanOptions = Parameters<Content['scan']>[3];

/** Everything below a directory, or the one file that was named. */
function filesAt(context: Context, target: Target, options: ScanOptions): AsyncIterable<ScannedFile> {
  const { mirror, revision, path, entry } = target;
  const isFile = entry?.kind === 'file' || entry?.kind === 'executable';
  return isFile
    ? oneFile(context, target, entry)
    : context.content.scan(mirror, revision.commit, path, options);
}

async function* oneFile(context: Context, target: Target, entry: TreeEntry): AsyncIterable<ScannedFile> {
  const document = await context.content.openEntry(target.mirror, entry, context);
  const { path, oid, kind: entryKind } = entry;
  const text = document.kind === 'text' ? document.text() : null;
  if (document.kind === 'text' && text) yield { kind: 'text', path, oid, text, encoding: document.encoding };
  else {
    const reason =
      document.kind === 'binary' || document.kind === 'lfs-pointer' ? document.kind : 'too-large';
    yield { kind: 'skipped', path, reason, entryKind };
  }
}

type ScannedTextFile = Extract<ScannedFile, { kind: 'text' }>;

/** Text files in batches, until a bound is met; skipped ones are counted by reason. */
async function* batches(context: Context, target: Target, signal: AbortSignal, progress: Progress) {
  const { filesMax, bytesMax } = {
    filesMax: context.limits.scanFilesMax,
    bytesMax: context.limits.scanBytesMax,
  };
  const from = context.after ? String(context.after['path']) : null;
  const fits = globFilter(context.input.file);
  let started = from === null;
  const files = filesAt(context, target, {
    signal,
    fileBytesMax: FILE_BYTES_MAX,
    rank: documentClass,
    // Files before the one where the earlier answer was cut need not even be read.
    wants: (path) => {
      if (path === from) started = true;
      return started && fits(path);
    },
  });
  let batch: ScannedTextFile[] = [];
  let batchBytes = 0;
  for await (const file of files) {
    if (file.kind === 'skipped') {
      progress.skipped.set(file.reason, (progress.skipped.get(file.reason) ?? 0) + 1);
      continue;
    }
    if (progress.filesScanned >= filesMax || progress.bytesScanned + file.text.length > bytesMax) {
      progress.stopped = `${progress.filesScanned} files, ${progress.bytesScanned} bytes were looked into, and that is the bound of one scan`;
      break;
    }
    progress.filesScanned++;
    progress.bytesScanned += file.text.length;
    batch.push(file);
    batchBytes += file.text.length;
    if (batchBytes >= BATCH_BYTES || batch.length >= BATCH_FILES) {
      yield batch;
      batch = [];
      batchBytes = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

function addRows(
  file: ScannedTextFile,
  matches: readonly MatchedLine[],
  target: Target,
  context: Context,
  progress: Progress,
): void {
  const afterLine = context.after?.['path'] === file.path ? Number(context.after['line']) : 0;
  const wanted = matches.filter(({ number }) => number > afterLine);
  const room = context.input.limit - progress.rows.length;
  if (wanted.length > room) progress.more = true;
  const shown = wanted.slice(0, Math.max(0, room));
  let shownTo = 0;
  for (const [index, match] of shown.entries()) {
    const lines: string[] = index === 0 ? [`${file.path}`] : [];
    const next = shown[index + 1]?.number ?? Number.POSITIVE_INFINITY;
    const { context: around } = context.input;
    lines.push(...contextLines(file.text, match, { around, after: shownTo, before: next }));
    shownTo = match.number + around;
    progress.rows.push({
      text: lines.join('\n'),
      value: {
        path: file.path,
        line: match.number,
        text: lineText(file.text, match.start, match.end),
        ranges: match.ranges.map(({ start, end }) => ({
          start: start - match.start,
          end: end - match.start,
        })),
        permalink: context.permalink(target, file.path, { start: match.number, end: match.number }),
      },
      position: { path: file.path, line: match.number },
      place: `${target.repository.id}:${file.oid}:${match.number}`,
    });
  }
}

/** `12:` marks the hit, `12-` its neighbours. Neighbours that an earlier row has shown, or that are hits themselves, are left to it. */
function contextLines(
  text: Buffer,
  match: MatchedLine,
  shown: { around: number; after: number; before: number },
): string[] {
  const rows = [`${match.number}: ${lineText(text, match.start, match.end)}`];
  let start = match.start;
  for (
    let number = match.number - 1;
    number >= match.number - shown.around && number > shown.after && start > 0;
    number--
  ) {
    const end = start - 1;
    start = end === 0 ? 0 : text.lastIndexOf(0x0a, end - 1) + 1;
    rows.unshift(`${number}- ${lineText(text, start, end)}`);
  }
  let end = text.indexOf(0x0a, match.end);
  for (
    let number = match.number + 1;
    number <= match.number + shown.around && number < shown.before && end !== -1;
    number++
  ) {
    const from = end + 1;
    if (from >= text.length) break;
    end = text.indexOf(0x0a, from);
    rows.push(`${number}- ${lineText(text, from, end === -1 ? text.length : end)}`);
  }
  return rows;
}

function lineText(text: Buffer, start: number, end: number): string {
  const line = text
    .toString('utf8', start, Math.min(end, start + 4 * LINE_CHARACTERS_MAX))
    .replace(/\r$/, '');
  return line.length > LINE_CHARACTERS_MAX ? `${line.slice(0, LINE_CHARACTERS_MAX)} … (cut)` : line;
}

function answer(context: Context, target: Target, progress: Progress): OperationResult {
  const { pattern, file } = context.input;
  const skipped = [...progress.skipped].map(([reason, count]) => `${count} ${reason}`);
  const looked = `${progress.filesScanned} files looked into${skipped.length > 0 ? `, skipped: ${skipped.join(', ')}` : ''}`;
  const complete = progress.stopped === null && !progress.more;
  const notes = progress.stopped
    ? [`Not everything was looked into: ${progress.stopped}. Scan a deeper path or fewer files.`]
    : [];
  const filter = file ? ` in ${file.join(', ')}` : '';
  return {
    head: `${progress.rows.length}${complete ? '' : ' or more'} ${progress.rows.length === 1 && complete ? 'line matches' : 'lines match'} ${JSON.stringify(pattern)}${filter} below ${placeOf(target)}${commitNote(target)}  (${looked})`,
    facts: {
      ...targetFacts(target),
      filesScanned: progress.filesScanned,
      filesSkipped: Object.fromEntries(progress.skipped),
      complete,
    },
    rowsName: 'matches',
    rows: progress.rows,
    more: progress.more,
    notes,
    empty: complete ? emptyText(context, target, progress) : 'Nothing was found in what was looked into.',
  };
}

function emptyText(context: Context, target: Target, progress: Progress): string {
  const { file } = context.input;
  return file && progress.filesScanned === 0
    ? `No text file below ${placeOf(target)} fits ${file.join(', ')}: nothing was looked into. list_directory shows what is there.`
    : 'Nothing there matches. Try ignore_case, a shorter pattern, another path or another repository.';
}

function patternMissing() {
  return invalidRequest(
    'operations/pattern-missing',
    'scan_directory needs pattern: what to look for.',
    'Call again with pattern, for example {"repo": "owner/name", "pattern": "retryLimit"}.',
  );
}

function notScannable(path: string, what: string) {
  return invalidRequest(
    'operations/not-scannable',
    `"${path}" is ${what}; there is nothing below it to scan.`,
    'Scan another path.',
  );
}
