import { hash } from 'node:crypto';
import type { Audit, Caller, Gate } from '../access/index.ts';
import type { Clock } from '../base/clock.ts';
import { asPeriscopeError } from '../base/errors.ts';
import { createShares } from '../base/shares.ts';
import { withDeadline } from '../base/with-deadline.ts';
import type { Catalog, Repository } from '../catalog/index.ts';
import type { Content, ContentPolicy } from '../content/index.ts';
import type { Indexing } from '../indexing/index.ts';
import type { Mirror } from '../mirrors/index.ts';
import type { Retrieval, Traces } from '../retrieval/index.ts';
import type { CodeSearch, ScanPool } from '../search/index.ts';
import type { GraphSearch } from '../symbols/index.ts';
import { parseAddress, repositoryNamed } from './addressing/address.ts';
import { locate } from './addressing/locate.ts';
import { namesOf } from './addressing/repository-names.ts';
import { resolveAddress } from './addressing/revisions.ts';
import { routeName } from './addressing/tool-names.ts';
import { createChangeHints } from './change-hints.ts';
import { createCodeFinder } from './codesearch/code-finder.ts';
import { placePolicies } from './codesearch/place-policies.ts';
import { repositoriesForPrograms, searchForPrograms } from './codesearch/program-search.ts';
import { createSearchScopes } from './codesearch/search-scopes.ts';
import { type CursorContent, createCursors } from './cursor.ts';
import {
  badCursor,
  callTimedOut,
  localOnly,
  meaningNotHere,
  notReadyYet,
  tooManyCalls,
  unknownTool,
} from './errors.ts';
import { freshnessNotes } from './freshness.ts';
import { createGraphFinder } from './graph/graph-finder.ts';
import { answerDigest, createGuards } from './guards.ts';
import { hostProblemsFor } from './host-problems.ts';
import { parseInput } from './input.ts';
import { instructions } from './instructions.ts';
import { expandMentions, listMentions } from './mentions.ts';
import { present } from './present.ts';
import { describeOperations, isOperation, operationNames, operations } from './registry.ts';
import { listedTrace } from './retrieval/listed-traces.ts';
import { createMeaningFinder } from './retrieval/meaning-finder.ts';
import { rankedPlaces } from './retrieval/ranked-places.ts';
import { takeUpload } from './scip-upload.ts';
import { shortened } from './shortened.ts';
import { fetchFile } from './tools/fetch-file.ts';
import { wholeFile } from './tools/whole-file.ts';
import { noteTraces } from './trace-notes.ts';
import type {
  Listen,
  Operation,
  OperationContext,
  OperationResult,
  Operations,
  OperationsOptions,
  ProgramOperations,
  RankingTrials,
  Target,
  ToolAnswer,
  ToolCall,
} from './types.ts';

export interface OperationsDeps {
  gate: Gate;
  catalog: Catalog;
  content: Content;
  scans: ScanPool;
  search: CodeSearch;
  /** Of that search's index; null where the engine is another one. */
  graph: GraphSearch | null;
  /** Of that search's index; null where the engine is another one. */
  retrieval: Retrieval | null;
  /** Keeps searches by meaning and what was used of them. */
  traces: Traces;
  /** Null where the search engine has an index of its own. */
  indexing: Indexing | null;
  /** What may be shown of a repository now: it hides what the index still has. */
  policyOf(mirror: Mirror, commit: string): Promise<ContentPolicy> | ContentPolicy;
  audit: Audit;
  clock: Clock;
  /** Signs cursors; the same for every process of the data folder. */
  cursorKey: string;
}

/** Of one subject at the same time; whoever asks more waits, and everybody else does not. */
const CALLS_PER_SUBJECT_MAX = 64;
/** Names of one record: an answer about more is about no single one. */
const AUDITED_MAX = 100;

