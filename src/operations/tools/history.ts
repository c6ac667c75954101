import { z } from 'zod';
import { invalidRequest } from '../../base/errors.ts';
import { nullWhenMissing } from '../addressing/locate.ts';
import { operation } from '../operation.ts';
import { answerParams, revisionParam, targetParams, targetShape } from '../parameters.ts';
import { shortened } from '../shortened.ts';
import type { OperationContext, OperationResult, Row } from '../types.ts';
import { codeOwnersPaths, ownersOf, parseCodeOwners } from './code-owners.ts';
import { commitNote, dayOf, placeOf, shortCommit, targetFacts } from './place.ts';
import { requireEntry, requireTarget } from './require-entry.ts';

const kinds = ['commits', 'diff', 'blame', 'owners'] as const;
const PATCH_BYTES_MAX = 1_000_000;
const BLAME_LINES_MAX = 1000;
/** Of a commit's message, in characters: some hold whole logs. */
const BODY_MAX = 4000;
const FILES_MAX = 300;

const input = z.object({
  ...targetParams,
  kind: z
    .enum(kinds)
    .default('commits')
    .describe(
      'commits: who changed it and when. diff: what one commit changed. blame: the commit of each line. owners: by CODEOWNERS.',
    ),
  revision: revisionParam.describe(
    'Branch, tag or commit to start from; for kind diff, the commit to show. Default: the default branch.',
  ),
  offset: z
    .int()
    .min(1)
    .optional()
    .describe('First line of the range, for blame and for commits of a line range.'),
  limit: z
    .int()
    .min(1)
    .max(BLAME_LINES_MAX)
    .default(30)
    .describe('Commits, or lines for blame and for a line range.'),
  contains: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('Only commits that add or remove this literal text.'),
  author: z.string().max(200).optional().describe('Only commits whose author name or mail holds this.'),
  since: z
    .string()
    .max(40)
    .optional()
    .describe('Only commits at or after this date, for example 2026-01-31.'),
  until: z.string().max(40).optional().describe('Only commits before or at this date.'),
  against: z
    .string()
    .max(500)
    .optional()
    .describe('For kind diff: compare with this revision instead of the first parent.'),
  ...answerParams,
});

type Input = z.output<typeof input>;
type Context = OperationContext<Input>;

export const history = operation({
  name: 'history',
  title: 'History of a repository, file or line range',
  description:
    'Who changed what, when and why, in any repository. Examples: {"repo": "payments", "path": "src/auth/token.ts"} for its commits, {"repo": "payments", "kind": "diff", "revision": "a1b2c3d"} for what a commit changed, {"repo": "payments", "path": "src/a.ts", "kind": "blame", "offset": 10, "limit": 20}, {"repo": "payments", "contains": "retryLimit"} for the commits that added or removed a text, {"repo": "payments", "path": "src/a.ts", "kind": "owners"}.',
  readOnly: true,
  isSearch: false,
  needsRepository: true,
  localOnly: false,
  example: { repo: 'owner/name', path: 'src/main.ts' },
  input,
  output: z.object({
    ...targetShape,
    kind: z.enum(kinds),
    rows: z.array(z.union([z.string(), z.record(z.string(), z.unknown())])),
  }),
  async run(context) {
    switch (context.input.kind) {
      case 'commits':
        return commits(context);
      case 'diff':
        return diff(context);
      case 'blame':
        return blame(context);
      case 'owners':
        return owners(context);
    }
  },
});

