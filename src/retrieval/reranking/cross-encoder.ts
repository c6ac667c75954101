import { Agent, request } from 'undici';
import { cancelled, PeriscopeError } from '../../base/errors.ts';
import { withDeadline } from '../../base/with-deadline.ts';
import {
  crossEncoderRefused,
  crossEncoderRubbish,
  crossEncoderTimeout,
  crossEncoderUnavailable,
} from '../errors.ts';

/** What an endpoint is asked and answers: the two shapes that rerankers speak. */
export const crossEncoderDialects = ['tei', 'cohere'] as const;
export type CrossEncoderDialect = (typeof crossEncoderDialects)[number];

export interface CrossEncoderOptions {
  /** tei: `{query, texts}` gives `[{index, score}]`. cohere: `{model, query, documents}` gives `{results: [{index, relevance_score}]}`. */
  dialect: CrossEncoderDialect;
  /** Of the call itself: `http://localhost:8080/rerank`, `http://localhost:8000/v1/rerank`. */
  url: string;
  /** Sent in the cohere dialect; tei serves one model. */
  model: string | null;
  /** Gives what is sent as a bearer token, asked anew for each question; null sends none. */
  token: (() => Promise<string>) | null;
  /** For a question, with all its requests. Default 1 s. */
  timeoutMs?: number;
  /** Texts of one request. Default 32, which is what TEI takes unless told otherwise. */
  textsMax?: number;
  /** Longer texts are cut. Default 4000. */
  charactersMax?: number;
}

/** Reads a question and a text together, which tells more than two vectors and costs far more. */
export interface CrossEncoder {
  /** One score for each text, in their order; higher is better, and nothing else can be said of the numbers. */
  scores(question: string, texts: readonly string[], signal: AbortSignal): Promise<Float64Array>;
  close(): Promise<void>;
}

const REQUESTS_MAX = 4;
/** Far above a list of numbers. */
const ANSWER_BYTES_MAX = 1024 * 1024;

/**
 * A model behind `POST /rerank` of text-embeddings-inference, or behind one of Cohere's shape, which Jina, vLLM and others answer too.
 * Asked once: whoever asks goes on without it. What comes back is looked at number by number.
 */
export function createCrossEncoder(options: CrossEncoderOptions): CrossEncoder {
  const { timeoutMs = 1000, textsMax = 32, charactersMax = 4000 } = options;
  const dialect = dialects[options.dialect];
  const agent = new Agent({ connections: REQUESTS_MAX, headersTimeout: 0, bodyTimeout: 0 });

  return {
    async scores(question, texts, signal) {
      if (texts.length === 0) return new Float64Array(0);
      const cut = texts.map((text) => text.slice(0, charactersMax));
      if (signal.aborted) throw cancelled(signal.reason);
      return withDeadline(signal, timeoutMs, async (bounded, expired) => {
        try {
          const token = await tokenOf(options.token);
          const scores = new Float64Array(texts.length);
          const batches = Array.from({ length: Math.ceil(cut.length / textsMax) }, (_, at) => at * textsMax);
          await Promise.all(
            batches.map(async (from) => {
              const some = cut.slice(from, from + textsMax);
              const body = dialect.body(question.slice(0, charactersMax), some, options.model);
              scores.set(
                scoresIn(dialect.listOf(await ask(body, token, bounded)), dialect.score, some.length),
                from,
              );
            }),
          );
          return scores;
        } catch (error) {
          if (error instanceof PeriscopeError) throw error;
          if (expired()) throw crossEncoderTimeout(timeoutMs);
          if (signal.aborted) throw cancelled(signal.reason);
          throw crossEncoderUnavailable(connectionFault(error), error);
        }
      });
    },
    close: () => agent.destroy(),
  };

  async function ask(body: unknown, token: string | null, signal: AbortSignal): Promise<unknown> {
    const response = await request(options.url, {
      method: 'POST',
      dispatcher: agent,
      signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of response.body as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > ANSWER_BYTES_MAX) throw crossEncoderRubbish('it does not end');
      parts.push(part);
    }
    const { statusCode } = response;
    if (statusCode === 429) throw crossEncoderUnavailable('it is asked too often');
    if (statusCode >= 500) throw crossEncoderUnavailable(`it fails with status ${statusCode}`);
    if (statusCode !== 200) throw crossEncoderRefused(statusCode);
    try {
      return JSON.parse(Buffer.concat(parts).toString('utf8'));
    } catch {
      throw crossEncoderRubbish('it is no JSON');
    }
  }
}

async function tokenOf(token: CrossEncoderOptions['token']): Promise<string | null> {
  try {
    return token === null ? null : await token();
  } catch (fault) {
    throw crossEncoderUnavailable('its token cannot be read', fault);
  }
}

interface Dialect {
  body(question: string, texts: readonly string[], model: string | null): unknown;
  listOf(answer: unknown): unknown;
  /** Name of the number. */
  score: string;
}

const dialects: Readonly<Record<CrossEncoderDialect, Dialect>> = {
  tei: {
    body: (query, texts) => ({ query, texts, truncate: true }),
    listOf: (answer) => answer,
    score: 'score',
  },
  cohere: {
    body: (query, documents, model) => ({
      ...(model === null ? {} : { model }),
      query,
      documents,
      top_n: documents.length,
    }),
    listOf: (answer) => (answer as { results?: unknown } | null)?.results,
    score: 'relevance_score',
  },
};

function scoresIn(list: unknown, name: string, count: number): Float64Array {
  if (!Array.isArray(list)) throw crossEncoderRubbish('it has no list');
  if (list.length !== count) throw crossEncoderRubbish(`it has ${list.length} scores for ${count} texts`);
  const scores = new Float64Array(count).fill(Number.NaN);
  for (const one of list as (Record<string, unknown> | null)[]) {
    const index = one?.['index'];
    const score = one?.[name];
    if (!isPlace(index, count) || !Number.isNaN(scores[index]!))
      throw crossEncoderRubbish('its scores are not numbered one by one');
    if (typeof score !== 'number' || !Number.isFinite(score))
      throw crossEncoderRubbish('it has a score that is no number');
    scores[index] = score;
  }
  return scores;
}

function isPlace(index: unknown, count: number): index is number {
  return typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < count;
}

function connectionFault(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? `the connection failed with ${code}` : 'the connection failed';
}
