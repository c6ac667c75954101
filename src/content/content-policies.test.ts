import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Mirror } from '../mirrors/index.ts';
import { createGitFixture, type FixtureFile, type GitFixture } from '../mirrors/testing/git-fixture.ts';
import { openTestMirrors, type TestMirrors } from '../mirrors/testing/open-mirrors.ts';
import { createSecretScanner } from '../secrets/index.ts';
import { createContentPolicies } from './content-policies.ts';
import { createContent } from './create-content.ts';
import type { Content, TextDocument } from './types.ts';

const { signal } = new AbortController();

let opened: TestMirrors;
const fixtures: GitFixture[] = [];
beforeAll(() => {
  opened = openTestMirrors();
});
afterEach(() => {
  for (const fixture of fixtures.splice(0)) fixture.remove();
});
afterAll(() => opened.close());

describe('one committed file hides paths from the next call on', () => {
  it('in every operation of the door, at every revision, and shows them again when it goes', async () => {
    const { fixture, mirror, content } = repository({
      'keys/deep/a.txt': 'deep needle\n',
      'src/b.ts': 'shown\n',
      'src/b.gen.ts': 'generated\n',
    });
    const old = fixture.commit({ 'keys/c.txt': 'c\n' });
    expect(await everything(content, mirror, old)).toMatchObject({ paths: 7 });
    fixture.commit({ '.periscope/ignore': '# ours\nkeys/\n*.gen.ts\n' });
    for (const commit of [old, headOf(fixture)]) {
      const seen = await everything(content, mirror, commit);
      expect(seen.text).not.toMatch(/keys\/\w|b\.gen|deep|generated/);
      expect(seen.text).toContain('src/b.ts');
      for (const path of ['keys', 'keys/c.txt', 'keys/deep/a.txt', 'src/b.gen.ts']) {
        await expectHidden(content, mirror, commit, path);
      }
    }
    fixture.commit({ '.periscope/ignore': null });
    expect((await everything(content, mirror, old)).text).toContain('keys/deep/a.txt');
  });

  it('and never answers whether what is hidden holds a text', async () => {
    const { fixture, mirror, content } = repository({ 'keys/a.txt': 'x\n', 'b.txt': 'b\n' });
    const added = fixture.commit({ 'keys/a.txt': 'needle\n' });
    const shown = fixture.commit({ 'keys/a.txt': 'x\n', 'b.txt': 'needle\n' });
    const renamed = fixture.commit({ 'b.txt': null, 'keys/b.txt': 'needle\n' });
    const commit = fixture.commit({ 'c.txt': 'c\n' });
    const ask = async (more: object = {}) => {
      const query = { commit, path: '', skip: 0, limit: 9, followRenames: false, pickaxe: 'needle', ...more };
      return (await content.history(mirror, query, { signal })).map((one) => one.commit);
    };
    expect(await ask()).toEqual([shown, added]);
    fixture.commit({ '.sourcegraph/ignore': 'keys/\n' });
    expect(await ask()).toEqual([renamed, shown]);
    expect(await ask({ limit: 1 })).toEqual([renamed]);
    expect(await ask({ skip: 1 })).toEqual([shown]);
    expect(await ask({ path: 'b.txt', followRenames: true })).toEqual([renamed, shown]);
    await expect(ask({ path: 'keys/a.txt' })).rejects.toMatchObject({ kind: 'path-not-found' });
  });

  it('with both files together, of which each stays readable', async () => {
    const { fixture, mirror, content } = repository({
      '.periscope/ignore': '*\n',
      '.periscope/other': 'hidden\n',
      '.sourcegraph/ignore': '!a\n',
      a: 'a\n',
    });
    const commit = headOf(fixture);
    const { entries } = await content.walk(mirror, commit, '', { signal, depthMax: 9, limit: 99 });
    expect(entries.map(({ path }) => path).sort()).toEqual([
      '.periscope',
      '.periscope/ignore',
      '.sourcegraph',
      '.sourcegraph/ignore',
    ]);
    const file = (await content.open(mirror, commit, '.periscope/ignore', { signal })) as TextDocument;
    expect(file.text()?.toString()).toBe('*\n');
  });

  it('a file may have the name that is hidden as a directory', async () => {
    const { fixture, mirror, content } = repository({ '.periscope/ignore': 'out/\n', out: 'a file\n' });
    expect(await content.open(mirror, headOf(fixture), 'out', { signal })).toMatchObject({ kind: 'text' });
    fixture.commit({ out: null });
    fixture.commit({ 'out/x': 'x\n' });
    await expectHidden(content, mirror, headOf(fixture), 'out');
  });

  it('and another repository has its own', async () => {
    const hiding = repository({ '.periscope/ignore': 'a\n', a: 'same\n' });
    const open = repository({ a: 'same\n' });
    await expectHidden(hiding.content, hiding.mirror, headOf(hiding.fixture), 'a');
    const found = await hiding.content.open(open.mirror, headOf(open.fixture), 'a', { signal });
    expect(found).toMatchObject({ kind: 'text' });
  });

  it('only on the default branch', async () => {
    const { fixture, mirror, content } = repository({ a: 'a\n' });
    const side = fixture.commit({ '.periscope/ignore': 'a\n' }, { branch: 'side', from: headOf(fixture) });
    expect(await content.open(mirror, side, 'a', { signal })).toMatchObject({ kind: 'text' });
  });
});

