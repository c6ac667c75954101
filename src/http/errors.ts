import type { Scope } from '../access/index.ts';
import { invalidRequest, PeriscopeError } from '../base/errors.ts';

export function tokenMissing(): PeriscopeError {
  return new PeriscopeError(
    'unauthenticated',
    'http/token-missing',
    'The request carries no token.',
    'Send the header "Authorization: Bearer psc_..."; "periscope token create" makes a token.',
  );
}

export function scopeMissing(scope: Scope): PeriscopeError {
  return new PeriscopeError(
    'blocked-by-policy',
    'http/scope-missing',
    `This token lacks the scope "${scope}".`,
    `Use a token with it: "periscope token create --scope ${scope}".`,
    { data: { scope } },
  );
}

export function hostRefused(host: string): PeriscopeError {
  return new PeriscopeError(
    'blocked-by-policy',
    'http/host-refused',
    `This server does not answer to the name "${host}".`,
    'Use the URL that the server printed at its start, or have the operator add the name to http.allowedHosts.',
  );
}

export function originRefused(origin: string): PeriscopeError {
  return new PeriscopeError(
    'blocked-by-policy',
    'http/origin-refused',
    `Pages of ${origin} may not call this server.`,
    'Call from outside a browser, or have the operator add the origin to http.allowedOrigins.',
  );
}

export function routeNotFound(method: string, path: string): PeriscopeError {
  return invalidRequest(
    'http/no-such-route',
    `There is no ${method} ${path}.`,
    'See GET /openapi.json for what there is; a tool is called by POST /api/tools/NAME.',
  );
}

export function bodyNotJson(): PeriscopeError {
  return invalidRequest(
    'http/body-not-json',
    'The body is not valid JSON.',
    'Send one JSON object, for example {"repo": "payments", "path": "README.md"}.',
  );
}

export function mediaTypeRefused(mediaType: string): PeriscopeError {
  return invalidRequest(
    'http/media-type',
    `A body of type "${mediaType}" is not read here.`,
    'Send JSON with the header "Content-Type: application/json".',
  );
}

export function bodyTooLarge(bytesMax: number): PeriscopeError {
  return new PeriscopeError(
    'too-large',
    'http/body-too-large',
    `The body is over ${bytesMax} bytes.`,
    'Send a smaller request.',
    { data: { bytesMax } },
  );
}

export function malformedRequest(message: string): PeriscopeError {
  return invalidRequest('http/malformed', message, 'Send a well-formed HTTP/1.1 request.');
}

export function parameterInvalid(name: string, wanted: string): PeriscopeError {
  return invalidRequest('http/parameter', `${name} is not ${wanted}.`, `Send ${name} as ${wanted}.`);
}

export function zoektQueryInvalid(what: string): PeriscopeError {
  return invalidRequest(
    'http/zoekt-query',
    `The query cannot be read: ${what}.`,
    'Write it in the query language of zoekt, for example: retry file:\\.go$ repo:payments.',
  );
}

export function tooManyRequests(): PeriscopeError {
  return new PeriscopeError(
    'busy',
    'http/too-many-requests',
    'The server works on as many requests as it may.',
    'Wait a second and send the same request again.',
  );
}

export function tooManyOfOneAsker(): PeriscopeError {
  return new PeriscopeError(
    'busy',
    'http/too-many-of-one-asker',
    'The server works on as many requests of yours as it may.',
    'Wait until some of them are answered, then send the same request again.',
  );
}

export function addressInUse(address: string): PeriscopeError {
  return new PeriscopeError(
    'conflict',
    'http/address-in-use',
    `${address} is in use by another program.`,
    'Stop that program, or choose another port with --port or http.listen.port.',
  );
}

export function cannotListen(address: string, cause: Error): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'http/cannot-listen',
    `Cannot listen on ${address}: ${cause.message}.`,
    'Correct the address in the config; the folder of a socket must exist and be writable.',
    { cause },
  );
}

export function socketPathTooLong(path: string, bytesMax: number): PeriscopeError {
  return invalidRequest(
    'http/socket-path-too-long',
    `The path of the socket is over ${bytesMax} bytes: ${path}.`,
    'Choose a data folder with a shorter path.',
  );
}
