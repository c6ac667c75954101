/** How each client is told of an MCP server over HTTP with a bearer token. */
export interface PasteFacts {
  url: string;
  tokenFile: string;
}

const clients = {
  'claude-code': ({ url, tokenFile }: PasteFacts) =>
    `claude mcp add --transport http periscope ${url}/mcp --header "Authorization: Bearer $(cat '${tokenFile}')"`,
  codex: ({ url, tokenFile }: PasteFacts) =>
    [
      '# ~/.codex/config.toml',
      '[mcp_servers.periscope]',
      `url = "${url}/mcp"`,
      'bearer_token_env_var = "PERISCOPE_TOKEN"',
      `# and in your shell: export PERISCOPE_TOKEN="$(cat '${tokenFile}')"`,
    ].join('\n'),
  opencode: ({ url, tokenFile }: PasteFacts) =>
    `// opencode.json\n${json({ mcp: { periscope: { type: 'remote', url: `${url}/mcp`, headers: { Authorization: `Bearer {file:${tokenFile}}` } } } })}`,
  cursor: ({ url }: PasteFacts) =>
    `// ~/.cursor/mcp.json, with PERISCOPE_TOKEN in the environment\n${json({ mcpServers: { periscope: { url: `${url}/mcp`, headers: { Authorization: bearerFromEnv('{env:PERISCOPE_TOKEN}') } } } })}`,
  vscode: ({ url }: PasteFacts) =>
    `// .vscode/mcp.json\n${json({
      inputs: [
        { type: 'promptString', id: 'periscope-token', description: 'Periscope token', password: true },
      ],
      servers: {
        periscope: {
          type: 'http',
          url: `${url}/mcp`,
          headers: { Authorization: `Bearer ${bearerFromEnv('{input:periscope-token}').slice(7)}` },
        },
      },
    })}`,
  gemini: ({ url }: PasteFacts) =>
    `// ~/.gemini/settings.json, with PERISCOPE_TOKEN in the environment\n${json({ mcpServers: { periscope: { httpUrl: `${url}/mcp`, headers: { Authorization: 'Bearer $PERISCOPE_TOKEN' } } } })}`,
  stdio: () =>
    `// any client that starts a process; it reads the data folder of this machine\n${json({ mcpServers: { periscope: { command: 'periscope', args: ['mcp'] } } })}`,
} as const;

export type PasteClient = keyof typeof clients;
export const pasteClients = Object.keys(clients) as PasteClient[];

export function pasteLines(client: PasteClient, facts: PasteFacts): string {
  return clients[client](facts);
}

/** These clients write a reference as `${...}`. */
function bearerFromEnv(reference: string): string {
  return `Bearer $${reference}`;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
