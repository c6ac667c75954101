import { describe, expect, it } from 'vitest';
import { type ComparedText, groupNearDuplicates } from './near-duplicates.ts';

const body = Array.from({ length: 30 }, (_, line) => `  const value${line} = read(source, ${line});`).join(
  '\n',
);
const one = (name: string, text: string): ComparedText => ({ name, text });

function check(title: string, texts: readonly ComparedText[], expected: number[][]): void {
  it(title, () => expect(groupNearDuplicates(texts)).toEqual(expected));
}

describe('what says nearly the same comes once', () => {
  check(
    'the same text, whatever its blanks',
    [one('load', body), one('load', body.replaceAll('  ', '\t'))],
    [[0, 1]],
  );
  check(
    'a fork that has changed a line',
    [one('load', body), one('other', 'x'), one('load', body.replace('value7', 'seventh'))],
    [[0, 2], [1]],
  );
  check(
    'a short one word for word',
    [one('name', 'name() { return this.name; }'), one('name', 'name() {\n return this.name;\n}')],
    [[0, 1]],
  );
});

describe('what says something else stays', () => {
  check('a short one that differs in a word', [one('a', 'return 1;'), one('a', 'return 2;')], [[0], [1]]);
  check(
    'another name, though much is the same',
    [one('load', body), one('save', body.replace('value7', 'x'))],
    [[0], [1]],
  );
  check('half of it', [one('load', body), one('load', body.slice(0, body.length / 2))], [[0], [1]]);
  check('nothing at all', [], []);
});
