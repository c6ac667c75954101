import { z } from 'zod';
import type { Document, TextDocument } from '../../content/index.ts';
import type { TreeEntry } from '../../mirrors/index.ts';
import { namesOf } from '../addressing/repository-names.ts';
import {
  graphNotHere,
  symbolAmbiguous,
  symbolNotFound,
  symbolNotInOneFile,
  symbolsUnread,
} from '../errors.ts';
import {
  type DefinedSymbol,
  definedAs,
  documentedFrom,
  firstLineWith,
  nearDefinitions,
} from '../graph/defined-lines.ts';
import { missingSaid } from '../graph/graph-said.ts';
import { operation } from '../operation.ts';
import { answerParams, documentShape, targetParams } from '../parameters.ts';
import type { OperationContext, OperationResult, Row, Target } from '../types.ts';
import { commitNote, placeOf, sizeOf, targetFacts } from './place.ts';
import { requireEntry } from './require-entry.ts';

/** A line longer than this is cut in a slice: minified code would otherwise eat the whole answer. */
const LINE_BYTES_MAX = 2000;
const CONTEXT_LINES = 10;
const LINES_MAX = 2000;

export const readFile = operation({
  name: 'read_file',
  title: 'Read lines of a file',
  description:
    'Read lines of one file in any repository at any revision, numbered, without a checkout. Examples: {"repo": "payments", "path": "src/auth/token.ts"}, {"repo": "acme/payments", "path": "src/auth/token.ts", "offset": 120, "limit": 40}, {"repo": "payments", "path": "src/auth/session.ts", "symbol": "Session.refresh"} for one definition with its comment, {"repo": "payments", "path": "go.mod", "revision": "v2.1.0"}.',
  readOnly: true,
  isSearch: false,
  needsRepository: true,
  localOnly: false,
  redirect: { when: 'directory', to: 'list_directory', unless: 'symbol' },
  example: { repo: 'owner/name', path: 'src/main.ts', offset: 1, limit: 100 },
  input: z.object({
    ...targetParams,
    symbol: z
      .string()
      .max(500)
      .optional()
      .describe('Read just this definition, with the comment above it: "Session.refresh".'),
    offset: z.int().min(1).optional().describe('First line, counted from 1. Default 1.'),
    limit: z.int().min(1).max(LINES_MAX).default(200).describe('Number of lines.'),
    ...answerParams,
  }),
  output: z.object({
    ...documentShape,
    symbol: z
      .object({ name: z.string(), kind: z.string(), startLine: z.int(), endLine: z.int() })
      .optional()
      .describe('The definition that was asked for, without its comment.'),
    lines: z.array(z.object({ line: z.int(), text: z.string() })),
  }),
  async run(context) {
    const { symbol } = context.input;
    const asked = await requireEntry(context);
    const { target, entry } =
      symbol !== undefined && asked.entry.kind === 'directory'
        ? await fileDefining(symbol, asked.target, context)
        : asked;
    if (symbol !== undefined && !context.after) return readSymbol(symbol, target, entry, context);
    const { first, count } = wantedLines(context, target);
    const document = await context.content.openEntry(target.mirror, entry, {
      signal: context.signal,
      firstLine: first,
    });
    return document.kind === 'text'
      ? slice(document, first, count, target, context)
      : notText(document, target, context);
  },
});

const FILES_MAX = 20;

/** The one file of a directory that defines it. */
async function fileDefining(
  symbol: string,
  target: Target,
  { graph, content, visible, signal }: OperationContext<SliceInput>,
): Promise<{ target: Target; entry: TreeEntry }> {
  if (!graph) throw graphNotHere();
  const { repository, mirror, revision } = target;
  const repo = namesOf(visible).shortest(repository);
  const prepared = await graph.prepare(
    {
      relation: 'definitions',
      direction: undefined,
      name: symbol,
      repo: [repo],
      path: target.path === '' ? undefined : `${target.path}/**`,
      line: undefined,
      column: undefined,
      revision: revision.isDefault ? undefined : revision.commit,
      kind: undefined,
      within: [repo],
      file: undefined,
      lang: undefined,
    },
    { depth: 1, placesMax: FILES_MAX, exact: false },
    visible,
    signal,
  );
  const { answer, shown } = await graph.find(prepared, null, signal);
  const places = answer.targets.flatMap((at) => (shown[at] ? (answer.nodes[at]!.place ?? []) : []));
  const here = places.filter(({ repositoryId }) => repositoryId === repository.id);
  const paths = [...new Set(here.map(({ path }) => path))];
  const [path] = paths;
  if (path === undefined || paths.length > 1)
    throw symbolNotInOneFile(placeOf(target), symbol, { repo, paths, near: answer.near });
  const entry = await content.entry(mirror, revision.commit, path, { signal });
  return { target: { ...target, path, entry }, entry };
}

/** The outline of a file is looked through whole. */
const OUTLINE_MAX = 20_000;

async function readSymbol(
  symbol: string,
  target: Target,
  entry: TreeEntry,
  context: OperationContext<SliceInput>,
): Promise<OperationResult> {
  const { graph, content, signal } = context;
  if (!graph) throw graphNotHere();
  const { repository, revision, path } = target;
  const outline = await graph.outline({ repository, commit: revision.commit, path }, context.visible, {
    symbolsMax: OUTLINE_MAX,
    makes: true,
    signal,
  });
  const found = definedAs(symbol, outline.symbols);
  const [only] = found;
  const document = await content.openEntry(target.mirror, entry, {
    signal,
    firstLine: only?.startLine ?? 1,
  });
  if (document.kind !== 'text') return notText(document, target, context);
  if (found.length > 1) throw symbolAmbiguous(placeOf(target), symbol, found);
  if (!only) {
    const why = missingSaid(outline.missing);
    if (why === null) throw symbolNotFound(placeOf(target), symbol, nearDefinitions(symbol, outline.symbols));
    throw symbolsUnread(placeOf(target), symbol, { why, line: firstLineWith(symbol, document) });
  }
  const first = documentedFrom(document, only.startLine);
  const result = slice(document, first, only.endLine - first + 1, target, context);
  return { ...ofSymbol(result, only), facts: { ...result.facts, symbol: only } };
}

