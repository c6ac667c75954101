/**
 * Offers the operations to agents over the Model Context Protocol: tools, repositories and files as resources, completion for the
 * client's @ menu. Both generations, the stateless one of 2026-07-28 and the handshake of 2025-11-25 and before, over Streamable
 * HTTP and over stdio. The one place that knows the MCP SDK.
 *
 * It translates and decides nothing: no access check, no guard, no validation of a tool's input. It knows no token and no web
 * framework; the caller of each request is handed in.
 *
 * Start with mcp-server.ts (what one server offers), then mcp-endpoint.ts and mcp-stdio.ts (the two transports).
 */
export { createMcpEndpoint } from './mcp-endpoint.ts';
export { serveMcpStdio } from './mcp-stdio.ts';
export type {
  CallerFor,
  McpDeps,
  McpEndpoint,
  McpEndpointOptions,
  McpHttpRequest,
  McpHttpResponse,
  McpOptions,
  McpStdioHandle,
  McpStdioStreams,
  RequestFacts,
} from './types.ts';
