import type { PeriscopeErrorOptions } from '../../base/errors.ts';
import type { MatchedLine } from '../regex/text-scan.ts';

/** What travels between a pool and its workers. Texts are copied into the worker; nothing is shared but the flag that stops a scan. */
export interface ScanRequest {
  id: number;
  scan: ScanDescription;
  /** One 32-bit word: not 0 stops the scan. */
  stop: SharedArrayBuffer;
  texts: readonly Uint8Array[];
}

export interface ScanDescription {
  /** Texts of the same scan are matched by the same compiled pattern. */
  key: number;
  pattern: string;
  literal: boolean;
  ignoreCase: boolean;
  /** Matching lines told of one text. */
  linesPerText: number;
  rangesPerLine: number;
}

export interface ScannedText {
  lines: MatchedLine[];
  ended: 'complete' | 'limit' | 'deadline';
}

export type ScanReply =
  | { id: number; outcomes: ScannedText[] }
  | {
      id: number;
      fault: { kind: string; code: string; message: string; next: string; options: PeriscopeErrorOptions };
    };