async function commits(context: Context): Promise<OperationResult> {
  const target = requireTarget(context);
  const { contains, author, since, until, offset, limit } = context.input;
  const skip = Number(context.after?.['skip'] ?? 0);
  const lines = offset !== undefined ? { start: offset, end: offset + limit - 1 } : target.lines;
  const count = lines && offset !== undefined ? 30 : limit;
  const found = await context.content.history(
    target.mirror,
    {
      commit: target.revision.commit,
      path: target.path,
      ...(lines ? { lines } : {}),
      ...(contains ? { pickaxe: contains } : {}),
      ...(author ? { authorContains: author } : {}),
      ...(since ? { sinceMs: dateOf(since, 'since') } : {}),
      ...(until ? { untilMs: dateOf(until, 'until') + DAY_MS - 1 } : {}),
      skip,
      limit: count + 1,
      followRenames: target.entry !== null && target.entry.kind !== 'directory',
    },
    context,
  );
  const rows = found.slice(0, count).map(
    (commit, index): Row => ({
      text: `${shortCommit(commit.commit)}  ${daysOf(commit)}  ${commit.authorName} <${commit.authorEmail}>  ${commit.subject}`,
      value: {
        commit: commit.commit,
        parents: commit.parents,
        authorName: commit.authorName,
        authorEmail: commit.authorEmail,
        authoredMs: commit.authoredMs,
        committedMs: commit.committedMs,
        subject: commit.subject,
        body: shortened(commit.body, BODY_MAX),
      },
      position: { skip: skip + index + 1 },
      place: `${target.repository.id}:${commit.commit}`,
    }),
  );
  const filters = [
    contains && `adding or removing "${contains}"`,
    author && `by ${author}`,
    since && `since ${since}`,
    until && `until ${until}`,
  ];
  const said = filters.filter(Boolean).join(', ');
  const range = lines ? `, lines ${lines.start}-${lines.end}` : '';
  return answer(
    context,
    `Commits of ${placeOf(target)}${commitNote(target)}${range}${said ? `, ${said}` : ''}:`,
    rows,
    {
      more: found.length > count,
      empty: target.entry
        ? 'No commit fits. Widen the dates or leave a filter out.'
        : `Nothing was ever at "${target.path}". Call list_directory to see what is there.`,
    },
  );
}

async function diff(context: Context): Promise<OperationResult> {
  const target = requireTarget(context);
  const { commit } = target.revision;
  const against = context.input.against
    ? (await target.mirror.resolve(context.input.against, context)).commit
    : undefined;
  const [log] = await context.content.history(
    target.mirror,
    { commit, path: '', skip: 0, limit: 1, followRenames: false },
    context,
  );
  const found = await context.content.diff(
    target.mirror,
    {
      commit,
      ...(against ? { against } : {}),
      path: target.path,
      contextLines: 3,
      bytesMax: PATCH_BYTES_MAX,
    },
    context,
  );
  const from = Number(context.after?.['line'] ?? 0);
  const lines = found.patch.split('\n');
  if (lines.at(-1) === '') lines.pop();
  // A row costs a token at least, so more than these can never go out.
  const page = lines.slice(from, from + context.limits.tokens);
  const rows = page.map(
    (line, index): Row => ({ text: line, value: line, position: { line: from + index + 1 } }),
  );
  const files = found.files.map(
    ({ path, status, added, removed }) => `${status} ${path} +${added ?? '?'} -${removed ?? '?'}`,
  );
  const said = log
    ? `${shortCommit(commit)}  ${dayOf(log.authoredMs)}  ${log.authorName}  ${log.subject}`
    : shortCommit(commit);
  const head =
    from > 0
      ? `${target.repository.name} ${shortCommit(commit)}, diff from line ${from + 1}:`
      : [
          `${target.repository.name}  ${said}${against ? `  against ${shortCommit(against)}` : ''}`,
          ...(log?.body ? [shortened(log.body.trimEnd(), BODY_MAX)] : []),
          ...files.slice(0, 40),
          ...(files.length > 40 ? [`and ${files.length - 40} more files`] : []),
        ].join('\n');
  const notes = found.truncated
    ? [`The diff was cut at ${PATCH_BYTES_MAX} bytes: ask with a path for one part of it.`]
    : [];
  return answer(context, head, rows, {
    more: from + page.length < lines.length,
    total: lines.length,
    empty: 'No change here.',
    notes,
    facts: { files: found.files.slice(0, FILES_MAX), filesChanged: found.files.length },
  });
}

