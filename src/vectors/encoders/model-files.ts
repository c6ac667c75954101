/** A sentence encoder in ONNX with its tokenizer, on this machine. */
export interface ModelFiles {
  /** Goes with each vector: another name, and vectors are made anew. */
  model: string;
  onnx: string;
  /** `tokenizer.json`. */
  vocabulary: string;
  dimensions: number;
  /** Texts are cut after so many pieces, with the marks of beginning and end. */
  piecesMax: number;
  /** What of a model that gives a vector for each piece is the text's: their mean, or the first. */
  pooling: 'mean' | 'first';
}
