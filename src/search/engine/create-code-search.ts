import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import { type OpenGeneration, openIndex } from '../index-folder/open-index.ts';
import type { RevisionEntry } from '../index-folder/types.ts';
import { generationMessage, type KnownGenerations } from './generation-message.ts';
import type { OpenedSegment } from './index-segments.ts';
import { segmentOpener } from './index-segments.ts';
import { KeptGenerations } from './kept-generations.ts';
import { noIndexAnswer } from './no-index-answer.ts';
import { generationGone } from './search-errors.ts';
import type { ToSearchWorker } from './search-messages.ts';
import { createSearchPool } from './search-pool.ts';
import { generationOfPosition } from './search-position.ts';
import type { CodeSearch, IndexedRevision, Scope, SearchRequest } from './types.ts';

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
  /** The compiled search-worker. Default: the one beside this file. */
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
): Promise<CodeSearch> {
  const index = await openIndex<OpenedSegment>({
    folder: options.folder,
    openSegment: segmentOpener(options.folder),
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
    async search(request, signal) {
      const held = await index.hold();
      if (held === null) return noIndexAnswer(request.scope);
      const { generation: newest, state } = held.generation;
      kept.drop(clock.now(), { from: state.readableFrom ?? 0, to: newest });
      let release = held.release;
      try {
        const wanted =
          request.after === null ? held.generation.generation : generationOfPosition(request.after);
        const generation = wanted === held.generation.generation ? held.generation : kept.get(wanted);
        if (generation === null) throw generationGone();
        const answer = await pool.run(
          {
            messages: (known, id) => messagesFor(known, id, generation, request),
            budgetMs: request.budgetMs,
          },
          signal,
        );
        // Also of a whole answer its asker may show a part, and page on in it.
        const mayGoOn = answer.next !== null || answer.files.length > 1;
        if (mayGoOn && generation === held.generation) {
          kept.keep(held, clock.now());
          release = () => {};
        }
        return answer;
      } finally {
        release();
      }
    },
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

  function messagesFor(
    known: Known,
    id: number,
    generation: OpenGeneration<OpenedSegment>,
    { scope, ...request }: SearchRequest,
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
    messages.push({ kind: 'search', id, generation: generation.generation, scopeId, scope: sent, request });
    return messages;
  }
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
