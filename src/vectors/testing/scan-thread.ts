import { parentPort, workerData } from 'node:worker_threads';
import type { VectorHandle } from '../store/vector-reader.ts';
import { createVectorScanner } from '../store/vector-scanner.ts';
import type { VectorKind } from '../types.ts';

const { handle, kind, queries } = workerData as {
  handle: VectorHandle;
  kind: VectorKind;
  queries: Float32Array[];
};
const scanner = createVectorScanner();
parentPort!.postMessage(
  queries.map((vector) => scanner.search(handle, { kind, vector, limit: 10, allowed: null })),
);
