import { z } from 'zod';
import type { EntryKind, TreeEntry } from '../../mirrors/index.ts';
import type { GraphNode } from '../../symbols/index.ts';
import { symbolGapNotes } from '../codesearch/symbol-gaps.ts';
import { operation } from '../operation.ts';
import { answerParams, fileFilterParam, targetParams, targetShape } from '../parameters.ts';
import type { OperationContext, Row, Target } from '../types.ts';
import { globFilter } from './glob-filter.ts';
import { commitNote, placeOf, sizeOf, targetFacts } from './place.ts';
import { requireEntry } from './require-entry.ts';

const ENTRIES_MAX = 20_000;
/** Files whose symbols are asked for in one answer, and of each the symbols that are looked at. */
const OUTLINES_MAX = 40;
const OUTLINES_AT_ONCE = 8;
const SYMBOLS_LOOKED_AT = 200;
/** Rows that are made ready for one answer; the token budget takes far fewer, programs may want them all. */
const ROWS_MAX = 5000;

export const listDirectory = operation({
  name: 'list_directory',
  title: 'List a directory',
  description:
    'List a directory of any repository at any revision, without a checkout. Examples: {"repo": "payments"} for the root, {"repo": "acme/payments", "path": "src/auth", "depth": 3}, {"repo": "payments", "file": ["*.proto"], "depth": 10} for all files of a kind, {"repo": "payments", "path": "src/auth", "outline": true} with the symbols of each file, {"repo": "payments", "revision": "v2.1.0", "path": "docs"}.',
  readOnly: true,
  isSearch: false,
  needsRepository: true,
  localOnly: false,
  redirect: { when: 'file', to: 'read_file' },
  example: { repo: 'owner/name', path: 'src' },
  input: z.object({
    ...targetParams,
    depth: z
      .int()
      .min(1)
      .max(50)
      .optional()
      .describe('Levels to go down. Default: 1, and 20 when file is given.'),
    file: fileFilterParam,
    outline: z
      .boolean()
      .default(false)
      .describe(`Also the top symbols of each file; at most ${OUTLINES_MAX} files in one answer.`),
    limit: z
      .int()
      .min(1)
      .max(ROWS_MAX)
      .default(ROWS_MAX)
      .describe('Most entries; the token budget usually cuts earlier.'),
    ...answerParams,
  }),
  output: z.object({
    ...targetShape,
    permalink: z.string().nullable(),
    entries: z.array(
      z.object({
        path: z.string(),
        kind: z.enum(['file', 'executable', 'symlink', 'submodule', 'directory']),
        sizeBytes: z.number().nullable(),
        oid: z.string(),
        outline: z
          .array(z.object({ name: z.string(), kind: z.string(), line: z.int() }))
          .optional()
          .describe('With outline, for files that have symbols.'),
      }),
    ),
  }),
  async run(context) {
    const { target, entry } = await requireEntry(context);
    const place = `${placeOf(target)}${commitNote(target)}`;
    if (entry.kind === 'submodule') return submodule(target, entry, place);
    const { depth, file, limit, outline } = context.input;
    const levels = depth ?? (file ? 20 : 1);
    const { entries, complete } = await entriesBelow(target, levels, context);
    const fits = globFilter(file);
    const found = file ? entries.filter(({ path, kind }) => kind !== 'directory' && fits(path)) : entries;
    const from = Number(context.after?.['from'] ?? 0);
    // A row costs two tokens at least, so more than this can never go out: their sizes need not be asked for.
    const most = Math.min(limit, Math.ceil(context.limits.tokens / 2));
    const page = pageFrom(found, from, most, outline);
    const [sizes, outlines] = await Promise.all([
      sizesOf(page, target, context),
      outline ? outlinesOf(page, target, context) : null,
    ]);
    const rows = page.map((child, index): Row => {
      const sizeBytes = sizes[index] ?? null;
      const path = context.content.shownPath(child);
      const symbols = outlines?.byPath.get(child.path) ?? [];
      return {
        text: [rowText({ ...child, path }, target.path, sizeBytes), ...outlineLines(symbols)].join('\n'),
        value: {
          path,
          kind: child.kind,
          sizeBytes,
          oid: child.oid,
          ...(symbols.length > 0 ? { outline: symbols.map(symbolValue) } : {}),
        },
        position: { from: from + index + 1 },
      };
    });
    return {
      head: `${place}  ${found.length}${complete ? '' : ' or more'} ${found.length === 1 && complete ? 'entry' : 'entries'}${levels > 1 ? `, ${levels} levels` : ''}:`,
      facts: { ...targetFacts(target), permalink: context.permalink(target, target.path, null) },
      rowsName: 'entries',
      rows,
      more: from + page.length < found.length || !complete,
      ...(complete ? { total: found.length } : {}),
      notes: [
        ...(complete ? [] : [`Stopped at ${ENTRIES_MAX} entries: list a deeper path.`]),
        ...(outlines?.notes ?? []),
      ],
      empty: file
        ? `No file below ${placeOf(target)} matches ${file.join(', ')}.`
        : 'The directory is empty.',
    };
  },
});

