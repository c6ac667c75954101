import { fileURLToPath } from 'node:url';
import { defaultVocabularyFile } from '../encoders/default-model.ts';
import { quantize } from '../store/quantize.ts';
import type { ChunkText, QuantizedVector, VectorKind } from '../types.ts';
import { readVocabulary } from '../words/vocabulary.ts';
import { createWordPieces, type WordPieces } from '../words/word-pieces.ts';
import { readStaticTable, type StaticTable } from './table-file.ts';
import { createTableKernel } from './table-kernel.ts';
import { createTextPieces } from './text-pieces.ts';

/** How much each field of a chunk counts, each being a vector of length 1. */
const fieldWeights = { name: 0.6, path: 0.4, signature: 0.4, body: 1 } as const;
const FIELD_PIECES_MAX = 512;
const BODY_PIECES_MAX = 4000;
/** Counted up when the same chunk gives another vector with the same table. */
const STATIC_PREPARATION = 'static-1';
const TABLE_MODEL = 'static-';

/** Vectors from a table of word pieces: thousands of chunks for one of an encoder. Synchronous; belongs to one thread. */
export interface StaticEmbedder {
  readonly kind: VectorKind;
  embedDocument(chunk: ChunkText): QuantizedVector;
  /** Of length 1; zeros when the text has no word that counts. */
  embedQuery(text: string): Float32Array;
}

/** Whether vectors are a table's, of this or of another release. */
export function isTableKind({ model }: VectorKind): boolean {
  return model.startsWith(TABLE_MODEL);
}

/** The table is in the repository; its words are those of the default model. Read at the first call in a thread: about 50 ms. */
export function loadStaticEmbedder(tableFile: string = shippedTable): StaticEmbedder {
  const vocabulary = readVocabulary(defaultVocabularyFile());
  return createStaticEmbedder(readStaticTable(tableFile, vocabulary), createWordPieces(vocabulary));
}

const shippedTable = fileURLToPath(new URL('./static-table.bin', import.meta.url));

export function createStaticEmbedder(table: StaticTable, words: WordPieces): StaticEmbedder {
  const { dimensions, scales } = table;
  const kernel = createTableKernel(table);
  const eachPiece = createTextPieces(words);
  const counts = new Uint16Array(scales.length);
  const touched = new Int32Array(BODY_PIECES_MAX + 256);
  let distinct = 0;
  const count = (piece: number) => {
    if (scales[piece] === 0) return;
    counts[piece] = counts[piece]! + 1;
    if (counts[piece] === 1) touched[distinct++] = piece;
  };
  return {
    kind: { model: `${TABLE_MODEL}${table.sum}`, dimensions, preparation: STATIC_PREPARATION },
    embedDocument({ name, path, signature, body }) {
      kernel.sum.fill(0);
      addField(name, fieldWeights.name, false, FIELD_PIECES_MAX);
      addField(path.replace(/\.\w+$/, ''), fieldWeights.path, false, FIELD_PIECES_MAX);
      addField(signature, fieldWeights.signature, false, FIELD_PIECES_MAX);
      // What a body repeats says less each time; a question repeats nothing.
      addField(body, fieldWeights.body, true, BODY_PIECES_MAX);
      return quantize(centred(kernel.sum, table.documentCentroid));
    },
    embedQuery(text) {
      kernel.sum.fill(0);
      addField(text, 1, false, FIELD_PIECES_MAX);
      return centred(kernel.sum, table.queryCentroid);
    },
  };

  function addField(text: string, weight: number, isDamped: boolean, piecesMax: number): void {
    distinct = 0;
    eachPiece(text, piecesMax, count);
    for (let i = 0; i < distinct; i++) {
      const piece = touched[i]!;
      const times = counts[piece]!;
      counts[piece] = 0;
      kernel.pieces[i] = piece;
      kernel.factors[i] = scales[piece]! * (isDamped ? 1 + Math.log(times) : times);
    }
    kernel.addField(distinct, weight);
  }
}

/** Without what all texts have in common, and of length 1. */
function centred(vector: Float32Array, centroid: Float32Array): Float32Array {
  const found = new Float32Array(vector.length);
  const length = lengthOf(vector);
  if (length === 0) return found;
  for (let i = 0; i < found.length; i++) found[i] = vector[i]! / length - centroid[i]!;
  const newLength = lengthOf(found) || 1;
  for (let i = 0; i < found.length; i++) found[i] = found[i]! / newLength;
  return found;
}

function lengthOf(vector: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!;
  return Math.sqrt(sum);
}
