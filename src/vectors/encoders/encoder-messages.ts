import type { ModelFiles } from './model-files.ts';

/** The default model, converted below `folder` by whoever needs it first. */
export interface DefaultModelPlace {
  folder: string;
}

export interface EncoderWorkerData {
  files: ModelFiles | DefaultModelPlace;
  /** Added to the thread's niceness where the system has one for threads. */
  niceness: number;
}

export interface EncodeRequest {
  texts: readonly string[];
}

/** In the order of the requests. */
export type EncodeReply =
  | { ok: true; vectors: Float32Array }
  | { ok: false; what: string; fault: { kind: string; code: string; message: string; next: string } | null };
