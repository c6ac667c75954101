/** A thread that runs a cross-encoder. */
import { parentPort, workerData } from 'node:worker_threads';
import { loadOnnxPairReader } from './onnx-pair-reader.ts';
import type { PairRequest, PairWorkerData } from './pair-messages.ts';
import { serveModel } from './serve-model.ts';

if (parentPort === null) throw new Error('pair-worker runs as a thread');
const { files } = workerData as PairWorkerData;
serveModel(
  parentPort,
  () => loadOnnxPairReader(files),
  (reader, { question, texts }: PairRequest) => reader.scores(question, texts),
);
