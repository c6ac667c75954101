import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createOnnxGraph } from '../encoders/onnx-graph.ts';

const pieces = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'where', 'token', 'session', 'mail', 'refresh', 'the'];

/**
 * Writes a folder with a cross-encoder of ten pieces: its score of a pair is how often "token" stands in the text, minus a tenth for
 * each other piece of it, and it sees nothing of the question. `outputs`: numbers for each pair; two say the same by their difference.
 */
export function writeTinyPairModel(folder: string, { outputs = 1 }: { outputs?: 1 | 2 | 3 } = {}): string {
  mkdirSync(folder, { recursive: true });
  const graph = createOnnxGraph('pairs');
  const values = pieces.map((piece) => (piece === 'token' ? 1 : -0.1));
  const table = graph.constant('worth', 'f32', [pieces.length], Float32Array.from(values));
  const one = graph.constant('one', 'i64', [1], new BigInt64Array([1n]));
  const counted = graph.node('Cast', ['token_type_ids'], { attributes: { to: 1 } });
  const worth = graph.node('Gather', [table, 'input_ids'], { attributes: { axis: 0 } });
  const present = graph.node('Cast', ['attention_mask'], { attributes: { to: 1 } });
  const ofText = graph.node('Mul', [graph.node('Mul', [worth, counted]), present]);
  const single = { outputs: outputs === 1 ? ['logits'] : ['sum'] };
  const sum = graph.node('ReduceSum', [ofText, one], { attributes: { keepdims: 1 }, ...single });
  if (outputs > 1) {
    const zeros = graph.node('Sub', [sum, sum]);
    const before = Array.from({ length: outputs - 1 }, () => zeros);
    graph.node('Concat', [...before, sum], { attributes: { axis: 1 }, outputs: ['logits'] });
  }
  const input = (name: string) => ({ name, type: 'i64' as const, shape: ['batch', 'pieces'] });
  const model = graph.finish({
    inputs: ['input_ids', 'attention_mask', 'token_type_ids'].map(input),
    outputs: [{ name: 'logits', type: 'f32', shape: ['batch', outputs] }],
  });
  const write = (name: string, content: string | Buffer) => writeFileSync(path.join(folder, name), content);
  write('model.onnx', model);
  write('config.json', JSON.stringify({ hidden_size: 8, max_position_embeddings: 32 }));
  const vocab = Object.fromEntries(pieces.map((piece, number) => [piece, number]));
  write('tokenizer.json', JSON.stringify({ model: { type: 'WordPiece', vocab } }));
  return folder;
}
