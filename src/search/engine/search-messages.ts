import type { PeriscopeErrorOptions } from '../../base/errors.ts';
import type { ChunksHandle } from '../chunks/open-chunks.ts';
import type { FactsHandle } from '../facts/open-facts.ts';
import type { ManifestHandle } from '../manifests/manifest.ts';
import type { ScipHandle } from '../scip/open-scip.ts';
import type { SegmentHandle } from '../segments/open-segment.ts';
import type { PackedAnswer } from './packed-answer.ts';
import type { Scope, SearchRequest } from './types.ts';

/** What a search worker is started with. */
export interface SearchWorkerData {
  ringBytesMax: number;
  viewsMax: number;
  scopesMax: number;
  /** Decoded blocks are forgotten before each search. */
  forgetsDecoded: boolean;
  /** One 32-bit word: the number of the search that is to end at once. */
  stop: SharedArrayBuffer;
}

/** A generation as a thread needs it. Handles are of shared memory, and sent once to a thread. */
export interface GenerationMessage {
  kind: 'generation';
  generation: number;
  places: SharedArrayBuffer;
  segments: readonly {
    slot: number;
    file: string;
    handle: SegmentHandle | null;
    /** The facts of its texts; null where there are none, their handle null where the thread has it already. */
    facts: { file: string; handle: FactsHandle | null } | null;
    /** The same of chunks. */
    chunks: { file: string; handle: ChunksHandle | null } | null;
  }[];
  revisions: readonly {
    key: string;
    /** Null where the thread has it already. */
    sent: SentRevision | null;
  }[];
  /** Uploaded SCIP files by `scipKey`; the handle is null where the thread has it already. */
  scip: readonly { key: string; file: string; handle: ScipHandle | null }[];
  /** False: some of its files could not be opened. */
  isWhole: boolean;
  /** Generations that may still be asked for, this one among them; what only others had is closed. */
  kept: readonly number[];
}

export interface SentRevision {
  repositoryId: number;
  revision: string;
  kind: 'branch' | 'visited';
  isDefault: boolean;
  manifest: ManifestHandle;
}

export interface SearchMessage {
  kind: 'search';
  id: number;
  generation: number;
  scopeId: number;
  /** Null where the thread has it already. */
  scope: Scope | null;
  request: Omit<SearchRequest, 'scope'>;
}

/** A question of another kind than a search, over the same generation and scope. Only who answers it knows what it holds. */
export interface AskMessage {
  kind: 'ask';
  id: number;
  generation: number;
  scopeId: number;
  scope: Scope | null;
  revisions: ReadonlyMap<number, string>;
  budgetMs: number;
  question: unknown;
}

export type ToSearchWorker = GenerationMessage | SearchMessage | AskMessage;

export type SearchReply =
  /** The thread has started. */
  | { id: 0 }
  | { id: number; found: PackedAnswer }
  /** What a question was answered with, as JSON: cloning its many small objects would take longer. */
  | { id: number; answer: string }
  | {
      id: number;
      fault: { kind: string; code: string; message: string; next: string; options: PeriscopeErrorOptions };
    };
