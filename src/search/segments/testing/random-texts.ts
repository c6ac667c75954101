import type { SeededRandom } from '../../../base/testing/seeded-random.ts';

const words = [
  'const',
  'return',
  'function',
  'import',
  'error',
  'Context',
  'the',
  'int',
  'self',
  'Äpfel',
  '日本',
  '0x1F',
  'TODO',
  'err != nil',
  'public static void',
  'config',
  'x',
  '42',
  '::',
  '->',
  '{',
  '}',
  '();',
  '\t',
  'foo_bar',
  'HTTPServer',
];

/** Text as code has it, with what is odd now and then: long lines, NULs, bytes that are no UTF-8, no line feed at the end. */
export function randomText(random: SeededRandom): Buffer {
  const kind = random.below(12);
  if (kind === 0) return Buffer.alloc(random.below(4), 'ab\nc'.charCodeAt(random.below(4)));
  if (kind === 1) return Buffer.from(Array.from({ length: random.below(9000) }, () => random.below(256)));
  const parts: string[] = [];
  const lines = random.below(kind === 2 ? 500 : 90);
  const width = kind === 3 ? 300 : 12;
  for (let line = 0; line < lines; line++) {
    const count = random.below(width);
    for (let i = 0; i < count; i++) parts.push(random.pick(words), random.below(5) > 0 ? ' ' : '');
    parts.push(random.below(20) === 0 ? '\r\n' : '\n');
  }
  if (random.below(3) === 0) parts.push('no line feed here');
  return Buffer.from(parts.join(''));
}

/** A text of one line that is cut, of varied words. */
export function longLine(random: SeededRandom, length: number): Buffer {
  const parts: string[] = [];
  for (let size = 0; size < length; ) {
    const word = `${random.pick(words)}${random.below(1000)} `;
    parts.push(word);
    size += word.length;
  }
  return Buffer.from(parts.join('').replaceAll('\n', ' ')).subarray(0, length);
}
