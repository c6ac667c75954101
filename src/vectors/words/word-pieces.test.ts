import { expect, test } from 'vitest';
import { defaultVocabularyFile } from '../encoders/default-model.ts';
import { splitIdentifiers } from './split-identifiers.ts';
import { readVocabulary } from './vocabulary.ts';
import { createWordPieces } from './word-pieces.ts';

const vocabulary = readVocabulary(defaultVocabularyFile());
const listed = new Map([...vocabulary].map(([piece, number]) => [number, piece]));
const words = createWordPieces(vocabulary);

const check = (text: string, expected: string, piecesMax = 64) =>
  test(`pieces of ${JSON.stringify(text)}`, () => {
    expect(words.encode(text, piecesMax).map((piece) => listed.get(piece))).toEqual(
      `[CLS] ${expected} [SEP]`.replace('  ', ' ').split(' '),
    );
  });

check('', '');
check('Hello world', 'hello world');
check('tokenization', 'token ##ization');
check('foo(bar)', 'foo ( bar )');
check('a == b', 'a = = b');
check('café', 'cafe');
check('Ünïcode', 'unicode');
check('東京', '東 京');
check('x → y', 'x → y');
check(`${'q'.repeat(101)} end`, '[UNK] end');
check('one two three four', 'one two three', 5);
check('🦜', '[UNK]');

test.each([
  ['parseHTTPHeader_v2', 'parse HTTP Header v2'],
  ['snake__case_name', 'snake case name'],
  ['XMLHttpRequest', 'XML Http Request'],
  ['plain', 'plain'],
])('identifiers are split into words: %s', (text, expected) => {
  expect(splitIdentifiers(text)).toBe(expected);
});
