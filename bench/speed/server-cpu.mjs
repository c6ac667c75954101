/**
 * What one warm read costs the server: its CPU time for a call in process, over HTTP and over MCP, the clients in a process of their
 * own. Arguments: folders of repositories. BENCH_READS: reads of each kind (default 4000).
 */
import { fork } from 'node:child_process';
import path from 'node:path';
import { drawFiles, startBenchServer } from '../support/bench-server.mjs';

const total = Number(process.env['BENCH_READS'] ?? 4000);
const callers = 32;
const server = await startBenchServer(process.argv.slice(2));
const { app, url, token } = server;
const callerFor = await app.authenticate({ kind: 'token', token });
// No conversation is named, so that the guards refuse nothing; each caller has a signal of its own.
const conversations = Array.from({ length: callers }, () =>
  callerFor({ conversation: null, clientName: 'bench', signal: new AbortController().signal }),
);
const places = await drawFiles(app, conversations[0], 400);
const client = fork(path.join(import.meta.dirname, '../support/load-client.mjs'));

const inProcess = async (calls) => {
  let next = 0;
  const one = async (caller) => {
    while (next < calls) {
      const input = { ...places[next++ % places.length], limit: 100 };
      await app.operations.handle({ name: 'read_file', input }, caller);
    }
  };
  const started = performance.now();
  await Promise.all(conversations.map(one));
  return performance.now() - started;
};
const over = (surface) => (calls) =>
  new Promise((resolve, reject) => {
    client.once('message', ({ elapsedMs }) => resolve(elapsedMs));
    client.once('exit', () => reject(new Error('the client ended')));
    client.send({ url: new URL(url).origin, token, places, calls, callers, surface });
  });

for (const [name, run] of [
  ['in process', inProcess],
  ['over HTTP', over('http')],
  ['over MCP', over('mcp')],
]) {
  await run(Math.min(total, 1000));
  const before = process.cpuUsage();
  const elapsedMs = await run(total);
  const { user, system } = process.cpuUsage(before);
  const microseconds = ((user + system) / total).toFixed(0);
  const perSecond = ((total / elapsedMs) * 1000).toFixed(0);
  console.log(
    `read_file ${name.padEnd(12)} ${microseconds.padStart(6)} us of server CPU a call  ${perSecond.padStart(6)}/s at ${callers} callers`,
  );
}

client.removeAllListeners('exit');
client.kill();
await server.stop();
