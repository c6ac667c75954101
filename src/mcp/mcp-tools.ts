import {
  type CallToolResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { Caller } from '../access/index.ts';
import { asPeriscopeError } from '../base/errors.ts';
import { errorText } from './error-text.ts';
import type { McpDeps } from './types.ts';

export interface McpTools {
  list(): ListToolsResult;
  call(name: string, input: unknown, caller: () => Promise<Caller>): Promise<CallToolResult>;
}

/** An answer is given once, as text for the model: see docs/decisions/0003-text-answers-over-mcp.md. */
export function createMcpTools({ operations, logger }: McpDeps): McpTools {
  const listed: ListToolsResult = {
    tools: operations.list().map(({ name, title, description, inputSchema }) => ({
      name,
      title,
      description,
      inputSchema: { ...inputSchema, type: 'object' as const },
      annotations: {
        title,
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    })),
  };
  const names = listed.tools.map((tool) => tool.name).join(', ');

  return {
    list: () => listed,
    async call(name, input, caller) {
      if (!operations.knows(name)) {
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `There is no tool "${name}". The tools are ${names}.`,
        );
      }
      try {
        const answer = await operations.handle({ name, input }, await caller());
        return { content: [{ type: 'text', text: answer.text }] };
      } catch (thrown) {
        const error = asPeriscopeError(thrown);
        if (error.kind === 'internal') logger.error('tool call failed', { tool: name, error: thrown });
        return { content: [{ type: 'text', text: errorText(error) }], isError: true };
      }
    },
  };
}
