import type { Repository } from '../../catalog/index.ts';
import type { RankingSettings, RetrievalFilters } from '../../retrieval/index.ts';
import { filePattern, type Scope } from '../../search/index.ts';
import { askedScope } from '../codesearch/asked-scope.ts';
import type { SearchScopes } from '../codesearch/search-scopes.ts';
import {
  type AskedRevision,
  type RevisionDeps,
  searchableRevisions,
} from '../codesearch/searchable-revisions.ts';
import { kindsOf, languageNumber } from '../graph/asked-graph.ts';

/** A question as it is asked. */
export interface MeaningQuery {
  question: string;
  repo: readonly string[];
  file: readonly string[];
  lang: readonly string[];
  kind: readonly string[];
  revision: string | undefined;
  limit: number;
  /** Default: as configured. An evaluation compares others. */
  ranking?: RankingSettings;
}

/** A question that is understood: what is looked for, and where. */
export interface PreparedMeaning {
  asked: MeaningQuery;
  /** Where it looks, in the order in which documents rank. */
  repositories: readonly Repository[];
  scope: Scope;
  visible: readonly Repository[];
  revisions: ReadonlyMap<number, AskedRevision>;
  filters: RetrievalFilters;
  /** Where it looks, in words; empty for everywhere. */
  where: string;
  notes: readonly string[];
}

export interface AskedMeaningDeps extends RevisionDeps {
  scopes: SearchScopes;
  repositorySets: Readonly<Record<string, readonly string[]>>;
}

/** Finds out where to look. Fails with not-found-or-no-access for names that nothing visible has. */
export async function askedMeaning(
  asked: MeaningQuery,
  visible: readonly Repository[],
  deps: AskedMeaningDeps,
  signal: AbortSignal,
): Promise<PreparedMeaning> {
  const words = askedScope({ ...asked, repositorySets: deps.repositorySets }, visible);
  const { revisions, without, notes } = await searchableRevisions(words.revisions, deps, signal);
  const wanted = words.file.filter((glob) => !isLeftOut(glob));
  const left = words.file.filter(isLeftOut).map((glob) => glob.slice(1));
  const kinds = kindsOf(asked.kind);
  const said = [...(words.said === null ? [] : [words.said]), ...words.file, ...asked.lang, ...asked.kind];
  return {
    asked,
    ...deps.scopes.of(
      words.repositories.filter(({ id }) => !without.has(id)),
      visible,
    ),
    visible,
    revisions,
    filters: {
      ...(wanted.length > 0 ? { paths: [filePattern(wanted)] } : {}),
      ...(left.length > 0 ? { withoutPaths: [filePattern(left)] } : {}),
      ...(asked.lang.length > 0 ? { languages: asked.lang.map(languageNumber) } : {}),
      ...(kinds === null ? {} : { kinds }),
    },
    where: said.length === 0 ? '' : ` in ${said.join(', ')}`,
    notes: [...words.notes, ...notes],
  };
}

function isLeftOut(glob: string): boolean {
  return /^[!-]/.test(glob);
}
