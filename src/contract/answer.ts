/** A tool's answer over HTTP and in `--json`. */
export interface ToolAnswerJson {
  tool: string;
  /** Follows the tool's output schema. */
  result: Record<string, unknown>;
  /** What was corrected, left out or is worth knowing, one sentence each. */
  notes: string[];
  /** True when the token budget left something out; `cursor` then continues. */
  cut: boolean;
  cursor: string | null;
  /** False when there was nothing to show. */
  found: boolean;
  /** What a model would read; only when the request asks for it with `?text=1`. */
  text?: string;
}

export interface ErrorJson {
  error: {
    /** Of the closed list in docs/reference/errors.md. */
    kind: string;
    code: string;
    message: string;
    /** The one thing to do now. */
    next: string;
    /** Whether the very same call may succeed later. */
    retry: boolean;
    data: Record<string, unknown>;
  };
}
