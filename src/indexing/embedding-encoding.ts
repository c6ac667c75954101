import path from 'node:path';
import { asPeriscopeError, PeriscopeError } from '../base/errors.ts';
import type { Embedder, EmbedderSource, VectorKind } from '../vectors/index.ts';
import { type EmbeddingLane, isLost } from './embedding-lane.ts';
import type { EncoderBatch } from './embedding-messages.ts';
import { encodingOrder } from './embedding-order.ts';
import type { EmbeddingThread } from './embedding-thread.ts';
import { pauseUntil } from './pause-until.ts';
import type { WritingGround } from './writing-ground.ts';

export interface EncodingOptions {
  /** Where there are more chunks than these, nothing more is encoded in advance. 0 is no bound. */
  chunksMax: number;
  /** Chunks of a batch: what is encoded once more after a kill, at most. Default 128. */
  batchMax?: number;
  /** How long it waits before it looks again. Default 1 s. */
  lookMs?: number;
  /** And after a first failure; each further one doubles it. Default 5 s. */
  retryFirstMs?: number;
}

export interface EncodingDeps {
  source: EmbedderSource;
  lane: EmbeddingLane;
  /** Whether texts wait to be indexed, cut or embedded by the table: these go first. */
  isIndexing(): boolean;
}

/** `at-query`: too many to encode in advance. `held-up`: the model or its endpoint fails; it is tried again and again. */
export type EncodingState = 'waiting' | 'working' | 'done' | 'at-query' | 'held-up';

/** The encoder's way through all chunks, in the background, beside the lanes: nobody waits for it. */
export interface Encoding {
  state(): EncodingState;
  /** Why it is held up, in words; null when it is not. */
  problem(): string | null;
  /** Null until the encoder could be opened. */
  kind(): VectorKind | null;
  close(): Promise<void>;
}

const RETRY_MOST_MS = 600_000;
/** What was pushed since goes first, but not at once: to make an order every manifest is read. */
const REPLAN_MS = 30_000;
/** What an endpoint says of a text that it cannot take. */
const unfitStatuses = new Set<unknown>([400, 413, 422]);

