/** The thread that embeds by the table and writes all vectors. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import { damagedFileOf } from '../search/index.ts';
import type { EmbeddingReply, EmbeddingRequest } from './embedding-messages.ts';
import { createEmbeddingServing } from './embedding-serving.ts';

/** Above the priority of nothing, below that of searches and of indexing texts. */
const niceness = 5;

if (parentPort === null) throw new Error('embedding-worker runs as a thread');
const port = parentPort;
yieldToOthers();
const answer = createEmbeddingServing();
port.on('message', (request: EmbeddingRequest) => {
  port.postMessage(replyTo(request));
});

function replyTo(request: EmbeddingRequest): EmbeddingReply {
  try {
    return { ok: true, value: answer(request) };
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: string };
    const damagedFile = damagedFileOf(error);
    return {
      ok: false,
      fault: { code: typeof code === 'string' ? code : null, message: message ?? String(error), damagedFile },
    };
  }
}

/** Threads have priorities of their own under Linux; elsewhere nothing is done. */
function yieldToOthers(): void {
  try {
    const thread = Number(path.basename(readlinkSync('/proc/thread-self')));
    if (thread > 0 && thread !== process.pid) setPriority(thread, niceness);
  } catch {
    // No such thing here.
  }
}
