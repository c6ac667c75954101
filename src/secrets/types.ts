/** A credential found in a text: bytes `start` (inclusive) to `end` (exclusive) of its UTF-8. */
export interface SecretSpan {
  start: number;
  end: number;
  /** Of the rule table. */
  rule: string;
  /** `block`: surely a credential; `warn`: likely, such as a generic key by its entropy. */
  confidence: 'block' | 'warn';
}

export interface SecretScanner {
  /** Changes whenever the rules change what is found: part of the key of whatever is derived from masked text. */
  readonly version: string;
  /** Spans in order, without overlap. Linear in the text; safe for hostile input. */
  find(text: Uint8Array): SecretSpan[];
  /** Overwrites each span that is masked (both confidences that the table marks for masking) with `*`, keeping length and line breaks. Returns how many. */
  mask(text: Uint8Array): number;
}
