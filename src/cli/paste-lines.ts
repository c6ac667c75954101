import path from 'node:path';
import type { Config } from '../config/index.ts';
import { ownCommand } from './own-command.ts';

/** How each client is told of an MCP server over HTTP with a bearer token. */
export interface PasteFacts {
  url: string;
  tokenFile: string;
  /** The words that serve one client over standard input and output, from any shell and folder. */
  stdio: readonly [string, ...string[]];
}

export interface PasteLines {
  /** Where it is put; null for a line of the shell. */
  where: string | null;
  /** To paste as it is. */
  text: string;
}

const clients = {
  'claude-code': ({ url, tokenFile }: PasteFacts) => ({
    where: null,
    text: `claude mcp add --transport http periscope ${url}/mcp --header "Authorization: Bearer $(cat '${tokenFile}')"`,
  }),
  codex: ({ url, tokenFile }: PasteFacts) => ({
    where: `~/.codex/config.toml, with PERISCOPE_TOKEN in the environment: export PERISCOPE_TOKEN="$(cat '${tokenFile}')"`,
    text: ['[mcp_servers.periscope]', `url = "${url}/mcp"`, 'bearer_token_env_var = "PERISCOPE_TOKEN"'].join(
      '\n',
    ),
  }),
  opencode: ({ url, tokenFile }: PasteFacts) => ({
    where: 'opencode.json',
    text: json({
      mcp: {
        periscope: {
          type: 'remote',
          url: `${url}/mcp`,
          headers: { Authorization: `Bearer {file:${tokenFile}}` },
        },
      },
    }),
  }),
  cursor: ({ url }: PasteFacts) => ({
    where: '~/.cursor/mcp.json, with PERISCOPE_TOKEN in the environment',
    text: json({
      mcpServers: {
        periscope: {
          url: `${url}/mcp`,
          headers: { Authorization: bearerFromEnv('{env:PERISCOPE_TOKEN}') },
        },
      },
    }),
  }),
  vscode: ({ url }: PasteFacts) => ({
    where: '.vscode/mcp.json',
    text: json({
      inputs: [
        { type: 'promptString', id: 'periscope-token', description: 'Periscope token', password: true },
      ],
      servers: {
        periscope: {
          type: 'http',
          url: `${url}/mcp`,
          headers: { Authorization: bearerFromEnv('{input:periscope-token}') },
        },
      },
    }),
  }),
  gemini: ({ url }: PasteFacts) => ({
    where: '~/.gemini/settings.json, with PERISCOPE_TOKEN in the environment',
    text: json({
      mcpServers: {
        periscope: { httpUrl: `${url}/mcp`, headers: { Authorization: 'Bearer $PERISCOPE_TOKEN' } },
      },
    }),
  }),
  stdio: ({ stdio: [command, ...args] }: PasteFacts) => ({
    where: 'any client that starts a process; it reads the data folder of this machine',
    text: json({ mcpServers: { periscope: { command, args } } }),
  }),
} as const satisfies Record<string, (facts: PasteFacts) => PasteLines>;

export type PasteClient = keyof typeof clients;
export const pasteClients = Object.keys(clients) as PasteClient[];

export function pasteFacts({ file, dataFolder }: Config, url: string): PasteFacts {
  const [program, ...before] = ownCommand();
  const named = file !== null && file !== dataFolder.config ? ['--config', file] : [];
  return {
    url,
    tokenFile: path.resolve(dataFolder.token),
    stdio: [program, ...before, 'mcp', '--data', path.resolve(dataFolder.folder), ...named],
  };
}

export function pasteLines(client: PasteClient, facts: PasteFacts): PasteLines {
  return clients[client](facts);
}

/** These clients write a reference as `${...}`. */
function bearerFromEnv(reference: string): string {
  return `Bearer $${reference}`;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
