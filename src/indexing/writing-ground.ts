import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Catalog, Repository } from '../catalog/index.ts';
import type { ContentPolicies } from '../content/index.ts';
import type { RevisionEntry } from '../search/index.ts';
import type { BuildThreads } from './build-threads.ts';
import type { IndexCounters } from './counters.ts';
import type { IndexSession } from './index-session.ts';
import type { PublishedRevisions } from './published-revisions.ts';
import type { RepositoryRecords } from './repository-records.ts';
import type { Turns } from './turns.ts';
import type { IndexingOptions } from './types.ts';

/** What every part of the one writer works with. */
export interface WritingGround {
  options: IndexingOptions;
  session: IndexSession;
  catalog: Catalog;
  policies: ContentPolicies;
  clock: Clock;
  logger: Logger;
  counters: IndexCounters;
  records: RepositoryRecords;
  revisions: PublishedRevisions;
  threads: BuildThreads;
  turns: Turns;
  /** Aborted when the lease is lost. */
  signal: AbortSignal;
  /** Branches that are kept beside the default branch; null for none. */
  isKept: ((branch: string) => boolean) | null;
}

export function entriesOf({ session, revisions }: WritingGround, id: number): readonly RevisionEntry[] {
  return revisions.of(session.writer.state(), id);
}

export function repositoryOf({ catalog }: WritingGround, id: number): Repository | undefined {
  return catalog.repositories().find((repository) => repository.id === id);
}
