import { setTimeout as pauseFor } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { cancelled, PeriscopeError } from '../../base/errors.ts';
import { withDeadline } from '../../base/with-deadline.ts';
import { endpointRefused, endpointRubbish, endpointTimeout, endpointUnavailable } from '../errors.ts';
import type { Embedder, VectorKind } from '../types.ts';
import { withCallSignal } from './call-signal.ts';
import { createTextPreparation, type TextPrefixes } from './chunk-preparation.ts';

export interface EndpointEmbedderOptions {
  /** Of the embeddings call itself: `http://localhost:8080/v1/embeddings`. */
  url: string;
  model: string;
  /** Sent as a bearer token, asked anew for each request; null sends none. */
  token: string | (() => Promise<string>) | null;
  /** Of its vectors. Default: learnt from a first answer. */
  dimensions?: number;
  /** Ask the model for vectors of `dimensions`; only some models can. Default false. */
  shortens?: boolean;
  prefixes?: TextPrefixes;
  /** Texts of one request. Default 32. */
  textsMax?: number;
  /** Requests for documents under way at a time. Default 2. */
  requestsMax?: number;
  /** Longer texts are cut. Default 4000. */
  charactersMax?: number;
  /** For a batch of documents, each time it is tried. Default 60 s. */
  timeoutMs?: number;
  /** For a question, with all tries. Default 2 s. */
  queryTimeoutMs?: number;
  /** Tries of a batch of documents, the first one included. Default 4. */
  triesMax?: number;
  /** Waits between two tries. Default: by the clock. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const RETRY_FIRST_MS = 500;
const RETRY_MOST_MS = 30_000;
/** Far above what the largest batch of the longest vectors takes as JSON. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/**
 * A model behind an OpenAI-compatible `POST /v1/embeddings` (https://platform.openai.com/docs/api-reference/embeddings/create). Batches
 * are bounded, tried again when the endpoint is busy or away, and what comes back is looked at number by number.
 */
export async function openEndpointEmbedder(
  options: EndpointEmbedderOptions,
  signal: AbortSignal,
): Promise<Embedder> {
  const { textsMax = 32, requestsMax = 2, charactersMax = 4000, triesMax = 4 } = options;
  const { timeoutMs = 60_000, queryTimeoutMs = 2000, pause = pauseByClock } = options;
  const preparation = createTextPreparation(options.prefixes);
  const agent = new Agent({ connections: requestsMax + 1, headersTimeout: 0, bodyTimeout: 0 });
  const closing = new AbortController();
  let dimensions = options.dimensions ?? 0;
  let running = 0;
  const waiting: (() => void)[] = [];
  try {
    if (dimensions === 0) dimensions = (await patiently(['dimensions'], signal))[0]!.length;
  } catch (error) {
    await agent.destroy();
    throw error;
  }
  const kind: VectorKind = {
    model: `${options.model}@${new URL(options.url).host}`,
    dimensions,
    preparation: preparation.name,
  };

  return {
    kind,
    async embedDocuments(chunks, callSignal) {
      const texts = chunks.map((chunk) => preparation.document(chunk).slice(0, charactersMax));
      const batches = Array.from({ length: Math.ceil(texts.length / textsMax) }, (_, i) =>
        texts.slice(i * textsMax, (i + 1) * textsMax),
      );
      // One that fails stops those that have not begun.
      return withCallSignal([callSignal, closing.signal], async (own) => {
        const found = await Promise.all(batches.map((batch) => inTurn(() => patiently(batch, own), own)));
        return found.flat();
      });
    },
    async embedQuery(text, callSignal) {
      const texts = [preparation.query(text).slice(0, charactersMax)];
      return withCallSignal([callSignal, closing.signal], async (own) => {
        const [vector] = await once(texts, queryTimeoutMs, own);
        return vector!;
      });
    },
    async close() {
      closing.abort();
      await agent.destroy();
    },
  };

  async function inTurn<T>(work: () => Promise<T>, bounded: AbortSignal): Promise<T> {
    while (running >= requestsMax) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      if (bounded.aborted) throw cancelled(bounded.reason);
      return await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  }

  async function patiently(texts: readonly string[], bounded: AbortSignal): Promise<Float32Array[]> {
    for (let tries = 1; ; tries++) {
      try {
        return await once(texts, timeoutMs, bounded);
      } catch (error) {
        if (tries >= triesMax || !(error instanceof PeriscopeError) || !isWorthRetrying(error)) throw error;
        const askedMs = Number(error.data['retryAfterMs'] ?? 0);
        const waitMs = Math.min(RETRY_MOST_MS, Math.max(askedMs, RETRY_FIRST_MS * 2 ** (tries - 1)));
        await pause(waitMs, bounded);
        if (bounded.aborted) throw cancelled(bounded.reason);
      }
    }
  }

  async function once(texts: readonly string[], mostMs: number, outer: AbortSignal): Promise<Float32Array[]> {
    if (outer.aborted) throw cancelled(outer.reason);
    return withDeadline(outer, mostMs, async (bounded, expired) => {
      try {
        return vectorsOf(await ask(texts, bounded), texts.length, dimensions);
      } catch (error) {
        if (error instanceof PeriscopeError) throw error;
        if (expired()) throw endpointTimeout(mostMs);
        if (outer.aborted) throw cancelled(outer.reason);
        throw endpointUnavailable(connectionFault(error), error);
      }
    });
  }

  async function ask(texts: readonly string[], bounded: AbortSignal): Promise<unknown> {
    const token = typeof options.token === 'function' ? await options.token() : options.token;
    const { statusCode, headers, body } = await request(options.url, {
      method: 'POST',
      dispatcher: agent,
      signal: bounded,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({
        model: options.model,
        input: texts,
        encoding_format: 'float',
        ...(options.shortens && options.dimensions ? { dimensions: options.dimensions } : {}),
      }),
    });
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of body as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > ANSWER_BYTES_MAX) throw endpointRubbish('it does not end');
      parts.push(part);
    }
    const text = Buffer.concat(parts).toString('utf8');
    if (statusCode === 429 || statusCode >= 500) {
      const error = endpointUnavailable(
        statusCode === 429 ? 'it is asked too often' : `it fails with status ${statusCode}`,
      );
      error.data['retryAfterMs'] = 1000 * (Number(headers['retry-after']) || 0);
      throw error;
    }
    if (statusCode !== 200) throw endpointRefused(statusCode, codeOf(text));
    return parsed(text);
  }
}

