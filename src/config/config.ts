import type { DataFolderLayout } from './data-folder.ts';
import type { AccessConfig } from './parts/access-part.ts';
import type { AuditConfig } from './parts/audit-part.ts';
import type { CatalogConfig } from './parts/catalog-part.ts';
import type { ContentConfig } from './parts/content-part.ts';
import type { EmbeddingConfig } from './parts/embedding-part.ts';
import type { HostConfig } from './parts/hosts-part.ts';
import type { HttpConfig } from './parts/http-part.ts';
import type { IndexConfig } from './parts/index-part.ts';
import type { LogConfig } from './parts/log-part.ts';
import type { MirrorsConfig } from './parts/mirrors-part.ts';
import type { OperationsConfig } from './parts/operations-part.ts';
import type { RetrievalConfig } from './parts/retrieval-part.ts';
import type { SearchConfig } from './parts/search-part.ts';
import type { StorageConfig } from './parts/storage-part.ts';
import type { TracesConfig } from './parts/traces-part.ts';
import type { Role } from './schema.ts';

/** What the config means. Each module receives its own part and nothing else. */
export interface Config {
  /** The file it came from, absolute; null when there was none. */
  file: string | null;
  dataFolder: DataFolderLayout;
  roles: readonly Role[];
  storage: StorageConfig;
  hosts: readonly HostConfig[];
  mirrors: MirrorsConfig;
  catalog: CatalogConfig;
  content: ContentConfig;
  index: IndexConfig;
  access: AccessConfig;
  http: HttpConfig;
  operations: OperationsConfig;
  search: SearchConfig;
  retrieval: RetrievalConfig;
  embedding: EmbeddingConfig;
  log: LogConfig;
  audit: AuditConfig;
  traces: TracesConfig;
}
