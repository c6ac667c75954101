import { describe, expect, it } from 'vitest';
import { parseCommit } from './commit-object.ts';
import { parseTree } from './tree-object.ts';

const oid = Buffer.alloc(20, 0xab);
const entry = (mode: string, name: Buffer | string) =>
  Buffer.concat([Buffer.from(`${mode} `), Buffer.from(name), Buffer.from([0]), oid]);

describe('a tree object is read as git wrote it', () => {
  it('modes of all times, any name, and the first of two with one name', () => {
    const raw = Buffer.concat([
      entry('100644', 'a'),
      entry('100755', 'b'),
      entry('100664', 'c'),
      entry('40000', 'd'),
      entry('040000', 'e'),
      entry('120000', 'f'),
      entry('160000', 'g'),
      entry('100644', Buffer.from([0xff, 0x0a])),
      entry('40000', 'a'),
    ]);
    const tree = parseTree(raw, 20);
    expect(tree.items.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'file a',
      'executable b',
      'file c',
      'directory d',
      'directory e',
      'symlink f',
      'submodule g',
      'file \\xff\\x0a',
      'directory a',
    ]);
    expect(tree.find('a')?.kind).toBe('file');
    expect(tree.find('none')).toBeUndefined();
    expect(tree.items[0]?.oid).toBe('ab'.repeat(20));
  });

  it('one that is cut short is a fault, wherever it is cut', () => {
    const raw = entry('100644', 'name');
    for (let length = 1; length < raw.length; length++) {
      expect(() => parseTree(raw.subarray(0, length), 20)).toThrow(RangeError);
    }
  });
});

describe('a commit object is read whatever tool wrote it', () => {
  const id = '1'.repeat(40);
  const rows: [string, string | Buffer, object][] = [
    [
      'a merge with a signature and a second blank line',
      `tree ${id}\nparent ${id}\nparent ${id}\nauthor A <a@b> 10 +0200\ncommitter C <c@d> 20 -0500\ngpgsig -----BEGIN\n parent fake\n \n -----END\n\nsubject\n\nbody\n`,
      {
        tree: id,
        parents: [id, id],
        authorName: 'A',
        authorEmail: 'a@b',
        authoredMs: 10_000,
        committedMs: 20_000,
        message: Buffer.from('subject\n\nbody\n'),
      },
    ],
    [
      'a Latin-1 name',
      Buffer.concat([
        Buffer.from(`tree ${id}\nauthor J`),
        Buffer.from([0xf6]),
        Buffer.from('rg <j@b> 1 +0000\n\nm'),
      ]),
      { authorName: 'Jörg', authoredMs: 1000 },
    ],
    [
      'no name, no time',
      `tree ${id}\nauthor <> \ncommitter  <x> abc\n\n`,
      { authorName: '', authorEmail: '', authoredMs: 0, committedMs: 0 },
    ],
    [
      'no message at all',
      `tree ${id}\nauthor A <a@b> 1 +0000`,
      { authorName: 'A', message: Buffer.alloc(0) },
    ],
    ['a time before 1970', `tree ${id}\nauthor A <a@b> -5 +0000\n\n`, { authoredMs: -5000 }],
  ];
  for (const [name, raw, expected] of rows) {
    it(name, () => expect(parseCommit(id, Buffer.from(raw))).toMatchObject(expected));
  }
});
