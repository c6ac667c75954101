/**
 * Puts JSON lines before a zoekt-webserver, which it starts on the loopback for one index folder: the form that startPeerProcess takes.
 * A request has zoekt's query `q`, the files shown `num`, and `limits`: "api" (what POST /api/search takes by itself), "page" (what
 * zoekt's own page takes) or "none". `ms` is the duration that zoekt tells, so HTTP is not in it; its CPU time cannot be told from here.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_LIMIT_MS = 60_000;

const matchLimits = {
  api: {},
  page: { ShardMaxMatchCount: 100_000, TotalMaxMatchCount: 1_000_000 },
  none: { ShardMaxMatchCount: 2 ** 30, TotalMaxMatchCount: 2 ** 30 },
};

const [indexFolder] = process.argv.slice(2);
if (indexFolder === undefined) {
  console.error('Usage: node bench/peers/zoekt-webserver-lines.mjs INDEX_FOLDER');
  process.exit(2);
}
const address = `127.0.0.1:${await freePort()}`;
const server = spawn('zoekt-webserver', ['-index', indexFolder, '-listen', address, '-rpc'], {
  stdio: 'ignore',
});
server.on('error', ({ message }) => {
  console.error(`zoekt-webserver did not start: ${message}`);
  process.exit(2);
});
process.on('exit', () => server.kill());
const started = performance.now();
while (!(await fetch(`http://${address}/readyz`).catch(() => undefined))?.ok) {
  if (performance.now() - started > READY_LIMIT_MS) {
    console.error('zoekt-webserver did not load its index in a minute');
    process.exit(2);
  }
  await sleep(50);
}
console.log(JSON.stringify({ ready: true }));
const running = [];
for await (const line of createInterface({ input: process.stdin }))
  running.push(answer(JSON.parse(line)).then((reply) => console.log(JSON.stringify(reply))));
await Promise.all(running);
process.exit();

async function answer({ id, q, num = 30, limits = 'api', names = false }) {
  const response = await fetch(`http://${address}/api/search`, {
    method: 'POST',
    body: JSON.stringify({ Q: q, Opts: { MaxDocDisplayCount: num, ...matchLimits[limits] } }),
  });
  const { Result: result, Error: error } = await response.json();
  if (error) return { id, ms: null, cpuMs: null, files: 0, filesFound: 0, matches: 0, atLeast: false, error };
  const files = result.Files ?? [];
  return {
    id,
    ms: result.Duration / 1e6,
    cpuMs: null,
    files: files.length,
    filesFound: result.FileCount,
    matches: result.MatchCount,
    atLeast: result.FilesSkipped > 0 || result.ShardsSkipped > 0,
    ...(names && { names: files.map(({ Repository, FileName }) => `${Repository}:${FileName}`) }),
    ...(result.Crashes > 0 && { error: `${result.Crashes} shards crashed` }),
  };
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
