import { PeriscopeError } from '../../base/errors.ts';
import type { Repository } from '../../catalog/index.ts';
import type { Indexing } from '../../indexing/index.ts';
import type { Mirror } from '../../mirrors/index.ts';
import type { CodeSearch } from '../../search/index.ts';
import type { Address } from '../addressing/address.ts';
import { resolveAddress } from '../addressing/revisions.ts';
import { revisionNotIndexable, revisionNowhere, tooManyRevisions } from '../errors.ts';
import { countSaid } from './search-words.ts';

export interface AskedRevision {
  /** The engine's name for it. */
  indexed: string;
  /** As people call it. */
  shown: string;
}

export interface SearchableRevisions {
  revisions: ReadonlyMap<number, AskedRevision>;
  /** Repositories that have no such revision. */
  without: ReadonlySet<number>;
  notes: readonly string[];
}

export interface RevisionDeps {
  search: CodeSearch;
  indexing: Indexing | null;
  mirrorOf(repository: Repository): Mirror;
  /** How long the index may take over one; what is not in it by then follows in the background. */
  budgetMs: number;
}

/** Each may have to be looked up in git, and its files put into the index. */
const REVISIONS_MAX = 20;
const AT_ONCE = 4;

/** The revisions that are asked for, made searchable. Where several repositories are asked and some lack it, these are left out. */
export async function searchableRevisions(
  wanted: ReadonlyMap<number, Address>,
  deps: RevisionDeps,
  signal: AbortSignal,
): Promise<SearchableRevisions> {
  if (wanted.size > REVISIONS_MAX) throw tooManyRevisions(wanted.size, REVISIONS_MAX);
  const all = [...wanted];
  const found: (FoundRevision | null)[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const looks = all.slice(at, at + AT_ONCE).map(async ([, address]) => {
      try {
        return await searchableRevision(address, deps, signal);
      } catch (fault) {
        const lacks = fault instanceof PeriscopeError && fault.kind === 'ref-not-found';
        if (!lacks || wanted.size === 1) throw fault;
        return null;
      }
    });
    found.push(...(await Promise.all(looks)));
  }
  if (all.length > 0 && found.every((one) => one === null)) throw revisionNowhere(all[0]![1].revision ?? '');
  const without = all.flatMap(([id], index) => (found[index] ? [] : [id]));
  const notes = found.flatMap((one) => one?.notes ?? []);
  if (without.length > 0) {
    const lacking = countSaid({ count: without.length, exact: true }, 'repository', 'repositories');
    notes.push(`Left out, because without such a revision: ${lacking}.`);
  }
  return {
    revisions: new Map(all.flatMap(([id], index) => (found[index] ? [[id, found[index].revision]] : []))),
    without: new Set(without),
    notes,
  };
}

interface FoundRevision {
  revision: AskedRevision;
  notes: readonly string[];
}

async function searchableRevision(
  address: Address,
  { search, indexing, mirrorOf, budgetMs }: RevisionDeps,
  signal: AbortSignal,
): Promise<FoundRevision> {
  const { repository } = address;
  const { revision, notes } = await resolveAddress(address, mirrorOf(repository), { signal });
  const { commit, revision: shown } = revision;
  const known = search.revisions(repository.id).filter((one) => one.commit === commit);
  const standing = known.find((one) => one.revision === shown) ?? known.find(({ kind }) => kind === 'branch');
  if (standing) return { revision: { indexed: standing.revision, shown }, notes };
  if (!indexing) throw revisionNotIndexable(shown);
  const made = await indexing.ensureRevision(repository, commit, { signal, budgetMs });
  return { revision: { indexed: made.revision, shown }, notes };
}