/** The file goes on behind it, but that is not what was asked for. */
function ofSymbol(
  { goOn: _goOn, head, ...result }: OperationResult,
  { kind, name }: DefinedSymbol,
): OperationResult {
  const headOf = (shown: number) => `${kind} ${name}  ${typeof head === 'string' ? head : head(shown)}`;
  return { ...result, head: headOf };
}

interface SliceInput {
  symbol?: string | undefined;
  offset?: number | undefined;
  limit: number;
}

/** What the call says, else what the address said (`a.ts:120` with some lines around it), else the top. */
function wantedLines(
  context: OperationContext<SliceInput>,
  target: Target,
): { first: number; count: number } {
  const { offset, limit } = context.input;
  const resumed = context.after ? Number(context.after['line']) : null;
  const until = context.after ? Number(context.after['until']) : null;
  if (resumed !== null && until !== null) return { first: resumed, count: until - resumed };
  if (offset !== undefined || !target.lines) return { first: offset ?? 1, count: limit };
  const { start, end } = target.lines;
  if (end > start) return { first: start, count: Math.min(end - start + 1, LINES_MAX) };
  const first = Math.max(1, start - CONTEXT_LINES);
  return { first, count: start + CONTEXT_LINES - first + 1 };
}

function slice(
  document: TextDocument,
  first: number,
  count: number,
  target: Target,
  context: OperationContext<SliceInput>,
): OperationResult {
  const { lines, cutLines, atEnd } = document.lines(first, count, LINE_BYTES_MAX);
  const width = String(first + lines.length).length;
  const rows = lines.map((text, index): Row => {
    const line = first + index;
    const cutAt = cutLines.get(line);
    const shown = cutAt === undefined ? text : `${text} … (line of ${sizeOf(cutAt)}, cut)`;
    return {
      text: `${String(line).padStart(width)}\t${shown}`,
      value: { line, text },
      position: { line: line + 1, until: first + count },
    };
  });
  const last = first + lines.length - 1;
  const of = document.lineCount === null ? '' : ` of ${document.lineCount}`;
  const headOf = (shown: number) => {
    const to = first + shown - 1;
    const range = shown === 0 ? 'no lines' : `lines ${first}-${to}`;
    return `${placeOf(target)}${commitNote(target)}  ${range}${of}${linkOf(context, target, first, to)}`;
  };
  const notes: string[] = [];
  if (document.encoding !== 'utf-8') notes.push(`The file is ${document.encoding}; shown as UTF-8.`);
  if (document.maskedSpans > 0) notes.push(`${document.maskedSpans} credentials are masked.`);
  return {
    head: headOf,
    facts: {
      ...targetFacts(target),
      permalink: context.permalink(target, target.path, { start: first, end: Math.max(first, last) }),
      kind: 'text',
      encoding: document.encoding,
      sizeBytes: document.sizeBytes,
      lineCount: document.lineCount,
    },
    rowsName: 'lines',
    rows,
    // A very large file is read in pages, and a slice may end with one.
    more: !atEnd && lines.length > 0 && lines.length < count,
    ...(atEnd ? {} : { goOn: `The file goes on: next offset ${last + 1}.` }),
    notes,
    empty:
      document.sizeBytes === 0
        ? 'The file is empty.'
        : `The file ends before line ${first}${document.lineCount === null ? '' : `: it has ${document.lineCount} lines`}.`,
  };
}

function linkOf(context: OperationContext<unknown>, target: Target, first: number, last: number): string {
  const link = context.permalink(target, target.path, { start: first, end: Math.max(first, last) });
  return link ? `  ${link}` : '';
}

/** What a path is when it has no lines to read, and what to do about it. */
export function notText(
  document: Exclude<Document, TextDocument>,
  target: Target,
  context: OperationContext<unknown>,
): OperationResult {
  return {
    head: `${placeOf(target)}${commitNote(target)} ${whatItIs(document)}`,
    facts: {
      ...targetFacts(target),
      permalink: context.permalink(target, target.path, null),
      kind: document.kind,
      encoding: null,
      sizeBytes: 'sizeBytes' in document ? document.sizeBytes : null,
      lineCount: null,
    },
    rowsName: 'lines',
    rows: [],
    more: false,
    notes: [],
    empty: '',
  };
}

export function whatItIs(document: Exclude<Document, TextDocument>): string {
  switch (document.kind) {
    case 'binary':
      return `is binary, ${sizeOf(document.sizeBytes)}: there are no lines to read.`;
    case 'lfs-pointer':
      return `is a Git LFS pointer to ${sizeOf(document.lfsSizeBytes)} (${document.lfsOid}) that git does not hold.`;
    case 'symlink':
      return `is a symlink to "${document.target}". Read that path instead.`;
    case 'submodule':
      return `is a submodule: another repository, at commit ${document.commit}. Look for it with codesearch_repos.`;
    case 'directory':
      return 'is a directory. Call list_directory.';
  }
}