export function startEncoding(
  { session, counters, clock, logger, signal: outer }: WritingGround,
  options: EncodingOptions,
  { source, lane, isIndexing }: EncodingDeps,
): Encoding {
  const { chunksMax, batchMax = 128, lookMs = 1000, retryFirstMs = 5000 } = options;
  const closing = new AbortController();
  const signal = AbortSignal.any([outer, closing.signal]);
  let state: EncodingState = 'waiting';
  let held: PeriscopeError | null = null;
  let kind: VectorKind | null = null;
  let retryMs = retryFirstMs;
  let loggedCode = '';
  const usesOfFacts = new Map<string, Uint32Array>();
  let plan: { generation: number; atMs: number; isThrough: boolean } | null = null;
  const ended = run();

  return {
    // What was published since has not been looked at.
    state: () =>
      state === 'done' && plan?.generation !== session.writer.state().generation ? 'waiting' : state,
    problem: () => held && `${held.message} ${held.next}`,
    kind: () => kind,
    async close() {
      closing.abort();
      await ended;
    },
  };

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        if (!(await step())) await pauseUntil(lookMs, signal);
      } catch (fault) {
        if (signal.aborted) return;
        plan = null;
        if (isLost(fault)) {
          lane.lost();
          await pauseUntil(lookMs, signal);
        } else await backOff(fault);
      }
    }
  }

  /** False when there is nothing to do for now. */
  async function step(): Promise<boolean> {
    if (chunksMax > 0 && lane.counts().chunks > chunksMax) return rest('at-query');
    const store = lane.store();
    if (store === null || isIndexing()) return rest('waiting');
    const { generation } = session.writer.state();
    if (plan?.isThrough && plan.generation === generation) return rest('done');
    const embedder = await source.open(signal);
    kind = embedder.kind;
    const isOld = plan !== null && plan.generation !== generation;
    if (plan === null || (isOld && (plan.isThrough || clock.now() - plan.atMs >= REPLAN_MS)))
      plan = await newPlan(store, kind);
    const batch = await store.ask<'next'>({ kind: 'next', limit: batchMax });
    if (batch === 'gone') plan = null;
    else if (batch === null) {
      plan.isThrough = true;
      if (plan.generation === session.writer.state().generation) await lane.keepOnly(kind);
    } else {
      if (held === null) state = 'working';
      await encode(embedder, store, batch);
      state = 'working';
      held = null;
      loggedCode = '';
      retryMs = retryFirstMs;
    }
    return true;
  }

  function rest(as: EncodingState): false {
    if (held === null || as !== 'waiting') {
      state = as;
      held = null;
    }
    return false;
  }

  async function newPlan(store: EmbeddingThread, encoder: VectorKind) {
    const { generation } = session.writer.state();
    const segments = lane.segments();
    const files = segments.map(lane.filesOf);
    const uses: (Uint32Array | null)[] = [];
    for (const { facts } of segments) uses.push(facts === null ? null : await usesOf(store, facts.file));
    const known = new Set(segments.flatMap(({ facts }) => facts?.file ?? []));
    for (const file of usesOfFacts.keys()) if (!known.has(file)) usesOfFacts.delete(file);
    const order = await encodingOrder(
      session,
      segments.map(({ file }) => file),
      uses,
    );
    await store.ask<'plan'>({ kind: 'plan', segments: files, order, encoder });
    return { generation, atMs: clock.now(), isThrough: false };
  }

  /** Facts never change, and each segment is one of a few. */
  async function usesOf(store: EmbeddingThread, file: string): Promise<Uint32Array | null> {
    const known = usesOfFacts.get(file);
    if (known !== undefined) return known;
    const counted = await store.ask<'uses'>({ kind: 'uses', facts: path.join(session.writer.folder, file) });
    if (counted !== null) usesOfFacts.set(file, counted);
    return counted;
  }

  async function encode(embedder: Embedder, store: EmbeddingThread, batch: EncoderBatch): Promise<void> {
    let made: Encoded;
    try {
      made = { batch, vectors: await embedder.embedDocuments(batch.texts, signal), unfit: [] };
    } catch (fault) {
      if (!isUnfit(fault)) throw fault;
      made = await oneByOne(embedder, batch, fault);
    }
    if (made.unfit.length > 0) {
      counters.textsPassedOver += made.unfit.length;
      await store.ask<'pass-over'>({ kind: 'pass-over', owners: Uint32Array.from(made.unfit) });
    }
    const { dimensions } = embedder.kind;
    const vectors = new Float32Array(made.vectors.length * dimensions);
    for (const [i, vector] of made.vectors.entries()) vectors.set(vector, i * dimensions);
    const { owners, parts } = made.batch;
    lane.took(await store.ask<'append'>({ kind: 'append', encoder: embedder.kind, owners, parts, vectors }));
    counters.chunksEncoded += made.vectors.length;
  }

  /** Nobody waits for a text that the model does not take. Where it takes none of them, it is no text that is at fault. */
  async function oneByOne(embedder: Embedder, batch: EncoderBatch, first: unknown): Promise<Encoded> {
    const unfit = new Set<number>();
    const kept: number[] = [];
    const vectors: Float32Array[] = [];
    for (const [i, text] of batch.texts.entries()) {
      const owner = batch.owners[i]!;
      if (unfit.has(owner)) continue;
      try {
        vectors.push(...(await embedder.embedDocuments([text], signal)));
        kept.push(i);
      } catch (fault) {
        if (!isUnfit(fault)) throw fault;
        unfit.add(owner);
        if (kept.length === 0 && unfit.size >= 3) throw first;
      }
    }
    if (kept.length === 0) throw first;
    const owners = Uint32Array.from(kept, (i) => batch.owners[i]!);
    const parts = Uint32Array.from(kept, (i) => batch.parts[i]!);
    return { batch: { owners, parts, texts: [] }, vectors, unfit: [...unfit] };
  }

  /** Told once for each kind of fault until it works again. */
  async function backOff(fault: unknown): Promise<void> {
    const told = asPeriscopeError(fault);
    state = 'held-up';
    held = told;
    if (told.code !== loggedCode) {
      logger.warn('chunks are not encoded for a while', { code: told.code, fault });
      loggedCode = told.code;
    }
    counters.encoderFailures += 1;
    await pauseUntil(retryMs, signal);
    retryMs = Math.min(RETRY_MOST_MS, retryMs * 2);
  }
}

interface Encoded {
  batch: EncoderBatch;
  vectors: readonly Float32Array[];
  /** Texts that the model does not take. */
  unfit: readonly number[];
}

function isUnfit(fault: unknown): boolean {
  return (
    fault instanceof PeriscopeError &&
    fault.code === 'vectors/endpoint-refused' &&
    unfitStatuses.has(fault.data['status'])
  );
}
