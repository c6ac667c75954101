import { createHash } from 'node:crypto';
import type { OperationDescription } from '../operations/index.ts';

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}' +
  'pre,code{font:14px/1.4 ui-monospace,monospace}pre{overflow:auto;padding:.6rem;border:1px solid #8886}' +
  'td,th{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem 0}';

/** Nothing is loaded, nothing runs, nobody frames it. */
export const apiPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The API for a person: plain HTML, whole in one answer. */
export function apiPage(operations: readonly OperationDescription[], url: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Periscope API</title><style>${style}</style></head>
<body>
<h1>Periscope API</h1>
<p>Each request carries <code>Authorization: Bearer psc_...</code>. The same as a machine reads it: <a href="/openapi.json">openapi.json</a>.
Agents speak MCP at <code>${escaped(url)}/mcp</code>.</p>
<h2>Tools</h2>
${operations.map((operation) => toolSection(operation, url)).join('\n')}
<h2>Mentions</h2>
<p><code>GET /api/mentions?q=&amp;limit=</code> lists repositories to mention; <code>POST /api/mentions/expand</code> with
<code>{"text": "..."}</code> gives what a model is told about those that a text mentions.</p>
<h2>Changes</h2>
<p><code>POST /api/repositories/OWNER/NAME/changed</code> has a repository looked at now, for hooks of a forge that pushes.</p>
</body>
</html>
`;
}

function toolSection({ name, title, description, inputSchema }: OperationDescription, url: string): string {
  const properties = Object.entries((inputSchema['properties'] ?? {}) as Record<string, unknown>);
  const rows = properties.map(([key, schema]) => parameterRow(key, schema as Record<string, unknown>));
  return `<h3 id="${escaped(name)}">${escaped(name)}: ${escaped(title)}</h3>
<p>${escaped(description).replaceAll('\n', '<br>')}</p>
<table><tr><th>parameter</th><th>type</th><th>meaning</th></tr>${rows.join('')}</table>
<pre>curl -H "Authorization: Bearer $PERISCOPE_TOKEN" -H "Content-Type: application/json" -d '{}' ${escaped(url)}/api/tools/${escaped(name)}</pre>`;
}

function parameterRow(key: string, { type, description }: Record<string, unknown>): string {
  const kind = Array.isArray(type) ? type.join(' or ') : String(type ?? '');
  return `<tr><td><code>${escaped(key)}</code></td><td>${escaped(kind)}</td><td>${escaped(String(description ?? ''))}</td></tr>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
