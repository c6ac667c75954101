/** One read of 100 lines over the HTTP API, as undici sends it. */
export function httpReadCall(token, place) {
  return {
    method: 'POST',
    path: '/api/tools/read_file',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...place, limit: 100 }),
  };
}

/** The same over MCP, the protocol's request written by hand: no client library has a part in it. */
export function mcpReadCall(token, place, index) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  };
  return {
    method: 'POST',
    path: '/mcp',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'read_file',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: index + 1,
      method: 'tools/call',
      params: { name: 'read_file', arguments: { ...place, limit: 100 }, _meta: meta },
    }),
  };
}