/** Ends early, without an error, when the signal fires. */
async function pauseByClock(ms: number, signal: AbortSignal): Promise<void> {
  await pauseFor(ms, undefined, { signal }).catch(() => undefined);
}

function isWorthRetrying({ code }: PeriscopeError): boolean {
  return code === 'vectors/endpoint-unavailable' || code === 'vectors/endpoint-timeout';
}

function connectionFault(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? `the connection failed with ${code}` : 'the connection failed';
}

/** The error's own code or type. Its message is left out: it may hold a piece of the text. */
function codeOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; type?: unknown } };
    const word = String(error?.code ?? error?.type ?? '');
    return /^[\w.-]{1,60}$/.test(word) ? word : '';
  } catch {
    return '';
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw endpointRubbish('it is no JSON');
  }
}

/** In the order of the texts, each of length 1. `dimensions` 0 takes what the first one has. */
function vectorsOf(answer: unknown, count: number, dimensions: number): Float32Array[] {
  const data = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(data)) throw endpointRubbish('it has no data');
  if (data.length !== count) throw endpointRubbish(`it has ${data.length} vectors for ${count} texts`);
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  let wanted = dimensions;
  for (const one of data as ({ index?: unknown; embedding?: unknown } | null)[]) {
    const index = one?.index;
    const embedding = one?.embedding;
    if (typeof index !== 'number' || index < 0 || index >= count || vectors[index] !== undefined) {
      throw endpointRubbish('its vectors are not numbered one by one');
    }
    if (!Array.isArray(embedding) || embedding.length === 0) throw endpointRubbish('it has an empty vector');
    if (wanted === 0) wanted = embedding.length;
    if (embedding.length !== wanted) {
      throw endpointRubbish(`it has a vector of ${embedding.length} numbers instead of ${wanted}`);
    }
    vectors[index] = ofLengthOne(embedding);
  }
  return vectors as Float32Array[];
}

function ofLengthOne(embedding: readonly unknown[]): Float32Array {
  let square = 0;
  for (const value of embedding) {
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw endpointRubbish('it has a value that is no number');
    square += value * value;
  }
  if (square === 0) throw endpointRubbish('it has a vector of nothing but zeros');
  const factor = 1 / Math.sqrt(square);
  return Float32Array.from(embedding as number[], (value) => value * factor);
}
