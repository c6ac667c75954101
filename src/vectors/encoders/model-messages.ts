/** What a thread with a model answers, in the order of the requests. */
export type ModelReply =
  | { ok: true; numbers: Float32Array }
  | { ok: false; what: string; fault: { kind: string; code: string; message: string; next: string } | null };