/** The single handler around all operations: understand the call, pass the gate, ask the guards, run, present within the budget. */
export function createOperations(
  options: OperationsOptions,
  deps: OperationsDeps,
): Operations & ProgramOperations & RankingTrials {
  const { catalog, content, gate } = deps;
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const guards = createGuards(options.guards, deps.clock);
  const cursors = createCursors(deps.cursorKey);
  const shares = createShares(CALLS_PER_SUBJECT_MAX);
  const finderDeps = {
    search: deps.search,
    scopes: createSearchScopes(deps.search),
    indexing: deps.indexing,
    content,
    policyOf: deps.policyOf,
    mirrorOf: (repository: Repository) => catalog.mirror(repository),
  };
  const graph = deps.graph && createGraphFinder(options.search, { ...finderDeps, graph: deps.graph });
  const meaning =
    deps.retrieval && createMeaningFinder(options.search, { ...finderDeps, retrieval: deps.retrieval });
  const code = createCodeFinder(options.search, {
    ...finderDeps,
    symbolCoverage: graph?.coverage ?? null,
  });
  const hints = createChangeHints({ changed: (repository) => deps.indexing?.changed(repository) });

  return {
    list: describeOperations,
    knows: isOperation,
    handle: (call, caller, listen) =>
      audited(call.name, caller, (seen) => withTimeout(call, caller, seen, listen ?? null)),
    searchCode: (query, caller) =>
      audited('codesearch', caller, (seen) =>
        withDeadline(caller.signal, options.timeoutMs, async (signal) => {
          const visible = await visibleTo(caller);
          const found = await searchForPrograms(query, code, visible, {
            signal,
            nowMs: deps.clock.now(),
            externalTokens: caller.destination === 'external' ? options.externalAnswerTokensMax : null,
          });
          seen.repositories = found.named;
          return found;
        }),
      ),
    listRepositories: (query, caller) =>
      audited('codesearch_repos', caller, () =>
        withDeadline(caller.signal, options.timeoutMs, async (signal) =>
          repositoriesForPrograms(query, code, await visibleTo(caller), {
            signal,
            nowMs: deps.clock.now(),
          }),
        ),
      ),
    readWhole: (place, caller) =>
      audited(fetchFile.name, caller, (seen) =>
        withDeadline(caller.signal, options.timeoutMs, async (signal) => {
          const bounded = { ...caller, signal };
          const visible = await visibleTo(caller);
          const target = await findTarget(fetchFile, { ...place }, visible, null, bounded, []);
          seen.repositories = [target.repository];
          if (caller.destination === 'external') throw localOnly(fetchFile.name);
          return wholeFile(target, { content, signal });
        }),
      ),
    repositoryChanged: (name, caller) =>
      audited('repository_changed', caller, async (seen) => {
        const visible = await visibleTo(caller);
        const repository = repositoryNamed(name, visible);
        seen.repositories = [repository];
        hints.changed(repository);
        return { repository: namesOf(visible).shortest(repository) };
      }),
    uploadScip: ({ repo, ...upload }, caller) =>
      audited('upload_scip', caller, async (seen) => {
        const visible = await visibleTo(caller);
        const repository = repositoryNamed(repo, visible);
        seen.repositories = [repository];
        const name = namesOf(visible).shortest(repository);
        const { signal } = caller;
        const { indexing } = deps;
        const mirror = catalog.mirror(repository);
        return {
          repository: name,
          ...(await takeUpload(upload, repository, { name, indexing, mirror, signal })),
        };
      }),
    listTraces: (query, caller) =>
      audited('list_traces', caller, async (seen) => {
        const visible = await visibleTo(caller);
        const names = new Map(visible.map(({ id, host, name }) => [id, `${host}/${name}`]));
        // The operator's own shell sees everything, also what no host has any more.
        const sees = caller.subject.kind === 'local' ? null : new Set(names.keys());
        const repositories = new Map(visible.map((repository) => [repository.id, repository]));
        const found = await deps.traces.list(query, sees, async (places) => {
          const { mayShow } = await placePolicies(places, repositories, finderDeps);
          // Of what no host has any more nothing says what is opted out; the operator alone gets here.
          return places.map((place) => !repositories.has(place.repositoryId) || mayShow(place));
        });
        const cited = new Set(found.flatMap(({ citations }) => citations.map((of) => of.repositoryId)));
        seen.repositories = visible.filter(({ id }) => cited.has(id));
        return found.map((trace) => listedTrace(trace, names));
      }),
    rankedPlaces: async (pair, ranking, limit, caller) => {
      if (!meaning) throw meaningNotHere();
      const visible = await visibleTo(caller);
      return rankedPlaces(pair, { ranking, limit, visible, signal: caller.signal }, meaning);
    },
    mentions: async (query, caller, limit) =>
      listMentions(query, await visibleTo(caller), catalog.hosts(), limit),
    expandMentions: async (text, caller) => expandMentions(text, await visibleTo(caller)),
    instructions: () => instructions,
  };

  /** One at a time counts towards the asker's share, and each is recorded with how it ended. */
  async function audited<T>(name: string, caller: Caller, work: (seen: Seen) => Promise<T>): Promise<T> {
    const seen: Seen = { tool: shortened(name, 100), repositories: [], finding: false };
    const leave = shares.enter(`${caller.subject.kind}:${caller.subject.name}`);
    if (!leave) throw tooManyCalls(CALLS_PER_SUBJECT_MAX);
    try {
      const answer = await work(seen);
      audit(caller, seen, 'ok');
      return answer;
    } catch (fault) {
      const error = asPeriscopeError(fault);
      audit(caller, seen, error.kind);
      throw error;
    } finally {
      leave();
    }
  }

  function withTimeout(
    call: ToolCall,
    caller: Caller,
    seen: Seen,
    listen: Listen | null,
  ): Promise<ToolAnswer> {
    return withDeadline(caller.signal, options.timeoutMs, async (signal, expired) => {
      try {
        return await run(call, { ...caller, signal }, seen, listen);
      } catch (error) {
        if (expired())
          throw seen.finding ? notReadyYet(options.timeoutMs) : callTimedOut(seen.tool, options.timeoutMs);
        throw error;
      }
    });
  }

  async function run(call: ToolCall, caller: Caller, seen: Seen, listen: Listen | null): Promise<ToolAnswer> {
    const routed = routeName(call.name, call.input, operationNames);
    if (!routed) throw unknownTool(call.name, [...operationNames]);
    const asked = byName.get(routed.name)!;
    const notes = routed.note ? [routed.note] : [];
    const resumed = resumedCall(asked, routed.input);
    const parsed = parseInput(asked, resumed?.input ?? routed.input);
    notes.push(...parsed.notes);

    const visible = await visibleTo(caller);
    seen.finding = asked.needsRepository;
    const target = asked.needsRepository
      ? await findTarget(asked, parsed.input, visible, resumed, caller, notes)
      : null;
    seen.finding = false;
    if (target) seen.repositories = [target.repository];
    const operation = redirected(asked, parsed.input, target, notes);
    seen.tool = operation.name;
    const input = operation === asked ? parsed.input : parseInput(operation, routed.input).input;
    if (operation.localOnly && caller.destination === 'external') throw localOnly(operation.name);

    const tokens = tokensFor(operation, input, caller);
    const sendFirst =
      listen &&
      ((result: OperationResult) =>
        listen.onFirst(present(result, { tool: operation.name, notes, tokens, seal: () => '' })));
    const context = contextFor({ input, visible, target, resumed, caller, tokens, sendFirst });
    // What a list would show is its state; a place has its commit, and need not be read to see that nothing changed.
    const listed = target ? null : await operation.run(context);
    if (listed?.repositories) seen.repositories = listed.repositories;
    const commit = target?.revision.commit ?? null;
    const state = listed ? `${listed.state ?? ''} ${answerDigest(listed)}` : `${commit}:${target!.path}`;
    const guarded = { caller, operation, input: { ...input, after: resumed?.after }, state };
    const verdict = guards.before(guarded);
    if (verdict.answer) return verdict.answer;

    const [result, freshness] = await Promise.all([
      listed ?? operation.run(context),
      target ? freshnessNotes(target, caller, deps.clock.now()) : [],
    ]);
    notes.push(...freshness);
    notes.push(...guards.after(guarded, verdict, result));
    noteTraces(deps.traces, { tool: operation.name, caller, target, result });

    const list = target ? null : listDigest(visible);
    if (resumed && resumed.list !== list)
      notes.push('The list of repositories has changed since the page before.');
    const sealedInput = withoutDefaults(operation, input);
    return present(result, {
      tool: operation.name,
      notes,
      tokens,
      seal: (after) => cursors.seal({ op: operation.name, input: sealedInput, after, commit, list }),
    });
  }

  function visibleTo(caller: Caller): Promise<readonly Repository[]> {
    return gate.visible(caller, catalog.repositories());
  }

  function resumedCall(operation: Operation, input: unknown): CursorContent | null {
    const given =
      typeof input === 'object' && input !== null ? (input as Record<string, unknown>)['cursor'] : undefined;
    if (typeof given !== 'string' || given === '') return null;
    const opened = cursors.open(given);
    if (opened.op !== operation.name) throw badCursor();
    return opened;
  }

  async function findTarget(
    operation: Operation,
    input: Record<string, unknown>,
    visible: readonly Repository[],
    resumed: CursorContent | null,
    caller: Caller,
    notes: string[],
  ): Promise<Target> {
    const address = parseAddress(
      {
        tool: operation.name,
        repo: textOf(input['repo']),
        path: textOf(input['path']),
        // A later page is read from the commit that the first one was read from.
        revision: resumed?.commit ?? textOf(input['revision']),
      },
      visible,
    );
    const mirror = catalog.mirror(address.repository);
    const resolved = await resolveAddress(address, mirror, caller);
    const located = await locate(content, mirror, resolved.revision.commit, resolved.candidates, caller);
    notes.push(...address.notes, ...resolved.notes, ...(located.note ? [located.note] : []));
    return { repository: address.repository, mirror, revision: resolved.revision, ...located };
  }

  function redirected(
    operation: Operation,
    input: Record<string, unknown>,
    target: Target | null,
    notes: string[],
  ): Operation {
    const { redirect } = operation;
    const kind = target?.entry?.kind;
    if (!redirect || !kind) return operation;
    if (redirect.unless !== undefined && input[redirect.unless] !== undefined) return operation;
    const isDirectory = kind === 'directory';
    if ((redirect.when === 'directory') !== isDirectory || kind === 'submodule') return operation;
    notes.push(
      `"${target.path}" is a ${isDirectory ? 'directory' : 'file'}; ${redirect.to} answered instead of ${operation.name}.`,
    );
    return byName.get(redirect.to)!;
  }

  function tokensFor(operation: Operation, input: Record<string, unknown>, caller: Caller): number {
    const wanted = Number(input['max_tokens'] ?? operation.tokensDefault ?? options.answerTokensDefault);
    const max = caller.destination === 'external' ? options.externalAnswerTokensMax : options.answerTokensMax;
    return Math.min(wanted, max);
  }

  function contextFor(parts: {
    input: Record<string, unknown>;
    visible: readonly Repository[];
    target: Target | null;
    resumed: CursorContent | null;
    caller: Caller;
    tokens: number;
    sendFirst: OperationContext<unknown>['sendFirst'];
  }): OperationContext<Record<string, unknown>> {
    return {
      input: parts.input,
      visible: parts.visible,
      target: parts.target,
      after: parts.resumed?.after ?? null,
      content,
      scans: deps.scans,
      code,
      graph,
      meaning,
      indexing: deps.indexing,
      sendFirst: parts.sendFirst,
      mirrorOf: (repository) => catalog.mirror(repository),
      permalink: (target, path, lines) =>
        catalog.permalink(target.repository, target.revision.commit, path, lines),
      hostProblems: () => hostProblemsFor(parts.visible, catalog.hosts()),
      limits: {
        tokens: parts.tokens,
        scanFilesMax: options.scan.filesMax,
        scanBytesMax: options.scan.bytesMax,
        scanTimeMs: options.scan.timeMs,
        searchTimeMs: options.search.timeBudgetMs,
      },
      destination: parts.caller.destination,
      nowMs: deps.clock.now(),
      signal: parts.caller.signal,
    };
  }

  function audit(caller: Caller, seen: Seen, outcome: string): void {
    deps.audit.record({
      subject: caller.subject.name,
      onBehalfOf: caller.onBehalfOf,
      operation: seen.tool,
      repositories: seen.repositories.slice(0, AUDITED_MAX).map(({ name }) => name),
      outcome,
      detail: {},
    });
  }
}

/** What a cursor has to hold: models pay for every character of it. */
function withoutDefaults(operation: Operation, input: Record<string, unknown>): Record<string, unknown> {
  const { data: defaults = {} } = operation.input.safeParse({});
  const { cursor: _old, ...rest } = input;
  return Object.fromEntries(Object.entries(rest).filter(([key, value]) => value !== defaults[key]));
}

/** What the audit needs to know of a call that may fail half-way. */
interface Seen {
  tool: string;
  repositories: readonly Repository[];
  /** While the repository is being opened: the first time that means a copy, which goes on without the call. */
  finding: boolean;
}

const listDigests = new WeakMap<readonly Repository[], string>();

/** Of a visible list, which is the same array as long as nothing changes. */
function listDigest(visible: readonly Repository[]): string {
  const digest = listDigests.get(visible) ?? digestOf(visible.map(({ host, name }) => [host, name]));
  listDigests.set(visible, digest);
  return digest;
}

/** Of what this caller sees and of nothing else: it tells whether that has changed, and nothing of what is hidden. */
function digestOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, 16);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
