import { describe, expect, it } from 'vitest';
import { patchSections } from './patch-sections.ts';

describe('each file of a patch is told apart, whatever the files hold', () => {
  check('two files', `${change('a.txt')}${change('b/c.txt')}`, [['a.txt'], ['b/c.txt']]);
  check('content that looks like headers', change('a.txt', '+diff --git a/x b/x\n+--- a/x\n+++ b/x\n'), [
    ['a.txt'],
  ]);
  check('removed and added dashes', change('a.txt', '--- a/secret\n+++ b/secret\n'), [['a.txt']]);
  check('a rename', rename('old.txt', 'new.txt'), [['old.txt', 'new.txt']]);
  check('a rename without a change', rename('old.txt', 'new.txt').split('---')[0]!, [['old.txt', 'new.txt']]);
  check(
    'a new file',
    'diff --git a/n b/n\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\n',
    [['n']],
  );
  check('a mode alone', 'diff --git a/run me b/run me\nold mode 100644\nnew mode 100755\n', [['run me']]);
  check('an empty file', 'diff --git a/e b/e\nnew file mode 100644\nindex 0..0\n', [['e']]);
  check(
    'binary files',
    'diff --git a/x.png b/x.png\nindex 1..2 100644\nBinary files a/x.png and b/x.png differ\n',
    [['x.png']],
  );
  check('a name like a header', 'diff --git a/x b/x b/x b/x\nnew file mode 100644\nindex 0..0\n', [
    ['x b/x'],
  ]);
  check(
    'a name with a space, which git ends with a tab',
    'diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n@@ -1 +1 @@\n',
    [['a b']],
  );
  check(
    'a quoted name',
    String.raw`diff --git "a/q\"\\\n\377" "b/q\"\\\n\377"${'\n'}new file mode 100644${'\n'}`,
    [['q"\\\\x0a\\xff']],
  );
  check('a merge', 'diff --cc m.txt\nindex 1,2..3\n--- a/m.txt\n+++ b/m.txt\n@@@ -1,1 -1,1 +1,1 @@@\n', [
    ['m.txt'],
  ]);
  check('a header that tells no name', 'diff --git a/x b/y\nold mode 100644\n', [[]]);
  check('nothing', '', []);

  it('and nothing is lost between them', () => {
    const patch = `${change('a.txt')}${rename('b', 'c')}${change('d', '+diff --git\n')}`;
    expect(Buffer.concat(patchSections(Buffer.from(patch)).map(({ bytes }) => bytes)).toString()).toBe(patch);
  });
});

function change(name: string, body = '-old\n+new\n'): string {
  return `diff --git a/${name} b/${name}\nindex 1..2 100644\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n${body}`;
}

function rename(from: string, to: string): string {
  return `diff --git a/${from} b/${to}\nsimilarity index 90%\nrename from ${from}\nrename to ${to}\nindex 1..2 100644\n--- a/${from}\n+++ b/${to}\n@@ -1 +1 @@\n-a\n+b\n`;
}

function check(title: string, patch: string, paths: string[][]) {
  it(title, () => expect(patchSections(Buffer.from(patch)).map((section) => section.paths)).toEqual(paths));
}
