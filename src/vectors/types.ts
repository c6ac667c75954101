/** Which vectors can be compared: those of one kind, and no others. Goes with every vector that is kept. */
export interface VectorKind {
  /** Name of the model with all that its vectors depend on. */
  model: string;
  dimensions: number;
  /** Version of how a text is prepared before the model reads it. */
  preparation: string;
}

/** A piece of a text as it is embedded: offsets and blobs are the caller's. */
export interface ChunkText {
  /** Of the symbol, or of what the chunk is about; may be empty. */
  name: string;
  /** Of the file. */
  path: string;
  /** The line that says what it is; may be empty. */
  signature: string;
  body: string;
}

export interface EmbeddingUrgency {
  /** Somebody waits for it: like questions, neither behind others nor with a share of a core alone. Default false. */
  isAwaited: boolean;
}

/** Turns texts into vectors of length 1. */
export interface Embedder {
  readonly kind: VectorKind;
  /** One vector for each chunk, in their order. */
  embedDocuments(
    chunks: readonly ChunkText[],
    signal: AbortSignal,
    options?: EmbeddingUrgency,
  ): Promise<Float32Array[]>;
  /** Goes before documents that wait. */
  embedQuery(text: string, signal: AbortSignal): Promise<Float32Array>;
  close(): Promise<void>;
}

/** A vector of which each value is `values[i] * scale`. */
export interface QuantizedVector {
  values: Int8Array;
  scale: number;
}
