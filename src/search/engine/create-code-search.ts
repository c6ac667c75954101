import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import { openChunks } from '../chunks/open-chunks.ts';
import { openFacts } from '../facts/open-facts.ts';
import { type OpenGeneration, openIndex } from '../index-folder/open-index.ts';
import type { RevisionEntry } from '../index-folder/types.ts';
import { openScip } from '../scip/open-scip.ts';
import { generationMessage, type KnownGenerations } from './generation-message.ts';
import type { OpenedSegment } from './index-segments.ts';
import { segmentOpener } from './index-segments.ts';
import { KeptGenerations } from './kept-generations.ts';
import { noIndexAnswer } from './no-index-answer.ts';
import { generationGone } from './search-errors.ts';
import type { AskMessage, SearchMessage, ToSearchWorker } from './search-messages.ts';
import { createSearchPool } from './search-pool.ts';
import { generationOfPosition } from './search-position.ts';
import type { IndexedRevision, IndexSearch, Scope, SearchAnswer } from './types.ts';

export interface CodeSearchOptions {
  /** The index folder; it may be empty or not there yet. */
  folder: string;
  /** Searches that run at once, each in a thread of its own. */
  threads: number;
  /** Decoded blocks that each thread keeps. Default 32 MiB. */
  ringBytesMax?: number;
  /** For benches: each search finds no block decoded. Default false. */
  forgetsDecoded?: boolean;
  /** Views that each thread keeps: what a scope shows of a generation. Default 16. */
  viewsMax?: number;
  /** Searches that wait for a thread; more are told to wait. Default 64. */
  waitingMax?: number;
  /** How long a thread may go on after its search was stopped or its time was over. Default 2 seconds. */
  graceMs?: number;
  /** How long an older generation is kept for those who page on in one of its answers. Default 2 minutes. */
  keepGenerationMs?: number;
  /** How often a newer index is looked for when nobody asks. Default 2 seconds. */
  pollMs?: number;
}

export interface CodeSearchDeps {
  clock: Clock;
  /** What each thread runs, compiled: it calls startSearchThread. Default: the search-worker beside this file, which answers searches alone. */
  workerFile?: URL;
}

const KEPT_GENERATIONS_MAX = 4;
const SCOPES_MAX = 64;

/** What is remembered of a thread: it has this already. */
interface Known {
  generations: KnownGenerations;
  scopes: LRUCache<number, true>;
}