describe('an opt-out that cannot be read hides everything and says what to do', () => {
  checkUnreadable('a link', { mode: '120000', content: 'elsewhere' }, /it is a symlink/);
  checkUnreadable('no UTF-8', Buffer.from('caf\xe9\n', 'latin1'), /no UTF-8 text/);
  checkUnreadable('too large', Buffer.alloc(256 * 1024 + 1, 'a'), /larger than 256 KiB/);
  checkUnreadable('too many patterns', 'a\n'.repeat(5001), /more than 5000 patterns/);

  it('a directory', () => checkFault({ '.periscope/ignore/x': 'x\n' }, /it is a directory/));

  function checkUnreadable(title: string, file: FixtureFile, message: RegExp) {
    it(title, () => checkFault({ '.periscope/ignore': file }, message));
  }

  async function checkFault(files: Record<string, FixtureFile>, message: RegExp) {
    const { fixture, mirror, content } = repository({ a: 'a\n', ...files });
    await expect(content.open(mirror, headOf(fixture), 'a', { signal })).rejects.toMatchObject({
      kind: 'blocked-by-policy',
      code: 'content/ignore-file-unreadable',
      message: expect.stringMatching(message),
      next: expect.stringContaining('.periscope/ignore'),
    });
    fixture.commit({ '.periscope/ignore': null, '.periscope/ignore/x': null, b: 'b\n' });
    expect(await content.open(mirror, headOf(fixture), 'a', { signal })).toMatchObject({ kind: 'text' });
  }
});

describe('a policy costs little', () => {
  it('is the same object until either file changes, and its key tells what it says', async () => {
    const { fixture, mirror, policies } = repository({ a: 'a\n' });
    const of = () => policies.policyOf(mirror, headOf(fixture));
    const first = await of();
    fixture.commit({ a: 'b\n' });
    expect(await of()).toBe(first);
    expect(first.hidesNothing).toBe(true);
    fixture.commit({ '.periscope/ignore': 'a\n' });
    const second = await of();
    expect(second.key).not.toBe(first.key);
    expect(second).toMatchObject({ hidesNothing: false, maskKey: first.maskKey });
    fixture.commit({ '.periscope/ignore': null });
    expect((await of()).key).toBe(first.key);
  });

  it('is there for a repository without commits', async () => {
    const { mirror, policies } = repository(null);
    expect(await policies.policyOf(mirror, '0'.repeat(40))).toMatchObject({ hidesNothing: true });
  });
});

function repository(files: Record<string, FixtureFile> | null) {
  const fixture = createGitFixture();
  fixtures.push(fixture);
  if (files !== null) fixture.commit(files);
  const policies = createContentPolicies({ scanner: createSecretScanner() });
  const content = createContent({ cacheBytesMax: 1 << 20, wholeBytesMax: 1 << 20 }, policies);
  return { fixture, policies, content, mirror: opened.openFolder(fixture) };
}

const headOf = (fixture: GitFixture): string => fixture.git(['rev-parse', 'main']).trim();

/** All that the door tells of a commit without being asked for a path. */
async function everything(content: Content, mirror: Mirror, commit: string) {
  const walked = await content.walk(mirror, commit, '', { signal, depthMax: 9, limit: 99 });
  const told: unknown[] = [walked, await content.list(mirror, commit, 'src', { signal })];
  for await (const file of content.scan(mirror, commit, '', {
    signal,
    fileBytesMax: 99,
    wants: () => true,
  })) {
    told.push(file.kind === 'text' ? [file.path, file.text.toString()] : file.path);
  }
  const first = (
    await mirror.history({ commit, path: '', skip: 0, limit: 9, followRenames: false }, { signal })
  ).at(-1)!;
  const query = { commit: first.commit, path: '', contextLines: 3, bytesMax: 9999 };
  told.push(await content.diff(mirror, query, { signal }));
  return { paths: walked.entries.length, text: JSON.stringify(told) };
}

async function expectHidden(content: Content, mirror: Mirror, commit: string, path: string) {
  const query = { commit, path };
  for (const ask of [
    () => content.open(mirror, commit, path, { signal }),
    () => content.entry(mirror, commit, path, { signal }),
    () => content.list(mirror, commit, path, { signal }),
    () => content.walk(mirror, commit, path, { signal, depthMax: 9, limit: 9 }),
    () => content.history(mirror, { ...query, skip: 0, limit: 9, followRenames: false }, { signal }),
    () => content.diff(mirror, { ...query, contextLines: 3, bytesMax: 999 }, { signal }),
    () => content.blame(mirror, { ...query, start: 1, end: 1 }, { signal }),
  ]) {
    await expect(ask(), `${ask}`).rejects.toMatchObject({ kind: 'path-not-found' });
  }
}
