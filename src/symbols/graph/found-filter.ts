import type { AskedGround, SymbolKind } from '../../search/index.ts';
import type { GraphView } from './graph-view.ts';
import type { GraphFilters } from './types.ts';

/** What an answer may hold besides its start. */
export interface FoundFilter {
  file(file: number): boolean;
  /** Null is a file itself. */
  kind(kind: SymbolKind | null): boolean;
}

export function foundFilter(
  filters: GraphFilters,
  view: GraphView,
  pathHas: AskedGround['pathHas'],
): FoundFilter {
  const repositories = filters.repositories ? new Set(filters.repositories) : null;
  const languages = filters.languages ? new Set(filters.languages) : null;
  const kinds = filters.kinds ? new Set(filters.kinds) : null;
  const { path, notPath } = filters;
  return {
    file(file) {
      if (repositories !== null && !repositories.has(view.repositoryOf(file))) return false;
      if (path !== undefined || notPath !== undefined) {
        const { revision, row } = view.places.rowOf(file);
        const { manifest } = view.shown[revision]!;
        if (path !== undefined && !pathHas(path, manifest, row)) return false;
        if (notPath !== undefined && pathHas(notPath, manifest, row)) return false;
      }
      return languages === null || languages.has(view.languageNumberOf(file));
    },
    kind: (kind) => kinds === null || (kind !== null && kinds.has(kind)),
  };
}
