/** A thread that runs a sentence encoder. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PeriscopeError } from '../../base/errors.ts';
import { prepareDefaultModel } from './default-model.ts';
import type { EncodeReply, EncodeRequest, EncoderWorkerData } from './encoder-messages.ts';
import { loadOnnxEncoder, type OnnxEncoder } from './onnx-encoder.ts';

if (parentPort === null) throw new Error('encoder-worker runs as a thread');
const port = parentPort;
const { files, niceness } = workerData as EncoderWorkerData;
yieldToOthers();
let loading: Promise<OnnxEncoder> | undefined;
let last = Promise.resolve();
port.on('message', ({ texts }: EncodeRequest) => {
  last = last.then(async () => {
    const reply = await encoded(texts);
    port.postMessage(reply, reply.ok ? [reply.vectors.buffer as ArrayBuffer] : []);
  });
});

async function encoded(texts: readonly string[]): Promise<EncodeReply> {
  try {
    loading ??= load();
    return { ok: true, vectors: await (await loading).encode(texts) };
  } catch (fault) {
    loading = undefined;
    if (!(fault instanceof PeriscopeError)) return { ok: false, what: String(fault), fault: null };
    const { kind, code, message, next } = fault;
    return { ok: false, what: message, fault: { kind, code, message, next } };
  }
}

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
