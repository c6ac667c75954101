import { PeriscopeError } from '../../base/errors.ts';
import { withDeadline } from '../../base/with-deadline.ts';
import type { Repository } from '../../catalog/index.ts';
import type { DecodedCommit } from '../../content/index.ts';
import { dayOf, shortCommit } from '../tools/place.ts';
import type { OperationContext, OperationResult, Row } from '../types.ts';
import type { PreparedSearch } from './code-finder.ts';
import { commitFilter, pickaxeOf } from './commit-query.ts';
import { repositoryFilter } from './repository-filter.ts';
import { countSaid } from './search-words.ts';

/** History is in no index: git walks it, so an answer looks into so many repositories and so many of the newest commits of each. */
const REPOSITORIES_MAX = 20;
const REPOSITORIES_AT_ONCE = 4;
const COMMITS_MAX = 2000;
const SHOWN_OF_EACH = 30;

type Context = Pick<OperationContext<unknown>, 'content' | 'mirrorOf' | 'signal' | 'limits' | 'after'>;

interface Look {
  repositories: readonly Repository[];
  found: Map<number, readonly DecodedCommit[]>;
  /** There are more commits in these, or may be. */
  cut: boolean;
  failed: Repository[];
  looked: number;
  late: boolean;
}

/** `type:commit` over messages, `type:diff` over what commits added or removed. */
export async function searchCommits(
  prepared: PreparedSearch,
  context: Context,
  nameOf: (repositoryId: number) => string,
): Promise<OperationResult> {
  const from = Number(context.after?.['repositories'] ?? 0);
  const skip = Number(context.after?.['skip'] ?? 0);
  const repositories = prepared.repositories.filter(repositoryFilter(prepared.parsed.root));
  const page = repositories.slice(from, from + REPOSITORIES_MAX);
  const to = from + page.length;
  const look = await lookInto(page, prepared, context);
  const all = page.flatMap((repository) =>
    (look.found.get(repository.id) ?? []).map((commit) => ({ repository, commit })),
  );
  const more = to < repositories.length;
  const rows = all.slice(skip).map(({ repository, commit }, index): Row => {
    const isLast = skip + index + 1 === all.length;
    return {
      heading: nameOf(repository.id),
      text: `${shortCommit(commit.commit)}  ${dayOf(commit.committedMs)}  ${commit.authorName}  ${commit.subject}`,
      value: commitValue(nameOf(repository.id), commit),
      position:
        isLast && more ? { repositories: to, skip: 0 } : { repositories: from, skip: skip + index + 1 },
      place: `${repository.id}:${commit.commit}`,
    };
  });
  const isWhole = !more && from === 0 && !look.late && look.failed.length === 0;
  const exact = isWhole && !look.cut;
  return {
    head: `${countSaid({ count: all.length, exact }, 'commit')} in ${look.found.size} of ${look.looked} repositories for ${prepared.reading}`,
    facts: { reading: prepared.reading, output: 'commits', repositoriesSearched: look.looked },
    rowsName: 'commits',
    rows,
    more,
    notes: [...prepared.notes, ...notesOf(look, prepared, { total: repositories.length, isWhole, nameOf })],
    empty: isWhole
      ? 'No commit fits. Leave out author, before or after, or try another word.'
      : 'Nothing in what was looked into.',
    repositories: page,
  };
}

async function lookInto(
  repositories: readonly Repository[],
  prepared: PreparedSearch,
  context: Context,
): Promise<Look> {
  const { parsed, revisions } = prepared;
  const isDiff = parsed.target === 'diff';
  const pickaxe = isDiff ? pickaxeOf(parsed.root) : null;
  const fits = isDiff ? null : commitFilter(parsed.root);
  const limit = isDiff ? SHOWN_OF_EACH : COMMITS_MAX;
  const look: Look = { repositories, found: new Map(), cut: false, failed: [], looked: 0, late: false };

  const lookAt = async (repository: Repository, signal: AbortSignal) => {
    try {
      const mirror = context.mirrorOf(repository);
      const { commit } = await mirror.resolve(revisions.get(repository.id)?.shown, { signal });
      const query = {
        commit,
        path: '',
        ...(pickaxe === null ? {} : { pickaxe }),
        ...(parsed.author === null ? {} : { authorContains: parsed.author }),
        ...(parsed.sinceMs === null ? {} : { sinceMs: parsed.sinceMs }),
        ...(parsed.untilMs === null ? {} : { untilMs: parsed.untilMs }),
        skip: 0,
        limit,
        followRenames: false,
      };
      const commits = await context.content.history(mirror, query, { signal });
      const fitting = fits ? commits.filter(fits) : commits;
      if (commits.length === limit || fitting.length > SHOWN_OF_EACH) look.cut = true;
      if (fitting.length > 0) look.found.set(repository.id, fitting.slice(0, SHOWN_OF_EACH));
      look.looked++;
    } catch (fault) {
      if (signal.aborted) throw fault;
      // An empty repository has no commits; another's fault must not hide what the others have.
      if (fault instanceof PeriscopeError && fault.kind === 'ref-not-found') look.looked++;
      else look.failed.push(repository);
    }
  };
  await withDeadline(context.signal, context.limits.scanTimeMs, async (signal, expired) => {
    try {
      for (let at = 0; at < repositories.length; at += REPOSITORIES_AT_ONCE)
        await Promise.all(
          repositories.slice(at, at + REPOSITORIES_AT_ONCE).map((one) => lookAt(one, signal)),
        );
    } catch (fault) {
      // What was found until then is an answer.
      if (!expired()) throw fault;
      look.late = true;
    }
  });
  return look;
}

function notesOf(
  { looked, late, failed, cut }: Look,
  { parsed }: PreparedSearch,
  { total, isWhole, nameOf }: { total: number; isWhole: boolean; nameOf(id: number): string },
): string[] {
  const notes: string[] = [];
  if (!isWhole)
    notes.push(
      `History is walked, not indexed: ${looked} of ${total} repositories were looked into for this answer${late ? ', then time was over' : ''}. Name some with repo.`,
    );
  if (failed.length > 0)
    notes.push(`Could not be looked into: ${failed.map(({ id }) => nameOf(id)).join(', ')}.`);
  if (cut && parsed.target === 'diff')
    notes.push(
      `Of some repositories only the newest ${SHOWN_OF_EACH} commits are here: history with contains has the others.`,
    );
  if (cut && parsed.target === 'commit')
    notes.push(
      `Of some repositories only the newest ${COMMITS_MAX} commits were looked at, and ${SHOWN_OF_EACH} are here: history has the others.`,
    );
  if (parsed.target === 'diff') notes.push('The text of type:diff is matched in exact letter case.');
  return notes;
}

function commitValue(repository: string, commit: DecodedCommit) {
  const { commit: id, authorName, authorEmail, authoredMs, committedMs, subject } = commit;
  return { repository, commit: id, authorName, authorEmail, authoredMs, committedMs, subject };
}
