import { z } from 'zod';
import type { EntryKind, TreeEntry } from '../../mirrors/index.ts';
import { operation } from '../operation.ts';
import { answerParams, fileFilterParam, targetParams, targetShape } from '../parameters.ts';
import type { OperationContext, Row, Target } from '../types.ts';
import { globFilter } from './glob-filter.ts';
import { commitNote, placeOf, sizeOf, targetFacts } from './place.ts';
import { requireEntry } from './require-entry.ts';

const ENTRIES_MAX = 20_000;
/** Rows that are made ready for one answer; the token budget takes far fewer, programs may want them all. */
const ROWS_MAX = 5000;

export const listDirectory = operation({
  name: 'list_directory',
  title: 'List a directory',
  description:
    'List a directory of any repository at any revision, without a checkout. Examples: {"repo": "payments"} for the root, {"repo": "acme/payments", "path": "src/auth", "depth": 3}, {"repo": "payments", "file": ["*.proto"], "depth": 10} for all files of a kind, {"repo": "payments", "revision": "v2.1.0", "path": "docs"}.',
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
      }),
    ),
  }),
  async run(context) {
    const { target, entry } = await requireEntry(context);
    const place = `${placeOf(target)}${commitNote(target)}`;
    if (entry.kind === 'submodule') return submodule(target, entry, place);
    const { depth, file, limit } = context.input;
    const levels = depth ?? (file ? 20 : 1);
    const { entries, complete } = await entriesBelow(target, levels, context);
    const fits = globFilter(file);
    const found = file ? entries.filter(({ path, kind }) => kind !== 'directory' && fits(path)) : entries;
    const from = Number(context.after?.['from'] ?? 0);
    // A row costs two tokens at least, so more than this can never go out: their sizes need not be asked for.
    const page = found.slice(from, from + Math.min(limit, Math.ceil(context.limits.tokens / 2)));
    const sizes = await sizesOf(page, target, context);
    const rows = page.map((child, index): Row => {
      const sizeBytes = sizes[index] ?? null;
      const path = context.content.shownPath(child);
      return {
        text: rowText({ ...child, path }, target.path, sizeBytes),
        value: { path, kind: child.kind, sizeBytes, oid: child.oid },
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
      notes: complete ? [] : [`Stopped at ${ENTRIES_MAX} entries: list a deeper path.`],
      empty: file
        ? `No file below ${placeOf(target)} matches ${file.join(', ')}.`
        : 'The directory is empty.',
    };
  },
});

async function entriesBelow(target: Target, depthMax: number, context: OperationContext<unknown>) {
  const { content, signal } = context;
  const { mirror, revision, path } = target;
  if (depthMax === 1)
    return { entries: await content.list(mirror, revision.commit, path, { signal }), complete: true };
  return content.walk(mirror, revision.commit, path, { signal, depthMax, limit: ENTRIES_MAX });
}

async function sizesOf(entries: readonly TreeEntry[], target: Target, context: OperationContext<unknown>) {
  const hasSize = (kind: EntryKind) => kind === 'file' || kind === 'executable';
  const sized = await target.mirror.sizes(
    entries.filter(({ kind }) => hasSize(kind)).map(({ oid }) => oid),
    context,
  );
  let next = 0;
  return entries.map(({ kind }) => (hasSize(kind) ? (sized[next++] ?? null) : null));
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
