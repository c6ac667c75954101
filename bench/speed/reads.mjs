/**
 * read_file warm: in process, over HTTP, over MCP, at 1 and at 32 callers, beside `git show` spawned for each read of the same places.
 * Then a listing of a directory of 5000 entries. Arguments: folders of repositories. BENCH_READS: reads of each kind (default 4000).
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Pool } from 'undici';
import { drawFiles, startBenchServer } from '../support/bench-server.mjs';
import { row, timed } from '../support/percentiles.mjs';
import { httpReadCall, mcpReadCall } from '../support/read-calls.mjs';

const run = promisify(execFile);
const total = Number(process.env['BENCH_READS'] ?? 4000);
const wide = makeWideRepository(5000);
const server = await startBenchServer([...process.argv.slice(2), wide]);
const { app, url, token } = server;
const callerFor = await app.authenticate({ kind: 'token', token });
const caller = (conversation) =>
  callerFor({ conversation, clientName: 'bench', signal: new AbortController().signal });
const lister = caller('draw');
const places = await drawFiles(app, lister, 400);
const place = (index) => places[index % places.length];
console.log(
  `${app.catalog.repositories().length} repositories, ${places.length} files, ${total} reads of each kind`,
);

// No conversation is named, so that the guards refuse nothing; callers side by side have each a signal of their own.
const callers32 = Array.from({ length: 32 }, () => caller(null));
const inProcess = (index) =>
  app.operations.handle({ name: 'read_file', input: { ...place(index), limit: 100 } }, callers32[index % 32]);
const pool = new Pool(new URL(url).origin, { connections: 32 });
const answered = async (call) => {
  const { statusCode, body } = await pool.request(call);
  const answer = await body.text();
  if (statusCode !== 200) throw new Error(`status ${statusCode}: ${answer}`);
};
const overHttp = (index) => answered(httpReadCall(token, place(index)));
const clients = await Promise.all(Array.from({ length: 32 }, connectMcp));
const overMcp = (index) =>
  clients[index % clients.length].callTool({ name: 'read_file', arguments: { ...place(index), limit: 100 } });
// What the server costs without the client's part, which runs in this process too.
const overMcpByHand = (index) => answered(mcpReadCall(token, place(index), index));
const gitDirs = new Map(app.catalog.repositories().map(({ name, location }) => [name, location.gitDir]));
const gitShow = async (index) => {
  const { repo, path: file } = place(index);
  await run('git', [`--git-dir=${gitDirs.get(repo)}`, 'show', `HEAD:${file}`], { maxBuffer: 1 << 24 });
};

for (const index of places.keys()) await inProcess(index);
for (const callers of [1, 32]) {
  console.log(`\n${callers} ${callers === 1 ? 'caller' : 'callers'}; the ratio is against git show`);
  const spawned = await timed(Math.min(total, 1000), callers, gitShow);
  console.log(row('git show, a process for each read', spawned));
  console.log(row('read_file in process', await timed(total, callers, inProcess), spawned));
  console.log(row('read_file over HTTP', await timed(total, callers, overHttp), spawned));
  console.log(
    row('read_file over MCP, requests by hand', await timed(total, callers, overMcpByHand), spawned),
  );
  console.log(row("read_file over MCP, the SDK's client", await timed(total, callers, overMcp), spawned));
}

let listings = 0;
// Each in a conversation of its own: the guards would rightly refuse the same call again and again.
const listing = () =>
  app.operations.handle(
    { name: 'list_directory', input: { repo: path.basename(wide), path: 'wide', max_tokens: 25_000 } },
    caller(`list-${listings++}`),
  );
await listing();
console.log(`\n${row('list_directory of 5000 entries, in process', await timed(100, 1, listing))}`);

await Promise.all(clients.map((client) => client.close()));
await pool.close();
await server.stop();
rmSync(wide, { recursive: true, force: true });

async function connectMcp() {
  const client = new Client({ name: 'bench', version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
  return client;
}

function makeWideRepository(entries) {
  const folder = mkdtempSync(path.join(tmpdir(), 'periscope-wide-'));
  const git = (args, input) =>
    execFileSync('git', ['-C', folder, ...args], { input, stdio: ['pipe', 'pipe', 'ignore'] });
  git(['init', '--quiet', '--initial-branch=main']);
  const files = Array.from(
    { length: entries },
    (_, index) => `M 100644 inline wide/file-${index}.txt\ndata ${String(index).length}\n${index}\n`,
  );
  git(
    ['fast-import', '--quiet'],
    `commit refs/heads/main\ncommitter a <a@b> 1700000000 +0000\ndata 1\nx\n${files.join('')}\n`,
  );
  return folder;
}
