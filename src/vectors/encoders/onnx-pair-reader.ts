import { InferenceSession, Tensor } from 'onnxruntime-node';
import { modelFileBroken } from '../errors.ts';
import { splitIdentifiers } from '../words/split-identifiers.ts';
import { readVocabulary } from '../words/vocabulary.ts';
import { createWordPieces } from '../words/word-pieces.ts';
import type { ModelFiles } from './model-files.ts';

/** A cross-encoder that is loaded in this thread: it reads a question and a text together. */
export interface OnnxPairReader {
  /** One score for each text; higher is better. */
  scores(question: string, texts: readonly string[]): Promise<Float32Array>;
  close(): Promise<void>;
}

/** A question has no more of the pieces than this share; the rest is the text's. */
const QUESTION_SHARE = 0.4;

/**
 * As models of this kind are published (ms-marco-MiniLM and its like): the question, a mark, the text, told apart by their token
 * types; `logits` says one number for a pair, or two, of which the second is for "it fits". Runs on one core.
 */
export async function loadOnnxPairReader({
  onnx,
  vocabulary,
  piecesMax,
}: ModelFiles): Promise<OnnxPairReader> {
  const words = createWordPieces(readVocabulary(vocabulary));
  let session: InferenceSession;
  try {
    session = await InferenceSession.create(onnx, {
      executionProviders: ['cpu'],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      logSeverityLevel: 4,
    });
  } catch (cause) {
    throw modelFileBroken(onnx, 'ONNX Runtime cannot load it', cause);
  }
  const takesTypes = session.inputNames.includes('token_type_ids');
  const output = session.outputNames.includes('logits') ? 'logits' : session.outputNames[0]!;

  return { scores, close: () => session.release() };

  async function scores(question: string, texts: readonly string[]): Promise<Float32Array> {
    const first = words.encode(splitIdentifiers(question), Math.floor(piecesMax * QUESTION_SHARE));
    const rows = texts.map((text) => {
      // Without the mark of the beginning, which stands before the question.
      const second = words.encode(splitIdentifiers(text), piecesMax - first.length + 1).slice(1);
      return [...first, ...second];
    });
    const width = Math.max(...rows.map((row) => row.length));
    const ids = new BigInt64Array(rows.length * width).fill(BigInt(words.padding));
    const mask = new BigInt64Array(rows.length * width);
    const types = new BigInt64Array(rows.length * width);
    rows.forEach((row, r) => {
      row.forEach((piece, i) => {
        ids[r * width + i] = BigInt(piece);
        mask[r * width + i] = 1n;
        if (i >= first.length) types[r * width + i] = 1n;
      });
    });
    const shape = [rows.length, width] as const;
    const found = await session.run({
      input_ids: new Tensor('int64', ids, shape),
      attention_mask: new Tensor('int64', mask, shape),
      ...(takesTypes ? { token_type_ids: new Tensor('int64', types, shape) } : {}),
    });
    const { data, dims } = found[output]!;
    const each = dims.length === 1 ? 1 : dims.at(-1)!;
    if (!(data instanceof Float32Array) || each > 2 || data.length !== texts.length * each)
      throw modelFileBroken(
        onnx,
        `its output "${output}" has no score for each text: it is no cross-encoder`,
      );
    return Float32Array.from(texts, (_, row) =>
      each === 1 ? data[row]! : data[2 * row + 1]! - data[2 * row]!,
    );
  }
}
