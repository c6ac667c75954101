import type { ModelFiles } from './model-files.ts';

export interface PairWorkerData {
  files: ModelFiles;
}

export interface PairRequest {
  question: string;
  texts: readonly string[];
}
