import { CLIENT_INFO_META_KEY, Server, type ServerContext } from '@modelcontextprotocol/server';
import type { Caller } from '../access/index.ts';
import { createMcpResources } from './mcp-resources.ts';
import { createMcpTools } from './mcp-tools.ts';
import type { McpDeps, McpOptions } from './types.ts';

/** Who makes the request that `context` is about; `clientName` as far as the protocol told it. */
export type CallerOfRequest = (context: ServerContext, clientName: string | null) => Promise<Caller>;

export type McpServerFactory = (callerOf: CallerOfRequest) => Server;

/** How long a client may keep what it was listed. Nothing is told to a client when it changes: that would tell of hidden repositories. */
const toolsTtlMs = 300_000;
const resourcesTtlMs = 30_000;

/**
 * Makes one SDK server per connection or request; what does not depend on the asker is prepared once.
 * The low-level `Server` is meant: `McpServer` would validate inputs itself, before the handler could repair what a model meant.
 */
export function createMcpServerFactory(options: McpOptions, deps: McpDeps): McpServerFactory {
  const tools = createMcpTools(deps);
  const resources = createMcpResources(deps);
  const implementation = { name: 'periscope', title: 'Periscope', version: options.version };
  const serverOptions = {
    capabilities: { tools: {}, resources: {}, completions: {} },
    instructions: deps.operations.instructions(),
    cacheHints: {
      'tools/list': { ttlMs: toolsTtlMs, cacheScope: 'private' },
      'resources/list': { ttlMs: resourcesTtlMs, cacheScope: 'private' },
      'resources/templates/list': { ttlMs: toolsTtlMs, cacheScope: 'private' },
      'resources/read': { ttlMs: 0, cacheScope: 'private' },
    },
  } as const;

  return (callerOf) => {
    const server = new Server(implementation, serverOptions);
    const callerIn = (context: ServerContext) => callerOf(context, clientNameOf(server, context));

    server.setRequestHandler('tools/list', () => tools.list());
    server.setRequestHandler('tools/call', ({ params }, context) =>
      tools.call(params.name, params.arguments ?? {}, () => callerIn(context)),
    );
    server.setRequestHandler('resources/list', async ({ params }, context) =>
      resources.list(params?.cursor, await callerIn(context)),
    );
    server.setRequestHandler('resources/templates/list', () => resources.templates());
    server.setRequestHandler('resources/read', async ({ params }, context) =>
      resources.read(params.uri, await callerIn(context)),
    );
    server.setRequestHandler('completion/complete', async ({ params }, context) =>
      resources.complete(
        {
          template: params.ref.type === 'ref/resource' ? params.ref.uri : null,
          argument: params.argument.name,
          value: params.argument.value,
          filled: params.context?.arguments ?? {},
        },
        await callerIn(context),
      ),
    );
    return server;
  };
}

/** Each request of the stateless generation names its client; before it, the handshake did once. */
function clientNameOf(server: Server, context: ServerContext): string | null {
  const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {};
  const named = envelope[CLIENT_INFO_META_KEY] as { name?: string } | undefined;
  return named?.name ?? server.getClientVersion()?.name ?? null;
}