/** Searches the index in a folder. Fails when the folder cannot be read or was written by a newer Periscope. */
export async function createCodeSearch(
  options: CodeSearchOptions,
  { clock, workerFile = new URL('./search-worker.js', import.meta.url) }: CodeSearchDeps,
): Promise<IndexSearch> {
  const index = await openIndex<OpenedSegment>({
    folder: options.folder,
    openSegment: segmentOpener(options.folder),
    openFacts,
    openChunks,
    openScip,
    ...(options.pollMs === undefined ? {} : { pollMs: options.pollMs }),
  });
  const kept = new KeptGenerations<OpenedSegment>({
    max: KEPT_GENERATIONS_MAX,
    keepMs: options.keepGenerationMs ?? 120_000,
  });
  const pool = createSearchPool<Known>({
    workerFile,
    threads: options.threads,
    waitingMax: options.waitingMax ?? 64,
    graceMs: options.graceMs ?? 2000,
    workerData: {
      ringBytesMax: options.ringBytesMax ?? 32 << 20,
      viewsMax: options.viewsMax ?? 16,
      scopesMax: SCOPES_MAX,
      forgetsDecoded: options.forgetsDecoded ?? false,
    },
    newThread: () => ({
      generations: new Map(),
      scopes: new LRUCache({ max: SCOPES_MAX }),
    }),
  });
  const scopeIds = new WeakMap<Scope, number>();
  let nextScopeId = 1;

  return {
    async search({ scope, ...request }, signal) {
      const { after, budgetMs } = request;
      const answer = await askThread<SearchAnswer>(
        {
          scope,
          budgetMs,
          generation: after === null ? null : generationOfPosition(after),
          message: { kind: 'search', request },
          // Also of a whole answer its asker may show a part, and page on in it.
          mayGoOn: ({ next, files }) => next !== null || files.length > 1,
        },
        signal,
      );
      return answer ?? noIndexAnswer(scope);
    },
    ask: ({ scope, budgetMs, generation, revisions, question }, signal) =>
      askThread(
        {
          scope,
          budgetMs,
          generation,
          message: { kind: 'ask', revisions, budgetMs, question },
          mayGoOn: ({ next }) => next !== null,
        },
        signal,
      ),
    revisions(repositoryId) {
      const revisions = index.current()?.revisions ?? [];
      return revisions
        .filter(({ entry }) => repositoryId === undefined || entry.repositoryId === repositoryId)
        .map(({ entry }) => indexedRevision(entry));
    },
    generation: () => index.current()?.generation ?? 0,
    async close() {
      await pool.close();
      kept.close();
      await index.close();
    },
  };

  async function askThread<Answer>(asked: Asked<Answer>, signal: AbortSignal): Promise<Answer | null> {
    const newest = await index.hold();
    if (newest === null) return null;
    const { generation, state } = newest.generation;
    kept.drop(clock.now(), { from: state.readableFrom ?? 0, to: generation });
    const isNewest = (asked.generation ?? generation) === generation;
    const held = isNewest ? newest : kept.borrow(asked.generation!);
    if (!isNewest) newest.release();
    if (held === null) throw generationGone();
    let release = held.release;
    try {
      const answer = await pool.run<Answer>(
        {
          messages: (known, id) => messagesFor(known, id, held.generation, asked),
          budgetMs: asked.budgetMs,
        },
        signal,
      );
      if (isNewest && asked.mayGoOn(answer)) {
        kept.keep(held, clock.now());
        release = () => {};
      }
      return answer;
    } finally {
      release();
    }
  }

  function messagesFor<Answer>(
    known: Known,
    id: number,
    generation: OpenGeneration<OpenedSegment>,
    { scope, message }: Asked<Answer>,
  ): ToSearchWorker[] {
    const messages: ToSearchWorker[] = [];
    if (!known.generations.has(generation.generation)) {
      const newest = index.current()?.generation ?? generation.generation;
      const wanted = new Set([...kept.generations(), newest]);
      messages.push(generationMessage(known.generations, generation, wanted));
    }
    let scopeId = scopeIds.get(scope);
    if (scopeId === undefined) {
      scopeId = nextScopeId++;
      scopeIds.set(scope, scopeId);
    }
    // The thread forgets the same scopes in the same order.
    const isKnown = known.scopes.get(scopeId) !== undefined;
    if (!isKnown) known.scopes.set(scopeId, true);
    const sent = isKnown ? null : scope;
    messages.push({ ...message, id, generation: generation.generation, scopeId, scope: sent });
    return messages;
  }
}

type OfThread = 'id' | 'generation' | 'scopeId' | 'scope';

interface Asked<Answer> {
  scope: Scope;
  budgetMs: number;
  /** Null is the newest. */
  generation: number | null;
  message: Omit<SearchMessage, OfThread> | Omit<AskMessage, OfThread>;
  /** Whether somebody may go on from this answer, so that what it was made from is kept for a while. */
  mayGoOn(answer: Answer): boolean;
}

function indexedRevision({ head, ...entry }: RevisionEntry): IndexedRevision {
  return {
    repositoryId: entry.repositoryId,
    revision: entry.revision,
    kind: entry.kind,
    isDefault: entry.isDefault,
    commit: head.commit,
    committedMs: head.committedMs,
    indexedMs: entry.indexedMs,
    checkedMs: entry.checkedMs,
    documents: head.documents,
    skipped: head.skippedCounts,
    maskedSpans: head.maskedSpans,
    policyKey: head.policyKey,
  };
}
