/**
 * The HTTP surface: tools as JSON, the picker's data, the MCP endpoint, OpenAPI, health and metrics, over TCP for everyone with a
 * token and over a unix socket for the operator's own shell. The one place that knows the web framework and the metrics format.
 *
 * It translates and decides nothing but what belongs to the wire: Host, Origin, sizes, status codes, and that nobody is anonymous.
 * Tokens are looked up by a function that is handed in; what a caller may see is the operations' business.
 *
 * Start with http-server.ts (listening and closing), then http-app.ts (what every request passes, and the routes).
 */
export { createHttpServer, createSocketServer } from './http-server.ts';
export { createHttpMetrics } from './metrics.ts';
export type {
  AboutServer,
  Credential,
  HttpDeps,
  HttpMetrics,
  HttpOptions,
  HttpServer,
  InjectedMetric,
  LocalServer,
  Readiness,
  SocketServer,
  SocketServerOptions,
  ZoektBackend,
  ZoektRevision,
} from './types.ts';
