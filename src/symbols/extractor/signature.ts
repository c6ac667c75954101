import type { CapturedDefinition } from './captured-file.ts';
import type { GrammarLanguage } from './language-definition.ts';
import type { SyntaxTree } from './syntax-tree.ts';
import type { OffsetText } from './text-offsets.ts';

export const SIGNATURE_BYTES_MAX = 200;

/** Bytes of the signature: from the line of the name, or where the definition begins within it, to before the body. */
export function signatureOf(
  tree: SyntaxTree,
  { node, name }: CapturedDefinition,
  language: GrammarLanguage,
  offsets: OffsetText,
): [number, number] {
  const { text } = offsets;
  let start = text.lastIndexOf('\n', tree.start[name]! - 1) + 1;
  while (isBlank(text.charCodeAt(start))) start++;
  const defined = tree.start[node]!;
  // What stands before on the line is its modifiers and type, unless something else ended there.
  if (defined > start && (node === name || /[{;]/.test(text.slice(start, defined)))) start = defined;
  const body = language.bodyOf ? language.bodyOf(tree, node) : bodyByField(tree, node);
  let end = tree.end[node]!;
  if (body >= 0 && tree.start[body]! > tree.start[name]!) end = tree.start[body]!;
  else {
    const lineEnd = text.indexOf('\n', tree.end[name]!);
    if (lineEnd >= 0) end = Math.min(end, lineEnd);
  }
  end = Math.max(tree.end[name]!, Math.min(end, start + SIGNATURE_BYTES_MAX));
  while (end > tree.end[name]! && isClosing(text.charCodeAt(end - 1))) end--;
  if (end > tree.end[name]! && text.startsWith('=>', end - 2)) end -= 2;
  while (end > tree.end[name]! && isClosing(text.charCodeAt(end - 1))) end--;
  const startByte = offsets.byteOf(start);
  let endByte = offsets.byteOf(end);
  while (endByte - startByte > SIGNATURE_BYTES_MAX && end > start) {
    end--;
    if (!isLowSurrogate(text.charCodeAt(end))) endByte = offsets.byteOf(end);
  }
  return [startByte, endByte];
}

function bodyByField(tree: SyntaxTree, node: number): number {
  const body = tree.childInField(node, 'body');
  if (body >= 0) return body;
  const value = tree.childInField(node, 'value');
  return value >= 0 ? tree.childInField(value, 'body') : -1;
}

function isBlank(unit: number): boolean {
  return unit === 32 || unit === 9;
}

/** Blanks, line breaks, and what opens a body or closes a statement. */
function isClosing(unit: number): boolean {
  return (
    isBlank(unit) ||
    unit === 10 ||
    unit === 13 ||
    unit === 0x7b ||
    unit === 0x3b ||
    unit === 0x2c ||
    unit === 0x3a
  );
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
