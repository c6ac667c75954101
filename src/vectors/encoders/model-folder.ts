import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { modelFileBroken } from '../errors.ts';
import type { ModelFiles } from './model-files.ts';

export interface ModelFolderOptions {
  folder: string;
  /** Texts are cut after so many pieces. Default 128, or what the model can read if that is less. */
  piecesMax?: number;
}

const onnxPlaces = ['model_quantized.onnx', 'model.onnx', 'onnx/model_quantized.onnx', 'onnx/model.onnx'];
const PIECES_MAX = 128;

/**
 * A model as it is published for ONNX: `model.onnx` (or below `onnx/`, quantized before plain), `tokenizer.json` of the WordPiece kind,
 * `config.json`, and `1_Pooling/config.json` where its pooling is not the mean. Named by the hash of its weights: other weights, other
 * vectors.
 */
export async function openModelFolder({
  folder,
  piecesMax = PIECES_MAX,
}: ModelFolderOptions): Promise<ModelFiles> {
  const config = await readJson<{ hidden_size?: unknown; max_position_embeddings?: unknown }>(
    path.join(folder, 'config.json'),
  );
  const { hidden_size: dimensions, max_position_embeddings: readable } = config;
  if (!Number.isInteger(dimensions)) {
    throw modelFileBroken(path.join(folder, 'config.json'), 'it says no hidden_size');
  }
  const onnx = await firstThere(folder);
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(onnx)) hash.update(bytes as Buffer);
  return {
    model: `${path.basename(path.resolve(folder))}-${hash.digest('hex').slice(0, 12)}-${piecesMax}`,
    onnx,
    vocabulary: path.join(folder, 'tokenizer.json'),
    dimensions: dimensions as number,
    piecesMax: typeof readable === 'number' ? Math.min(piecesMax, readable) : piecesMax,
    pooling: await poolingOf(folder),
  };
}

async function firstThere(folder: string): Promise<string> {
  for (const place of onnxPlaces) {
    const file = path.join(folder, place);
    if (await isThere(file)) return file;
  }
  throw modelFileBroken(folder, `the folder has none of ${onnxPlaces.join(', ')}`);
}

async function poolingOf(folder: string): Promise<ModelFiles['pooling']> {
  const file = path.join(folder, '1_Pooling/config.json');
  if (!(await isThere(file))) return 'mean';
  const { pooling_mode_cls_token: first } = await readJson<{ pooling_mode_cls_token?: unknown }>(file);
  return first === true ? 'first' : 'mean';
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function readJson<T>(file: string): Promise<T> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'ENOENT') throw await missing(file, cause);
    throw modelFileBroken(file, 'a file of the model cannot be read as JSON', cause);
  }
}

async function missing(file: string, cause: unknown) {
  const isFolderThere = await isThere(path.dirname(file));
  const what = isFolderThere ? `its file ${path.basename(file)} is missing` : 'its folder is missing';
  return modelFileBroken(file, what, cause);
}
