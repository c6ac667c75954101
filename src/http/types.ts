import type { Logger } from '../base/logger.ts';
import type { CallerFor, McpEndpoint } from '../mcp/index.ts';
import type { Operations, ProgramOperations } from '../operations/index.ts';

/** What a request proves itself by. `local`: it came over the socket that only the operator's account can open. */
export type Credential = { kind: 'token'; token: string } | { kind: 'local' };

interface CommonOptions {
  /** Ours, told in the OpenAPI document. */
  version: string;
  /** Of one request. */
  bodyBytesMax: number;
  /** For a request to arrive whole; 0 waits for ever. An answer may take as long as its operation is allowed. */
  requestTimeoutMs: number;
  /** Requests in work at once, open event streams included; more are told to wait. */
  requestsInFlightMax: number;
  /** How often the token of an open event stream is looked up again. */
  tokenRecheckMs: number;
  /** How long `close` lets running requests finish before it cancels them. */
  closeGraceMs: number;
}

export interface HttpOptions extends CommonOptions {
  /** Address to listen on. */
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Where clients reach this server when that is not `host` and `port`: `https://periscope.example`. */
  publicUrl: string | null;
  /** Further names that a Host header may hold, with or without a port. */
  allowedHosts: readonly string[];
  /** Origins of pages that may call from a browser: `https://tools.example`. Our own always may. */
  allowedOrigins: readonly string[];
}

export interface SocketServerOptions extends CommonOptions {
  /** Of the socket; a left-over of a dead server is replaced, a live one refused. */
  path: string;
}

export interface HttpDeps {
  operations: Operations;
  /** What programs are offered beside the tools. */
  programs: ProgramOperations;
  mcp: McpEndpoint;
  /** Looks a credential up. Called for every request, and every few seconds for open streams. Fails with `unauthenticated`. */
  authenticate(credential: Credential): Promise<CallerFor>;
  readiness(): Readiness;
  /** Offered over the socket alone. Default: nothing is. */
  local?: LocalServer;
  /** What zoekt's JSON API is answered from. Default: the API is not offered. */
  zoekt?: ZoektBackend;
  metrics: HttpMetrics;
  logger: Logger;
}

export interface ZoektBackend {
  /** Within what the caller may see. */
  searchCode: ProgramOperations['searchCode'];
  listRepositories: ProgramOperations['listRepositories'];
  readWhole: ProgramOperations['readWhole'];
  /** Of a repository that one of these has named to the caller: what of it is indexed. */
  revisionsOf(repositoryId: number): readonly ZoektRevision[];
}

/** As search's IndexedRevision. */
export interface ZoektRevision {
  revision: string;
  kind: 'branch' | 'visited';
  isDefault: boolean;
  commit: string;
  committedMs: number;
  indexedMs: number;
  documents: number;
}

export interface Readiness {
  ready: boolean;
  /** What is not there yet, one phrase each. Everyone may read them: no repository is named. */
  missing: readonly string[];
}

export interface HttpServer {
  /** Settles when connections are accepted; `url` is what clients are told. */
  listen(): Promise<{ url: string; port: number }>;
  close(): Promise<void>;
}

export interface SocketServer {
  listen(): Promise<void>;
  close(): Promise<void>;
}

/** A number that somebody else counts, read when the metrics are asked for. */
export interface InjectedMetric {
  /** `periscope_mirror_fetches_total`. */
  name: string;
  help: string;
  kind: 'counter' | 'gauge';
  read(): number;
}

export interface HttpMetrics {
  /** Counts the calls of every surface that is given the result. */
  counting(operations: Operations): Operations;
  countRequest(request: { route: string; method: string; status: number; seconds: number }): void;
  /** Prometheus text format. */
  text(): Promise<string>;
  contentType: string;
  close(): void;
}

/** What the operator's own shell asks of the running server beside the tools. */
export interface LocalServer {
  about(): AboutServer;
  /** Asks every host now. The answer is the composition root's, passed on as JSON. */
  discover(signal: AbortSignal): Promise<object>;
}

export interface AboutServer {
  /** What clients are told; null while TCP is not listened on. */
  url: string | null;
  /** Names of the hosts that it serves, those of its command line included. */
  hosts: readonly string[];
}
