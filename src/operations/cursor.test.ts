import { describe, expect, it } from 'vitest';
import { createCursors } from './cursor.ts';

const content = {
  op: 'read_file',
  input: { repo: 'a', path: 'ü' },
  after: { line: 7 },
  commit: 'abc',
  list: null,
};

describe('a cursor continues and grants nothing', () => {
  const cursors = createCursors('key');
  it('is read back as it was', () => expect(cursors.open(cursors.seal(content))).toEqual(content));
  it('says nothing to who holds it, and two of the same look different', () => {
    const sealed = cursors.seal(content);
    expect(Buffer.from(sealed.slice(2), 'base64url').toString('latin1')).not.toContain('read_file');
    expect(cursors.seal(content)).not.toBe(sealed);
  });
  it('is refused when a byte is changed, cut, or made with another key', () => {
    const sealed = cursors.seal(content);
    const other = createCursors('other').seal(content);
    for (const bad of [
      other,
      sealed.slice(0, -1),
      `${sealed}x`,
      sealed.replace('2.', '1.'),
      'x',
      '',
      '2..',
      sealed.replace(/\.(.)/, '.!$1'),
    ]) {
      expect(() => cursors.open(bad)).toThrowError(/cursor/);
    }
  });
});
