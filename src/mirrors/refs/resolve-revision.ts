import {
  defaultBranchMissing,
  emptyRepository,
  type KnownBranches,
  refNotFound,
  revisionSyntax,
} from '../errors.ts';
import type { ObjectStore, ReadRepository } from '../objects/object-store.ts';
import type { Ref, ResolvedRevision } from '../types.ts';
import type { Reachability } from './reachability.ts';
import { isRefName, refCandidates, shortRefName } from './ref-name.ts';
import type { RefsSnapshot } from './refs-view.ts';

export interface RevisionContext {
  repository: ReadRepository;
  snapshot: RefsSnapshot;
  signal: AbortSignal;
}

export interface Revisions {
  /** `undefined` and `HEAD` are the default branch. */
  resolve(revision: string | undefined, context: RevisionContext): Promise<ResolvedRevision>;
  /** Branches and tags that lead to a commit. */
  refs(context: RevisionContext): Promise<Ref[]>;
}

export function createRevisions(deps: { objects: ObjectStore; reachability: Reachability }): Revisions {
  const { objects, reachability } = deps;
  /** Of many thousands the list costs more than a call may. */
  const listed = new WeakMap<RefsSnapshot, Ref[]>();

  return {
    async resolve(revision, context) {
      if (revision === undefined || revision === 'HEAD' || revision === '@') return resolveDefault(context);
      const { repository, snapshot } = context;
      if (isEmpty(snapshot)) throw emptyRepository(repository);
      if (!isRefName(revision)) {
        throw revisionSyntax(repository.name, revision, defaultBranchOf(snapshot));
      }
      const isWholeId = revision.length === 40 || revision.length === 64;
      const found =
        (isWholeId ? await resolveHex(revision, context) : null) ??
        (await resolveRef(revision, context)) ??
        (isWholeId ? null : await resolveHex(revision, context));
      if (found === null) throw refNotFound(repository.name, revision, knownBranches(snapshot));
      return found;
    },

    async refs(context) {
      const { snapshot } = context;
      const known = listed.get(snapshot);
      if (known) return known.slice();
      const wanted = [...snapshot.refs.keys()].filter((full) => /^refs\/(?:heads|tags)\//.test(full));
      const commits = await Promise.all(wanted.map((full) => peel(full, context)));
      const found = wanted.flatMap((full, index) => {
        const commit = commits[index];
        return commit ? [{ name: shortRefName(full), kind: kindOf(full), commit }] : [];
      });
      listed.set(snapshot, found);
      return found.slice();
    },
  };

  async function resolveDefault(context: RevisionContext): Promise<ResolvedRevision> {
    const { repository, snapshot } = context;
    const branch = defaultRefOf(snapshot);
    if (branch !== null) {
      const commit = await peel(branch, context);
      if (commit !== null) return { commit, revision: shortRefName(branch), kind: 'branch', isDefault: true };
    }
    const { headCommit } = snapshot;
    if (snapshot.headBranch === null && headCommit !== null) {
      return { commit: headCommit, revision: headCommit, kind: 'commit', isDefault: true };
    }
    if (isEmpty(snapshot)) throw emptyRepository(repository);
    const head = shortRefName(snapshot.headBranch ?? 'HEAD');
    throw defaultBranchMissing(repository.name, head, knownBranches(snapshot));
  }

  async function resolveRef(name: string, context: RevisionContext): Promise<ResolvedRevision | null> {
    const { snapshot } = context;
    const full = refCandidates(name).find((candidate) => snapshot.refs.has(candidate));
    if (full === undefined) return null;
    const commit = await peel(full, context);
    if (commit === null) return null;
    return {
      commit,
      revision: shortRefName(full),
      kind: kindOf(full),
      isDefault: full === defaultRefOf(snapshot),
    };
  }

  async function resolveHex(text: string, context: RevisionContext): Promise<ResolvedRevision | null> {
    const { repository, snapshot, signal } = context;
    const commit = await objects.commitOfHex(repository, text.toLowerCase());
    if (commit === null || !(await reachability.isReachable(repository, commit, snapshot, signal)))
      return null;
    return { commit, revision: commit, kind: 'commit', isDefault: false };
  }

  /** The commit behind tags of any depth; null for a tag of something else and for a broken reference. */
  async function peel(full: string, { repository, snapshot }: RevisionContext): Promise<string | null> {
    const oid = snapshot.refs.get(full);
    if (oid === undefined) return null;
    const known = snapshot.peeled.get(oid);
    if (known !== undefined) return known;
    const commit = await objects.commitOfHex(repository, oid);
    snapshot.peeled.set(oid, commit);
    return commit;
  }
}

export function isEmpty(snapshot: RefsSnapshot): boolean {
  return snapshot.refs.size === 0 && snapshot.headCommit === null;
}

/** Short name of the branch that stands for the repository, or null. */
export function defaultBranchOf(snapshot: RefsSnapshot): string | null {
  const full = defaultRefOf(snapshot);
  return full === null ? null : shortRefName(full);
}

function defaultRefOf({ headBranch, headCommit, refs }: RefsSnapshot): string | null {
  if (headBranch !== null && refs.has(headBranch)) return headBranch;
  // A detached HEAD is meant; a HEAD that names a missing branch is an accident that has a likely repair.
  if (headCommit !== null) return null;
  for (const usual of ['refs/heads/main', 'refs/heads/master']) if (refs.has(usual)) return usual;
  const branches = [...refs.keys()].filter((full) => full.startsWith('refs/heads/'));
  return branches.length === 1 ? branches[0]! : null;
}

function knownBranches(snapshot: RefsSnapshot): KnownBranches {
  const branches = [...snapshot.refs.keys()].filter((full) => full.startsWith('refs/heads/'));
  const some = branches.length > 0 ? branches : [...snapshot.refs.keys()];
  return { defaultBranch: defaultBranchOf(snapshot), branches: some.slice(0, 5).map(shortRefName) };
}

function kindOf(full: string): Ref['kind'] {
  return full.startsWith('refs/tags/') ? 'tag' : 'branch';
}
