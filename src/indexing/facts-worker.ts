/** A thread that extracts facts. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { createExtractor } from '../symbols/index.ts';
import type { FactsWorkerData } from './facts-messages.ts';
import { serveFacts } from './facts-serving.ts';

/** Above the priority of nothing, below that of searches and of indexing texts. */
const niceness = 5;
/** By the clock: a thread that gives way to others takes several times as long as the text alone would. */
const deadlineMs = 10_000;

if (parentPort === null) throw new Error('facts-worker runs as a thread');
yieldToOthers();
serveFacts(parentPort, (workerData as FactsWorkerData).at, await createExtractor({ deadlineMs }));

/** Threads have priorities of their own under Linux; elsewhere nothing is done. */
function yieldToOthers(): void {
  try {
    const thread = Number(path.basename(readlinkSync('/proc/thread-self')));
    if (thread > 0 && thread !== process.pid) setPriority(thread, niceness);
  } catch {
    // No such thing here.
  }
}
