import { cancelled, PeriscopeError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { abortable } from './abortable.ts';
import { blameOfNoFile, notADirectory } from './errors.ts';
import type { FaultLog } from './fault-log.ts';
import { commitDiff } from './history/commit-diff.ts';
import { commitHistory } from './history/commit-history.ts';
import type { HistoryDeps } from './history/history-command.ts';
import { lineBlame } from './history/line-blame.ts';
import type { BulkReading } from './objects/bulk-reading.ts';
import { onlyWriterOf } from './objects/object-owner.ts';
import type { ObjectStore } from './objects/object-store.ts';
import type { TreeReading } from './objects/tree-reading.ts';
import type { RefsView, RefsViews } from './refs/refs-view.ts';
import { defaultBranchOf, isEmpty, type Revisions } from './refs/resolve-revision.ts';
import type { FolderSource } from './sources/folder-source.ts';
import type { PresentRepository, RepositorySource } from './sources/repository-source.ts';
import type { BulkBlob, Mirror, MirrorState, MirrorSubject, ReadOptions } from './types.ts';
import type { Worktrees } from './worktrees/materialise.ts';
import type { UncommittedCounts } from './worktrees/uncommitted-changes.ts';

export interface MirrorDeps {
  objects: ObjectStore;
  bulk: BulkReading;
  trees: TreeReading;
  refsViews: RefsViews;
  revisions: Revisions;
  worktrees: Worktrees;
  uncommitted: UncommittedCounts;
  history: HistoryDeps;
  faults: FaultLog;
  logger: Logger;
}

export type SubjectSource =
  | { kind: 'folder'; source: FolderSource; workTree: string | null; root: string }
  | { kind: 'remote'; source: RepositorySource };

/** One repository: its source makes it present, the shared services read it. */
export function createMirror(subject: MirrorSubject, from: SubjectSource, deps: MirrorDeps): Mirror {
  const source: RepositorySource = from.source;
  const { objects, trees, revisions, faults } = deps;
  let view: { key: string; refs: RefsView } | null = null;

  function refsOf(repository: PresentRepository): RefsView {
    const { key } = repository.objects;
    if (view?.key !== key) {
      view = { key, refs: deps.refsViews.open({ ...repository, key }) };
    }
    return view.refs;
  }

  /** The one place where a caller stops waiting; what was begun ends by itself. */
  function read<T>(
    need: 'present' | 'fresh' | 'now',
    { signal }: ReadOptions,
    work: (repository: PresentRepository) => Promise<T>,
  ): Promise<T> {
    if (signal.aborted) return Promise.reject(cancelled(signal.reason));
    return abortable(used(need, signal, work), signal);
  }

  function used<T>(
    need: 'present' | 'fresh' | 'now',
    signal: AbortSignal,
    work: (repository: PresentRepository) => Promise<T>,
  ): Promise<T> {
    if (from.kind === 'folder') return faults.watching(subject.name, source.use(need, signal, work));
    // A remote that cannot be fetched is told of where it is fetched.
    return source.use(need, signal, (repository) => faults.watching(subject.name, work(repository)));
  }

  async function stateOf(repository: PresentRepository, signal: AbortSignal): Promise<MirrorState> {
    const snapshot = await refsOf(repository).current(signal);
    return {
      ...source.state(),
      defaultBranch: defaultBranchOf(snapshot),
      empty: isEmpty(snapshot),
      generation: snapshot.generation,
    };
  }

  return {
    state: (options) => read('fresh', options, (repository) => stateOf(repository, options.signal)),
    async peek({ signal }) {
      const unknown = {
        ...source.state(),
        defaultBranch: null,
        empty: false,
        generation: 0,
        lastCommit: null,
      };
      try {
        const looking = source.peek(signal, async (repository) => {
          const state = await stateOf(repository, signal);
          return { ...state, lastCommit: await lastCommitOf(repository, signal) };
        });
        const seen = await faults.watching(subject.name, looking);
        return seen ?? { ...unknown, ...source.state() };
      } catch (error) {
        if (signal.aborted || !(error instanceof PeriscopeError)) throw error;
        // One repository that cannot be read is a remark in a list and not its end.
        return { ...unknown, problem: `${error.message} ${error.next}` };
      }
    },
    refresh: (options) => read('now', options, (repository) => stateOf(repository, options.signal)),
    resolve: (revision, options) =>
      read('fresh', options, async (repository) => {
        const { signal } = options;
        const snapshot = await refsOf(repository).current(signal);
        return revisions.resolve(revision, { repository, snapshot, signal });
      }),
    refs: (options) =>
      read('fresh', options, async (repository) => {
        const { signal } = options;
        const snapshot = await refsOf(repository).current(signal);
        return revisions.refs({ repository, snapshot, signal });
      }),
    commit: (commit, options) => read('present', options, (repository) => objects.commit(repository, commit)),
    entry: (commit, path, options) =>
      read('present', options, (repository) => trees.entry({ repository, commit, path })),
    list: (commit, path, options) =>
      read('present', options, (repository) => trees.list({ repository, commit, path })),
    walk: (commit, path, options) =>
      read('present', options, (repository) => trees.walk({ repository, commit, path }, options)),
    sizes: (oids, options) => read('present', options, (repository) => objects.sizes(repository, oids)),
    holdsAll: (oids, options) =>
      read('present', options, (repository) => deps.bulk.holdsAll(repository, oids, options.signal)),
    blob: (oid, options) =>
      read('present', options, (repository) =>
        objects.blob(repository, oid, options.bytesMax, options.signal),
      ),
    blobRange: (oid, range, options) =>
      read('present', options, (repository) => objects.blobRange(repository, oid, range, options.signal)),
    blobs: (oids, options) => blobsOf(oids, options),
    objectsBy: (options) =>
      read('present', options, async ({ place, objects }) =>
        place === 'mirror' ? 'mirror' : onlyWriterOf(objects.objectDirectory),
      ),
    history: (query, options) =>
      read('present', options, async (repository) => {
        const { signal } = options;
        if (query.lines) await checkFile(repository, query.commit, query.path);
        return commitHistory(repository, query, signal, { ...deps.history, objects });
      }),
    diff: (query, options) =>
      read('present', options, (repository) =>
        commitDiff(repository, query, options.signal, { ...deps.history, objects }),
      ),
    blame: (query, options) =>
      read('present', options, async (repository) => {
        await checkFile(repository, query.commit, query.path);
        return lineBlame(repository, query, options.signal, deps.history);
      }),
    // Not through read(): a directory that is done at the moment of leaving would never be released.
    materialise: (commit, path, options) =>
      used('present', options.signal, async (repository) => {
        const found = await trees.entry({ repository, commit, path });
        if (found.kind !== 'directory') throw notADirectory(subject.name, found.path, found.kind, '');
        return deps.worktrees.materialise(repository, found, { ...options, owner: subject.id });
      }),
    keepDirectories: (viewKey) => deps.worktrees.keepOnly(subject.id, viewKey),
    async uncommittedChanges({ signal }) {
      if (from.kind === 'remote' || from.workTree === null) return null;
      const { workTree, root } = from;
      return from.source.use('fresh', signal, async (repository) => {
        const snapshot = await refsOf(repository).current(signal);
        const { headBranch, headCommit, refs } = snapshot;
        const commit = headBranch === null ? headCommit : (refs.get(headBranch) ?? null);
        try {
          const changedFiles = await deps.uncommitted.count({ repository, workTree, root, commit }, signal);
          if (changedFiles === 0) return null;
          const branch = headBranch?.replace('refs/heads/', '') ?? headCommit?.slice(0, 12) ?? 'HEAD';
          return { branch, changedFiles };
        } catch (error) {
          if (signal.aborted) throw error;
          // A courtesy to the reader: a work tree that cannot be compared must not keep its commit from being read.
          const code = error instanceof PeriscopeError ? error.code : undefined;
          deps.logger.warn('a work tree could not be compared with its commit', {
            repository: subject.name,
            code,
          });
          return null;
        }
      });
    },
  };

  async function* blobsOf(
    oids: readonly string[],
    options: ReadOptions & { bytesMax: number },
  ): AsyncGenerator<BulkBlob> {
    // In use until the last one is taken, or nobody wants more.
    let done = () => {};
    const untilDone = new Promise<void>((resolve) => {
      done = resolve;
    });
    const repository = await new Promise<PresentRepository>((resolve, reject) => {
      used('present', options.signal, async (present) => {
        resolve(present);
        await untilDone;
      }).catch(reject);
    });
    try {
      yield* deps.bulk.blobs(repository, oids, options);
    } finally {
      done();
    }
  }

  async function lastCommitOf(repository: PresentRepository, signal: AbortSignal) {
    const snapshot = await refsOf(repository).current(signal);
    const branch = defaultBranchOf(snapshot);
    if (branch === null && snapshot.headCommit === null) return null;
    const { commit } = await revisions.resolve(undefined, { repository, snapshot, signal });
    const { committedMs } = await objects.commit(repository, commit);
    return { commit, committedMs };
  }

  async function checkFile(repository: PresentRepository, commit: string, path: string) {
    const found = await trees.entry({ repository, commit, path });
    if (found.kind !== 'file' && found.kind !== 'executable' && found.kind !== 'symlink')
      throw blameOfNoFile();
  }
}
