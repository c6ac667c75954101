import { cancelled, type PeriscopeError } from '../../base/errors.ts';
import { withDeadline } from '../../base/with-deadline.ts';
import { zoektNoJson, zoektRefused, zoektTooMuch, zoektTooSlow, zoektUnreachable } from './zoekt-errors.ts';

export interface ZoektClientOptions {
  /** Of the server, without a trailing slash. */
  url: string;
  searchTimeoutMs: number;
  listTimeoutMs: number;
}

/** What is used of fetch. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** One zoekt-webserver's JSON API. What it answers is yet to be read (zoekt-answers.ts). */
export interface ZoektClient {
  readonly url: string;
  search(request: object, timeoutMs: number, signal: AbortSignal): Promise<unknown>;
  list(request: object, signal: AbortSignal): Promise<unknown>;
}

const ANSWER_BYTES_MAX = 256 << 20;
const SAID_MAX = 300;

export function createZoektClient(options: ZoektClientOptions, fetch: Fetch): ZoektClient {
  return {
    url: options.url,
    search: (request, timeoutMs, signal) =>
      ask('/api/search', request, Math.min(timeoutMs, options.searchTimeoutMs), signal),
    list: (request, signal) => ask('/api/list', request, options.listTimeoutMs, signal),
  };

  async function ask(
    path: string,
    request: object,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<unknown> {
    const endpoint = options.url + path;
    if (signal.aborted) throw cancelled();
    return withDeadline(signal, timeoutMs, async (bounded, expired) => {
      try {
        const response = await fetch(endpoint, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body: JSON.stringify(request),
          // A redirect leads to a login page or to another server that nobody has named.
          redirect: 'manual',
          signal: bounded,
        });
        const text = await boundedText(response, () => zoektTooMuch(endpoint, ANSWER_BYTES_MAX));
        if (response.status !== 200) throw zoektRefused(endpoint, response.status, saidIn(text));
        return jsonOf(text, endpoint);
      } catch (fault) {
        if (signal.aborted) throw cancelled(fault);
        if (expired()) throw zoektTooSlow(endpoint, timeoutMs);
        if (fault instanceof Error && fault.name === 'PeriscopeError') throw fault;
        throw zoektUnreachable(endpoint, reasonOf(fault), fault);
      }
    });
  }
}

async function boundedText(response: Response, tooMuch: () => PeriscopeError): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (response.body) {
    for await (const chunk of response.body) {
      size += chunk.length;
      if (size > ANSWER_BYTES_MAX) throw tooMuch();
      chunks.push(chunk);
    }
  }
  return Buffer.concat(chunks).toString();
}

function jsonOf(text: string, endpoint: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw zoektNoJson(endpoint);
  }
}

/** zoekt's own words, `{"Error": ...}`, if there are any: pages of proxies say nothing to an asker. */
function saidIn(text: string): string {
  try {
    const { Error: said } = JSON.parse(text) as { Error?: unknown };
    return typeof said === 'string' ? said.slice(0, SAID_MAX) : '';
  } catch {
    return '';
  }
}

/** fetch says no more than "fetch failed"; what failed is below. */
function reasonOf(fault: unknown): string {
  let at = fault;
  while (at instanceof Error && at.cause instanceof Error) at = at.cause;
  if (at instanceof Error && 'code' in at && typeof at.code === 'string') return at.code;
  return at instanceof Error ? at.message : 'unknown';
}
