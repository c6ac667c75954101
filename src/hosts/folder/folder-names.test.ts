import { describe, expect, it } from 'vitest';
import { nameRepositories } from './folder-names.ts';

describe('each repository gets a name of its own', () => {
  check('its path below the folder', ['/src:a/b', '/src:c.git'], ['a/b', 'c']);
  check(
    'the folder itself, by its basename',
    ['/srv/one:', '/srv/two.git:', '/srv/three/.git:'],
    ['one', 'two', 'three'],
  );
  check('the root directory', ['/:'], ['root']);
  check(
    'only the suffix of the name is dropped',
    ['/src:a.git/b', '/src:.github', '/src:x/.git'],
    ['a.git/b', '.github', 'x/.git'],
  );
  check('with and without suffix in one folder', ['/src:a', '/src:a.git'], ['a', 'a.git']);
  check('the same in two folders', ['/x/one:a', '/x/two:a', '/x/two:b'], ['one/a', 'two/a', 'b']);
  check('in two folders of the same name', ['/x/src:a', '/y/src:a'], ['x/src/a', 'y/src/a']);
  check('folders that are repositories of the same name', ['/x/a:', '/y/a:'], ['x/a', 'y/a']);
  check('a repository in one of its own name', ['/srv/a:', '/srv/a:a'], ['a', 'a/a']);
  check(
    'a prefix that is the name of another',
    ['/x/one:a', '/x/two:a', '/y:one/a'],
    ['x/one/a', 'two/a', 'y/one/a'],
  );

  function check(title: string, unnamed: string[], names: string[]) {
    it(title, () => {
      const input = unnamed.map((one) => {
        const [folder, below] = one.split(':') as [string, string];
        return { folder, below };
      });
      const given = nameRepositories(input);
      expect(given.map(({ name }) => name)).toEqual(names);
      expect(nameRepositories([...input].reverse()).reverse()).toEqual(given);
    });
  }
});

describe('a name that had to be told apart carries the plain ones, so that rules about them go on holding', () => {
  check('nothing to tell apart', ['/src:a', '/src:b.git'], [[], []]);
  check('a kept suffix', ['/src:vault/sec', '/src:vault/sec.git'], [[], ['vault/sec']]);
  check('a folder in front', ['/x/one:a', '/x/two:a'], [['a'], ['a']]);
  check(
    'more of the folder',
    ['/x/src:a', '/y/src:a'],
    [
      ['a', 'src/a'],
      ['a', 'src/a'],
    ],
  );
  check('both', ['/x/one:a', '/x/one:a.git', '/x/two:a'], [['a'], ['a', 'one/a', 'a.git'], ['a']]);
  check('the folder that is itself a repository', ['/srv/a:', '/srv/a:a'], [[], ['a']]);

  function check(title: string, unnamed: string[], plainNames: string[][]) {
    it(title, () => {
      const input = unnamed.map((one) => {
        const [folder, below] = one.split(':') as [string, string];
        return { folder, below };
      });
      expect(nameRepositories(input).map((given) => given.plainNames)).toEqual(plainNames);
    });
  }
});
