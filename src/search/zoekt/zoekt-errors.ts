import { PeriscopeError } from '../../base/errors.ts';

/** Where zoekt-webserver listens unless it is told otherwise. */
export const defaultUrl = 'http://127.0.0.1:6070';

const start = `Start zoekt-webserver with -rpc there, or correct search.zoekt.urls in the config (default ${defaultUrl}).`;

export function zoektUnreachable(endpoint: string, why: string, cause: unknown): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'search/zoekt-unreachable',
    `The zoekt server does not answer at ${endpoint}: ${why}.`,
    start,
    { cause },
  );
}

export function zoektTooSlow(endpoint: string, timeoutMs: number): PeriscopeError {
  return new PeriscopeError(
    'timeout',
    'search/zoekt-too-slow',
    `The zoekt server at ${endpoint} has not answered within ${timeoutMs / 1000} seconds.`,
    'Search for something narrower: a longer text, or one repository.',
  );
}

export function zoektRefused(endpoint: string, status: number, said: string): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'search/zoekt-refused',
    `The zoekt server answers ${status} at ${endpoint}${said === '' ? '' : `: ${said}`}.`,
    start,
    { data: { status } },
  );
}

export function zoektNoJson(endpoint: string): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'search/zoekt-no-json',
    `What answers at ${endpoint} is no zoekt API: its answer is not JSON.`,
    start,
  );
}

export function zoektTooMuch(endpoint: string, bytesMax: number): PeriscopeError {
  return new PeriscopeError(
    'too-large',
    'search/zoekt-too-much',
    `The zoekt server at ${endpoint} answers with more than ${bytesMax} bytes.`,
    'Search for something rarer, or ask for fewer files.',
  );
}
