import type { Clock } from '../../base/clock.ts';
import { cancelled, PeriscopeError } from '../../base/errors.ts';
import { generationGone } from '../engine/search-errors.ts';
import type { CodeSearch, IndexedRevision, ScopeRepository, SearchRequest } from '../engine/types.ts';
import { mergedAnswer, type ServerAnswer } from './merged-answer.ts';
import { readSearchAnswer } from './zoekt-answers.ts';
import { createZoektClient, type Fetch } from './zoekt-client.ts';
import { zoektNoJson } from './zoekt-errors.ts';
import { createListings, generationOf, type ServerListing } from './zoekt-listing.ts';
import { type ZoektNamesOptions, zoektNames } from './zoekt-names.ts';
import { type ServedRepository, scopedQuery } from './zoekt-request.ts';

export interface ZoektOptions extends ZoektNamesOptions {
  /** Of the servers, without trailing slashes. */
  urls: readonly string[];
  searchTimeoutMs: number;
  listTimeoutMs: number;
}

export interface ZoektDeps {
  fetch: Fetch;
  clock: Clock;
  /** All that there are, whoever may see them; the same array as long as nothing changes. */
  repositories(): readonly ScopeRepository[];
}

/** Files that are asked for beyond the page: for counts and facets. */
const FILES_LOOKED_AT = 300;
const FILES_LOOKED_AT_EXACT = 10_000;
const MATCHES_MAX = 10_000;
const MATCHES_MAX_EXACT = 10_000_000;
/** What the way to the server and back may take besides the search. */
const ANSWER_SLACK_MS = 2_000;

/** A search by zoekt-webservers in place of an index of our own. What they find is unmasked (FoundFile.unmasked). */
export function createZoektSearch(options: ZoektOptions, deps: ZoektDeps): CodeSearch {
  const clients = options.urls.map((url) => createZoektClient({ ...options, url }, deps.fetch));
  const listings = createListings(clients, deps.clock);
  let named: { repositories: readonly ScopeRepository[]; names: ReturnType<typeof zoektNames> } | null = null;

  return {
    async search(request, signal) {
      const listing = await listings.fresh(signal).catch((fault: unknown) => {
        throw signal.aborted ? cancelled(fault) : fault;
      });
      const served = listing.servers.map((server) => servedBy(server, request));
      // Of what is searched alone: what is pushed to hidden repositories ends no cursor.
      const generation = generationOf(served.flat().map(({ zoekt }) => zoekt));
      const skip = request.after?.['skip'] ?? 0;
      if (request.after && request.after['generation'] !== generation) throw generationGone();
      const answers = await Promise.all(
        listing.servers.map((server, index) => askServer(server, served[index]!, { request, skip, signal })),
      );
      if (answers.every(({ fault }) => fault !== null)) throw answers[0]!.fault!;
      return mergedAnswer(answers, { request, skip, generation });
    },
    revisions(repositoryId) {
      const names = namesNow();
      return listings.last().servers.flatMap(({ repositories }) =>
        repositories.flatMap((zoekt) => {
          const repository = names.repositoryOf(zoekt.name);
          if (!repository || (repositoryId !== undefined && repository.id !== repositoryId)) return [];
          return zoekt.branches.map(
            ({ name, commit }, index): IndexedRevision => ({
              repositoryId: repository.id,
              revision: name,
              kind: 'branch',
              isDefault: index === 0,
              commit,
              committedMs: zoekt.committedMs,
              indexedMs: zoekt.indexedMs,
              checkedMs: zoekt.indexedMs,
              documents: zoekt.documents,
              skipped: {},
              maskedSpans: 0,
              policyKey: '',
            }),
          );
        }),
      );
    },
    generation: () => listings.last().generation,
    async close() {
      listings.close();
    },
  };

  function namesNow(): ReturnType<typeof zoektNames> {
    const repositories = deps.repositories();
    if (named?.repositories !== repositories)
      named = { repositories, names: zoektNames(options, repositories) };
    return named.names;
  }

  /** What of the scope the server has. */
  function servedBy(
    { repositories }: ServerListing,
    { scope, revisions }: SearchRequest,
  ): ServedRepository[] {
    const names = namesNow();
    const inScope = new Map(scope.map((repository) => [repository.id, repository]));
    return repositories.flatMap((zoekt) => {
      const repository = inScope.get(names.repositoryOf(zoekt.name)?.id ?? -1);
      return repository ? [{ repository, zoekt, branch: revisions.get(repository.id) ?? null }] : [];
    });
  }
}

interface Asked {
  request: SearchRequest;
  skip: number;
  signal: AbortSignal;
}

/** Fails with `cancelled` alone: another server may have an answer. */
async function askServer(
  { client, fault }: ServerListing,
  served: readonly ServedRepository[],
  { request, skip, signal }: Asked,
): Promise<ServerAnswer> {
  const scoped = scopedQuery(request.query, served);
  const { repositories } = scoped;
  if (!scoped.request) return { repositories, answer: null, fault };
  const wanted = { ...scoped.request, Opts: searchOptions(request, skip) };
  try {
    const json = await client.search(wanted, request.budgetMs + ANSWER_SLACK_MS, signal);
    const answer = readSearchAnswer(json);
    if (!answer) throw zoektNoJson(`${client.url}/api/search`);
    return { repositories, answer, fault: null };
  } catch (thrown) {
    if (!(thrown instanceof PeriscopeError) || thrown.kind === 'cancelled') throw thrown;
    return { repositories, answer: null, fault: thrown };
  }
}

function searchOptions({ exact, output, filesMax, contextLines, budgetMs }: SearchRequest, skip: number) {
  const matches = exact ? MATCHES_MAX_EXACT : MATCHES_MAX;
  const files = exact ? FILES_LOOKED_AT_EXACT : FILES_LOOKED_AT;
  return {
    MaxWallTime: budgetMs * 1_000_000,
    ShardMaxMatchCount: matches,
    TotalMaxMatchCount: matches,
    MaxDocDisplayCount: skip + filesMax + files,
    NumContextLines: output === 'lines' ? contextLines : 0,
  };
}
