import { describe, expect, it } from 'vitest';
import { addUpFiles, type ChunkOfFile } from './add-up-files.ts';

type Row = [name: string, score: number, document: number, words?: string, folder?: string];

/** Names of chunks in the order that comes. */
function order(rows: readonly Row[]): string[] {
  const chunks = rows.map(
    ([, score, document, words = '', folder = `folder of ${document}`], key): ChunkOfFile => ({
      ...{ score, document, folder, key },
      words: words.split(' ').filter((word) => word !== ''),
    }),
  );
  return addUpFiles(chunks, (words) => words.size / 4).map(({ at }) => rows[at]![0]);
}

describe('a file is as good as its chunks together', () => {
  it('a file of several good chunks comes before one of a single better one', () => {
    const rows: Row[] = [
      ['alone', 1, 1],
      ['first of three', 0.9, 2],
      ['second', 0.8, 2],
      ['third', 0.7, 2],
    ];
    expect(order(rows)).toEqual(['first of three', 'alone', 'second', 'third']);
  });

  it('it stands where its best chunk does, whichever comes first in the text', () => {
    const rows: Row[] = [
      ['early', 0.5, 2],
      ['alone', 0.8, 1],
      ['best', 0.7, 2],
    ];
    expect(order(rows)).toEqual(['best', 'alone', 'early']);
  });

  it('words of the question count once, however many of its chunks have them', () => {
    const rows: Row[] = [
      ['one word twice', 1, 1, 'token'],
      ['again', 0.1, 1, 'token'],
      ['two words', 1, 2, 'token'],
      ['the other', 0.1, 2, 'refresh'],
    ];
    expect(order(rows)[0]).toBe('two words');
  });

  it('of equal files the one comes first in whose folder more was found', () => {
    const rows: Row[] = [
      ['elsewhere', 1, 1, '', 'b'],
      ['beside', 1, 2, '', 'a'],
      ['neighbour', 0.3, 3, '', 'a'],
    ];
    expect(order(rows)[0]).toBe('beside');
  });

  it('what counts against a question takes nothing from its file', () => {
    const rows: Row[] = [
      ['with a bad one', 1, 2],
      ['bad', -5, 2],
      ['alone', 0.9, 1],
    ];
    expect(order(rows)).toEqual(['with a bad one', 'alone', 'bad']);
  });

  it('nothing comes of nothing', () => expect(order([])).toEqual([]));
});
