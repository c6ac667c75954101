import { InferenceSession, Tensor } from 'onnxruntime-node';
import { modelFileBroken } from '../errors.ts';
import { readVocabulary } from '../words/vocabulary.ts';
import { createWordPieces } from '../words/word-pieces.ts';
import type { ModelFiles } from './model-files.ts';

/** A sentence encoder that is loaded in this thread. */
export interface OnnxEncoder {
  /** One vector of length 1 for each text, one behind the other. */
  encode(texts: readonly string[]): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Runs on one core: several encoders in threads of their own use more, and are counted. */
export async function loadOnnxEncoder(files: ModelFiles): Promise<OnnxEncoder> {
  const { dimensions, piecesMax } = files;
  const words = createWordPieces(readVocabulary(files.vocabulary));
  let session: InferenceSession;
  try {
    session = await InferenceSession.create(files.onnx, {
      executionProviders: ['cpu'],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      logSeverityLevel: 4,
    });
  } catch (cause) {
    throw modelFileBroken(files.onnx, 'ONNX Runtime cannot load it', cause);
  }
  const takesTypes = session.inputNames.includes('token_type_ids');
  const output =
    ['embedding', 'sentence_embedding', 'last_hidden_state'].find((name) =>
      session.outputNames.includes(name),
    ) ?? session.outputNames[0]!;

  return { encode, close: () => session.release() };

  async function encode(texts: readonly string[]): Promise<Float32Array> {
    const rows = texts.map((text) => words.encode(text, piecesMax));
    const width = Math.max(...rows.map((row) => row.length));
    const ids = new BigInt64Array(rows.length * width).fill(BigInt(words.padding));
    const mask = new BigInt64Array(rows.length * width);
    rows.forEach((row, r) => {
      row.forEach((piece, i) => {
        ids[r * width + i] = BigInt(piece);
        mask[r * width + i] = 1n;
      });
    });
    const shape = [rows.length, width] as const;
    const found = await session.run({
      input_ids: new Tensor('int64', ids, shape),
      attention_mask: new Tensor('int64', mask, shape),
      ...(takesTypes ? { token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), shape) } : {}),
    });
    const { data, dims } = found[output]!;
    if (!(data instanceof Float32Array) || dims.at(-1) !== dimensions) {
      throw modelFileBroken(files.onnx, `its output "${output}" has no vectors of ${dimensions} numbers`);
    }
    return normalisedRows(
      dims.length === 3
        ? files.pooling === 'first'
          ? firstPieces(data, shape, dimensions)
          : meansOfPieces(data, mask, shape, dimensions)
        : data,
      dimensions,
    );
  }
}

/** For each text, the mean over the pieces that are no padding. */
function meansOfPieces(states: Float32Array, mask: BigInt64Array, [rows, width]: Size, dimensions: number) {
  const means = new Float32Array(rows * dimensions);
  for (let row = 0; row < rows; row++) {
    for (let piece = row * width; piece < (row + 1) * width; piece++) {
      if (mask[piece] === 0n) continue;
      for (let i = 0; i < dimensions; i++) {
        means[row * dimensions + i] = means[row * dimensions + i]! + states[piece * dimensions + i]!;
      }
    }
  }
  return means;
}

function firstPieces(states: Float32Array, [rows, width]: Size, dimensions: number): Float32Array {
  const firsts = new Float32Array(rows * dimensions);
  for (let row = 0; row < rows; row++) {
    const from = row * width * dimensions;
    firsts.set(states.subarray(from, from + dimensions), row * dimensions);
  }
  return firsts;
}

type Size = readonly [rows: number, width: number];

function normalisedRows(values: Float32Array, dimensions: number): Float32Array {
  const rows = values.slice();
  for (let at = 0; at < rows.length; at += dimensions) {
    let sum = 0;
    for (let i = at; i < at + dimensions; i++) sum += rows[i]! * rows[i]!;
    const factor = 1 / (Math.sqrt(sum) || 1);
    for (let i = at; i < at + dimensions; i++) rows[i] = rows[i]! * factor;
  }
  return rows;
}
