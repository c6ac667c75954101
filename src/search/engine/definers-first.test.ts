import { afterEach, describe, expect, it } from 'vitest';
import { definedWordsOf } from './testing/defined-words.ts';
import { InThreadSearch } from './testing/in-thread-search.ts';
import { SmallIndex, type TestRepository } from './testing/small-index.ts';

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const uses = 'wanted wanted wanted\n'.repeat(30);

describe('the text that defines a name comes first', () => {
  it('before texts that use it more often', async () => {
    expect(await found({ 'a.ts': uses, 'b.ts': 'fn wanted\n', 'c.ts': `${uses}again\n` })).toEqual([
      'b.ts',
      'a.ts',
      'c.ts',
    ]);
  });

  it('in any case of its letters, when that is asked', async () => {
    const files = { 'a.ts': uses, 'b.ts': 'fn Wanted\n' };
    expect(await found(files, { ignoreCase: true })).toEqual(['b.ts', 'a.ts']);
    expect(await found(files)).toEqual(['a.ts']);
  });

  it('before headers and stubs that declare it', async () => {
    const declares = `fn wanted\n${uses}`;
    const files = {
      'a.h': declares,
      'a.pyi': `${declares}python\n`,
      'b.c': 'fn wanted\n',
      'c.d.ts': `${declares}typescript\n`,
      'd.c': uses,
    };
    const [first, ...rest] = await found(files);
    expect(first).toBe('b.c');
    expect(rest.slice(0, 3).sort()).toEqual(['a.h', 'a.pyi', 'c.d.ts']);
  });

  it('also when other repositories, which are not searched, define it many times', async () => {
    const others = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`x${i}.ts`, `fn wanted ${i}\n`]));
    const own = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`a${i}.ts`, `wanted ${i}\n`]));
    const files = { ...own, 'z.ts': 'fn wanted\n' };
    const [first] = await found(files, { before: others, repository: 'own' });
    expect(first).toBe('z.ts');
  });
});

interface Asked {
  ignoreCase?: boolean;
  /** Files of a repository that ranks before. */
  before?: Record<string, string>;
  repository?: string;
}

async function found(
  files: Record<string, string>,
  { ignoreCase = false, before, repository }: Asked = {},
): Promise<string[]> {
  const index = await SmallIndex.create(definedWordsOf);
  cleanups.push(() => index.remove());
  const repositories = [...(before ? [repositoryOf(1, 'other', before)] : []), repositoryOf(2, 'own', files)];
  await index.publish(repositories);
  const search = await InThreadSearch.open(index.folder);
  cleanups.push(() => search.close());
  const pattern = { source: 'wanted', literal: true, ignoreCase };
  const text = { kind: 'text', where: 'content', pattern } as const;
  const named = { source: `^${repository}$`, literal: false, ignoreCase: false };
  const answer = search.search({
    query: repository ? { kind: 'all', of: [text, { kind: 'repository', pattern: named }] } : text,
    scope: repositories,
    revisions: new Map(),
    output: 'files',
    filesMax: 30,
    linesPerFileMax: 5,
    contextLines: 0,
    lineBytesMax: 100,
    exact: false,
    after: null,
    budgetMs: 60_000,
  });
  return answer.files.map(({ path }) => path);
}

function repositoryOf(id: number, name: string, files: Record<string, string>): TestRepository {
  const contents = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
  const branch = { name: 'main', isDefault: true, committedMs: 1, files: contents };
  return { id, host: 'folder', name, archived: false, fork: false, branches: [branch] };
}
