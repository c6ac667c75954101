/** A thread that runs a cross-encoder. */
import { parentPort, workerData } from 'node:worker_threads';
import { PeriscopeError } from '../../base/errors.ts';
import { loadOnnxPairReader, type OnnxPairReader } from './onnx-pair-reader.ts';
import type { PairReply, PairRequest, PairWorkerData } from './pair-messages.ts';

if (parentPort === null) throw new Error('pair-worker runs as a thread');
const port = parentPort;
const { files } = workerData as PairWorkerData;
let loading: Promise<OnnxPairReader> | undefined;
let last = Promise.resolve();
port.on('message', (request: PairRequest) => {
  last = last.then(async () => port.postMessage(await replyTo(request)));
});

async function replyTo({ question, texts }: PairRequest): Promise<PairReply> {
  try {
    loading ??= loadOnnxPairReader(files);
    return { ok: true, scores: await (await loading).scores(question, texts) };
  } catch (fault) {
    loading = undefined;
    if (!(fault instanceof PeriscopeError)) return { ok: false, what: String(fault), fault: null };
    const { kind, code, message, next } = fault;
    return { ok: false, what: message, fault: { kind, code, message, next } };
  }
}
