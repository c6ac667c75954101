/**
 * Sends read_file calls from a process of its own, so that the server's share of the work can be told from the client's.
 * The parent sends {url, token, places, calls, callers, surface}; the answer is {elapsedMs}.
 */
import { Pool } from 'undici';
import { httpReadCall, mcpReadCall } from './read-calls.mjs';

const pools = new Map();

process.on('message', async ({ url, token, places, calls, callers, surface }) => {
  if (!pools.has(url)) pools.set(url, new Pool(url, { connections: 32 }));
  const pool = pools.get(url);
  const callOf = surface === 'mcp' ? mcpReadCall : httpReadCall;
  let next = 0;
  const one = async () => {
    while (next < calls) {
      const index = next++;
      const { statusCode, body } = await pool.request(callOf(token, places[index % places.length], index));
      const answer = await body.text();
      if (statusCode !== 200) throw new Error(`status ${statusCode}: ${answer}`);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: callers }, one));
  process.send({ elapsedMs: performance.now() - started });
});
