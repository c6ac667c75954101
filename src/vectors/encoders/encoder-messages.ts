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
