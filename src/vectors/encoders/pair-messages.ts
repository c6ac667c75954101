import type { ModelFiles } from './model-files.ts';

export interface PairWorkerData {
  files: ModelFiles;
}

export interface PairRequest {
  question: string;
  texts: readonly string[];
}

/** In the order of the requests. */
export type PairReply =
  | { ok: true; scores: Float32Array }
  | { ok: false; what: string; fault: { kind: string; code: string; message: string; next: string } | null };