/** So many files are asked for their symbols in one answer; a cursor leads on. */
function pageFrom(
  found: readonly TreeEntry[],
  from: number,
  most: number,
  outline: boolean,
): readonly TreeEntry[] {
  const page = found.slice(from, from + most);
  if (!outline) return page;
  let files = 0;
  const end = page.findIndex(({ kind }) => isFile(kind) && ++files > OUTLINES_MAX);
  return end < 0 ? page : page.slice(0, end);
}

function isFile(kind: EntryKind): boolean {
  return kind === 'file' || kind === 'executable';
}

async function outlinesOf(
  page: readonly TreeEntry[],
  target: Target,
  { graph, visible, signal }: OperationContext<unknown>,
): Promise<{ byPath: ReadonlyMap<string, readonly GraphNode[]>; notes: readonly string[] }> {
  const byPath = new Map<string, readonly GraphNode[]>();
  if (!graph)
    return { byPath, notes: ["This server's search engine reads no symbols: there are no outlines."] };
  const { repository, revision } = target;
  const files = page.filter(({ kind }) => isFile(kind)).map(({ path }) => path);
  let pending = 0;
  let isIndexed = false;
  for (let at = 0; at < files.length; at += OUTLINES_AT_ONCE) {
    const some = files.slice(at, at + OUTLINES_AT_ONCE).map(async (path) => {
      const file = { repository, commit: revision.commit, path };
      const options = { symbolsMax: SYMBOLS_LOOKED_AT, makes: false, signal };
      const { symbols, missing } = await graph.outline(file, visible, options);
      if (missing === 'pending') pending++;
      if (missing !== 'no-file') isIndexed = true;
      const top = symbols.filter(({ container }) => !container.includes('.'));
      if (top.length > 0) byPath.set(path, top);
    });
    await Promise.all(some);
  }
  const notes = symbolGapNotes({ pending });
  if (files.length > 0 && !isIndexed)
    notes.push(
      'There are no outlines: the index has no such revision, or not yet. graph reads one with revision.',
    );
  return { byPath, notes };
}

/** Symbols of one file that are named. */
const SYMBOLS_MAX = 12;

function outlineLines(symbols: readonly GraphNode[]): string[] {
  if (symbols.length === 0) return [];
  const named = symbols.slice(0, SYMBOLS_MAX).map(({ name, symbolKind }) => `${symbolKind ?? ''} ${name}`);
  const more = symbols.length - named.length;
  return [`    ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}

function symbolValue({ name, symbolKind, place }: GraphNode) {
  return { name, kind: symbolKind ?? 'symbol', line: place?.line ?? 1 };
}

async function entriesBelow(target: Target, depthMax: number, context: OperationContext<unknown>) {
  const { content, signal } = context;
  const { mirror, revision, path } = target;
  if (depthMax === 1)
    return { entries: await content.list(mirror, revision.commit, path, { signal }), complete: true };
  return content.walk(mirror, revision.commit, path, { signal, depthMax, limit: ENTRIES_MAX });
}

async function sizesOf(entries: readonly TreeEntry[], target: Target, context: OperationContext<unknown>) {
  const sized = await target.mirror.sizes(
    entries.filter(({ kind }) => isFile(kind)).map(({ oid }) => oid),
    context,
  );
  let next = 0;
  return entries.map(({ kind }) => (isFile(kind) ? (sized[next++] ?? null) : null));
}

function rowText(entry: TreeEntry, base: string, sizeBytes: number | null): string {
  const path = base === '' ? entry.path : entry.path.slice(base.length + 1);
  switch (entry.kind) {
    case 'directory':
      return `${path}/`;
    case 'symlink':
      return `${path}  symlink`;
    case 'submodule':
      return `${path}  submodule at ${entry.oid.slice(0, 10)}`;
    case 'executable':
      return `${path}  ${sizeOf(sizeBytes)}  executable`;
    case 'file':
      return `${path}  ${sizeOf(sizeBytes)}`;
  }
}

function submodule(target: Target, entry: TreeEntry, place: string) {
  const text = `a submodule: another repository, at commit ${entry.oid}. Its files are read there: look for it with codesearch_repos.`;
  return {
    head: `${place} is ${text}`,
    facts: { ...targetFacts(target), permalink: null },
    rowsName: 'entries',
    rows: [],
    more: false,
    notes: [],
    empty: '',
  };
}
