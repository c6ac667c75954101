import type { PeriscopeErrorOptions } from '../base/errors.ts';
import type { TakenScip } from '../symbols/index.ts';

/** What a thread is started with that makes an upload into a file of the index. */
export interface ScipWorkerData {
  upload: string;
  file: string;
  root: string;
  fileBytesMax: number;
  /** Of the commit. */
  manifest: string;
  segments: readonly { file: string; dictionaries: string | null }[];
}

export type ScipReply =
  /** `gone`: a file of the index cannot be read any more. */
  | { taken: TakenScip | 'gone' }
  | {
      fault: {
        kind: string;
        code: string;
        message: string;
        next: string;
        options: PeriscopeErrorOptions;
      };
    };
