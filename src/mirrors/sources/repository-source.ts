import type { ReadRepository } from '../objects/object-store.ts';

/** A repository that is there to be read. */
export interface PresentRepository extends ReadRepository {
  /** What `--git-dir` names: a bare mirror, a `.git` folder, or a linked worktree's. */
  readonly gitDir: string;
  /** Where references and config are. */
  readonly commonDir: string;
  /** Fails when references lie where they must not; asked before each listing. */
  checkRefs?(): Promise<void>;
}

export interface SourceState {
  fetchedMs: number | null;
  problem: string | null;
  sizeBytes: number | null;
}

/** Where a repository's bytes come from: a folder in place, or a mirror of a remote. */
export interface RepositorySource {
  /**
   * Runs `work` on the repository, which is not evicted meanwhile. `present` is enough for reading by object id; `fresh` asks the
   * remote when its time has come; `now` asks it in any case.
   */
  use<T>(
    need: 'present' | 'fresh' | 'now',
    signal: AbortSignal,
    work: (repository: PresentRepository) => Promise<T>,
  ): Promise<T>;
  /** Runs `work` on what is there without asking any remote; null when nothing is there yet. */
  peek<T>(signal: AbortSignal, work: (repository: PresentRepository) => Promise<T>): Promise<T | null>;
  state(): SourceState;
}
