import { randomUUID } from 'node:crypto';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServerFactory } from './mcp-server.ts';
import type { CallerFor, McpDeps, McpOptions, McpStdioHandle, McpStdioStreams } from './types.ts';

/**
 * Serves the one client at the other end of the streams, in whichever generation it opens. The process is the conversation.
 * `authenticate` is asked for every call, so that a revoked token fails on the next one; it reads the credential of this process.
 */
export function serveMcpStdio(
  options: McpOptions,
  deps: McpDeps & { authenticate(): Promise<CallerFor> },
  { stdin, stdout }: McpStdioStreams,
): McpStdioHandle {
  const conversation = `stdio-${randomUUID()}`;
  const serverFor = createMcpServerFactory(options, deps);
  const ended = new Promise<void>((resolve) => {
    stdin.once('end', resolve);
    stdin.once('close', resolve);
  });
  const served = serveStdio(
    () =>
      serverFor(async ({ mcpReq }, clientName) => {
        const callerFor = await deps.authenticate();
        return callerFor({ conversation, clientName, signal: mcpReq.signal });
      }),
    {
      transport: new StdioServerTransport(stdin, stdout),
      onerror: (error) => deps.logger.warn('mcp stdio', { reason: error.message }),
    },
  );
  let markClosed: () => void = () => {};
  const closedHere = new Promise<void>((resolve) => {
    markClosed = resolve;
  });
  const close = async () => {
    await served.close();
    markClosed();
  };
  return { closed: Promise.race([closedHere, ended.then(close)]), close };
}
