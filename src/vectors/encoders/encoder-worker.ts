/** A thread that runs a sentence encoder. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { prepareDefaultModel } from './default-model.ts';
import type { EncodeRequest, EncoderWorkerData } from './encoder-messages.ts';
import { loadOnnxEncoder, type OnnxEncoder } from './onnx-encoder.ts';
import { serveModel } from './serve-model.ts';

if (parentPort === null) throw new Error('encoder-worker runs as a thread');
const { files, niceness } = workerData as EncoderWorkerData;
yieldToOthers();
serveModel(parentPort, load, (encoder, { texts }: EncodeRequest) => encoder.encode(texts));

/** Converting the default model takes seconds of a core: they are this thread's. */
async function load(): Promise<OnnxEncoder> {
  return loadOnnxEncoder('folder' in files ? await prepareDefaultModel(files.folder) : files);
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