async function blame(context: Context): Promise<OperationResult> {
  const { target } = await requireEntry(context);
  const start = Number(context.after?.['line'] ?? context.input.offset ?? target.lines?.start ?? 1);
  const end = Number(context.after?.['until'] ?? start + context.input.limit - 1);
  const { commit } = target.revision;
  const document = await context.content.open(target.mirror, commit, target.path, context);
  if (document.kind !== 'text') {
    throw invalidRequest(
      'operations/not-text',
      `"${target.path}" is no text file: its lines have no authors.`,
      'Call history with kind commits.',
    );
  }
  const [blamed, texts] = [
    await context.content.blame(target.mirror, { commit, path: target.path, start, end }, context),
    document.lines(start, end - start + 1, 400).lines,
  ];
  const rows = blamed.map(
    (line): Row => ({
      text: `${shortCommit(line.commit)}  ${dayOf(line.authoredMs)}  ${line.authorName}  ${line.line}\t${texts[line.line - start] ?? ''}`,
      value: { ...line, text: texts[line.line - start] ?? '' },
      position: { line: line.line + 1, until: end },
    }),
  );
  const head = `Blame of ${placeOf(target)}${commitNote(target)}, lines ${start}-${start + Math.max(0, rows.length - 1)}:`;
  return answer(context, head, rows, { more: false, empty: `The file ends before line ${start}.` });
}

async function owners(context: Context): Promise<OperationResult> {
  const target = requireTarget(context);
  const { mirror, revision, path } = target;
  for (const file of codeOwnersPaths) {
    const document = await context.content
      .open(mirror, revision.commit, file, context)
      .catch(nullWhenMissing);
    const text = document?.kind === 'text' ? document.text() : null;
    if (!text) continue;
    const rule = ownersOf(parseCodeOwners(text.toString('utf8')), path);
    const rows = (rule?.owners ?? []).map((owner): Row => ({ text: owner, value: owner, position: {} }));
    const by = rule ? `line ${rule.line}, "${rule.pattern}"` : 'no rule';
    return answer(context, `Owners of ${placeOf(target)} by ${file} (${by}):`, rows, {
      more: false,
      empty: 'No one is named as owner. Call history with kind commits to see who changed it.',
    });
  }
  return answer(context, `Owners of ${placeOf(target)}:`, [], {
    more: false,
    empty: 'The repository has no CODEOWNERS file. Call history with kind commits to see who changed it.',
  });
}

function answer(
  context: Context,
  head: string,
  rows: readonly Row[],
  rest: {
    more: boolean;
    total?: number;
    empty: string;
    notes?: readonly string[];
    facts?: Record<string, unknown>;
  },
): OperationResult {
  return {
    head,
    facts: { ...targetFacts(requireTarget(context)), kind: context.input.kind, ...rest.facts },
    rowsName: 'rows',
    rows,
    more: rest.more,
    ...(rest.total === undefined ? {} : { total: rest.total }),
    notes: rest.notes ?? [],
    empty: rest.empty,
  };
}

/** The day of writing, and that of committing when it is another: the dates asked for mean the latter. */
function daysOf({ authoredMs, committedMs }: { authoredMs: number; committedMs: number }): string {
  const [authored, committed] = [dayOf(authoredMs), dayOf(committedMs)];
  return authored === committed ? authored : `${authored} (committed ${committed})`;
}

const YEAR_9999_MS = Date.UTC(9999, 0);
const DAY_MS = 24 * 60 * 60 * 1000;

function dateOf(text: string, parameter: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms) || Math.abs(ms) > YEAR_9999_MS) {
    throw invalidRequest(
      'operations/bad-date',
      `${parameter} "${text}" is no date.`,
      'Write it as 2026-01-31.',
    );
  }
  return ms;
}
