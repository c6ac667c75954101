export type {
  Indexing,
  IndexingOptions,
  IndexingProgress,
  RepositoryIndexState,
  RepositoryIndexStatus,
} from './types.ts';
