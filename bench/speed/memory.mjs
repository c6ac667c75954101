/**
 * Resident memory after a million reads against that after the first hundred thousand. Arguments: folders of repositories.
 * BENCH_MEMORY_READS: reads in all (default 1 000 000).
 */
import { setImmediate } from 'node:timers/promises';
import { drawFiles, startBenchServer } from '../support/bench-server.mjs';

const total = Number(process.env['BENCH_MEMORY_READS'] ?? 1_000_000);
const server = await startBenchServer(process.argv.slice(2));
const { app, token } = server;
const callerFor = await app.authenticate({ kind: 'token', token });
const signal = new AbortController().signal;
const places = await drawFiles(app, callerFor({ conversation: 'draw', clientName: 'bench', signal }), 2000);
let first = 0;
for (let done = 1; done <= total; done++) {
  // A new conversation now and then, as a server that lives for months sees them.
  const caller = callerFor({ conversation: `c${Math.floor(done / 50)}`, clientName: 'bench', signal });
  await app.operations.handle(
    { name: 'read_file', input: { ...places[done % places.length], limit: 50 } },
    caller,
  );
  // A server's reads come over sockets: between them the event loop turns, and timers and batches have their time.
  if (done % 20 === 0) await setImmediate();
  if (done % (total / 10) === 0) {
    globalThis.gc?.();
    const resident = process.memoryUsage.rss() / 1e6;
    first ||= resident;
    console.log(
      `${done} reads: ${resident.toFixed(0)} MB resident, ${(resident / first).toFixed(3)} of that after ${total / 10}`,
    );
  }
}
await server.stop();
