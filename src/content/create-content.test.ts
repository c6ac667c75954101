import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../base/logger.ts';
import { createMirrors, type Mirror, type Mirrors } from '../mirrors/index.ts';
import { createGitFixture, type FixtureFile, type GitFixture } from '../mirrors/testing/git-fixture.ts';
import { createContent } from './create-content.ts';
import type { ContentOptions, ContentPolicy, Document, ScannedFile, TextDocument } from './types.ts';

const { signal } = new AbortController();
const noLimit = 1 << 30;

let data: string;
let mirrors: Mirrors;
let repositories = 0;
const fixtures: GitFixture[] = [];
beforeAll(() => {
  data = mkdtempSync(path.join(tmpdir(), 'periscope-content-'));
  mirrors = createMirrors(
    {
      folder: path.join(data, 'mirrors'),
      worktreeFolder: path.join(data, 'worktrees'),
      fetchTtlMs: 0,
      fetchTimeoutMs: 10_000,
      cloneTimeoutMs: 10_000,
      readTimeoutMs: 10_000,
      diskBytesMax: 0,
      worktreesMax: 4,
      worktreeBytesMax: 1 << 30,
      batchProcessesMax: 4,
      processesMax: 4,
    },
    { clock: { now: () => Date.now() }, logger: silentLogger },
  );
});
afterEach(() => {
  for (const fixture of fixtures.splice(0)) fixture.remove();
});
afterAll(async () => {
  await mirrors.close();
  rmSync(data, { recursive: true, force: true });
});

describe('a path is told as what it is', () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'ab'.repeat(32)}\nsize 12345\n`;
  const module = 'c'.repeat(40);
  const { open } = repositoryOf(() => ({
    'plain.txt': 'one\r\ntwo\n',
    'run.sh': { mode: '100755', content: '#!/bin/sh\n' },
    'latin.txt': Buffer.from('caf\xe9\n', 'latin1'),
    'wide.txt': Buffer.from('\ufeffwide\n', 'utf16le'),
    'empty.txt': '',
    'image.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]),
    'big.bin': pointer,
    'no-pointer.txt': 'version https://git-lfs.github.com/spec/v1\nnothing more\n',
    link: { mode: '120000', content: '../outside\n\xff' },
    'vendor/lib': { mode: '160000', content: module },
    'odd \\xff\\x0a"name': 'odd\n',
  }));

  it('text, with its encoding, its size in git and its lines', async () => {
    const document = (await open('plain.txt')) as TextDocument;
    expect(document).toMatchObject({
      kind: 'text',
      encoding: 'utf-8',
      sizeBytes: 9,
      lineCount: 2,
      executable: false,
      maskedSpans: 0,
    });
    expect(document.lines(1, 10, noLimit).lines).toEqual(['one', 'two']);
    expect(document.text()?.toString()).toBe('one\r\ntwo\n');
    expect(await open('run.sh')).toMatchObject({ executable: true });
    expect(await open('latin.txt')).toMatchObject({ encoding: 'latin-1', sizeBytes: 5 });
    expect(((await open('latin.txt')) as TextDocument).text()?.toString()).toBe('café\n');
    expect(await open('wide.txt')).toMatchObject({ encoding: 'utf-16le', sizeBytes: 12, lineCount: 1 });
    expect(await open('empty.txt')).toMatchObject({ kind: 'text', lineCount: 0 });
    expect(await open('no-pointer.txt')).toMatchObject({ kind: 'text' });
    expect(await open('odd \\xff\\x0a"name')).toMatchObject({ kind: 'text', path: 'odd \\xff\\x0a"name' });
  });

  it('what is no text', async () => {
    expect(await open('image.png')).toMatchObject({ kind: 'binary', sizeBytes: 8 });
    expect(await open('big.bin')).toMatchObject({
      kind: 'lfs-pointer',
      lfsOid: `sha256:${'ab'.repeat(32)}`,
      lfsSizeBytes: 12345,
    });
    expect(await open('link')).toMatchObject({ kind: 'symlink', target: '../outside\\x0aÿ' });
    expect(await open('vendor/lib')).toEqual({ kind: 'submodule', path: 'vendor/lib', commit: module });
    expect(await open('vendor')).toEqual({ kind: 'directory', path: 'vendor' });
    await expect(open('missing')).rejects.toMatchObject({ kind: 'path-not-found' });
  });
});

describe('a file is decoded once', () => {
  it('as long as it fits, and the cache stays within its bytes', async () => {
    const bytesMax = 40_000;
    const files = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`${at}.txt`, `file ${at}\n`.repeat(500)]),
    );
    const { mirror, commit } = repository(files);
    const content = contentOf({ cacheBytesMax: bytesMax });
    const read = async (name: string) => content.open(mirror, commit, name, { signal });
    await read('0.txt');
    for (let again = 0; again < 50; again++) await read('0.txt');
    expect(content.counters()).toMatchObject({ blobsDecoded: 1, cacheHits: 50, cacheEntries: 1 });
    for (const name of Object.keys(files)) await read(name);
    expect(content.counters().cacheBytes).toBeLessThanOrEqual(bytesMax);
    expect(content.counters().cacheEntries).toBeGreaterThan(1);
    expect(content.counters().blobsDecoded).toBe(20);
    await read('0.txt');
    expect(content.counters().blobsDecoded).toBe(21);
  });

  it('each time, with a cache of nothing', async () => {
    const { mirror, commit } = repository({ a: 'text\n' });
    const content = contentOf({ cacheBytesMax: 0 });
    await content.open(mirror, commit, 'a', { signal });
    await content.open(mirror, commit, 'a', { signal });
    expect(content.counters()).toMatchObject({ blobsDecoded: 2, cacheHits: 0, cacheBytes: 0 });
  });

  it('and never for another repository, which may name a blob that it does not hold', async () => {
    const holder = repository({ secret: 'only here\n' });
    const oid = holder.fixture.git(['rev-parse', 'HEAD:secret']).trim();
    const other = createGitFixture();
    fixtures.push(other);
    const tree = other.rawTree([{ mode: '100644', name: 'stolen', oid }]);
    const commit = other.commitTree(tree);
    const content = contentOf({});
    await content.open(holder.mirror, holder.commit, 'secret', { signal });
    await expect(content.open(mirrorOf(other), commit, 'stolen', { signal })).rejects.toMatchObject({
      code: 'mirrors/object-missing',
    });
  });
});

describe('a file over the limit is read in pages', () => {
  const lines = Array.from({ length: 3000 }, (_, at) => `line ${at + 1} ${'·'.repeat(at % 7)}`);
  const whole = `${lines.join('\n')}\n`;

  it('from any line on, with the same lines as the whole', async () => {
    const { mirror, commit } = repository({ 'big.txt': whole });
    const content = contentOf({ wholeBytesMax: 1000, pageBytes: 512 });
    let line = 1;
    const seen: string[] = [];
    while (line <= lines.length) {
      const options = { signal, firstLine: line };
      const document = (await content.open(mirror, commit, 'big.txt', options)) as TextDocument;
      expect(document.text()).toBeNull();
      const slice = document.lines(line, 200, noLimit);
      expect(slice.lines.length).toBeGreaterThan(0);
      seen.push(...slice.lines);
      line += slice.lines.length;
      expect(slice.atEnd).toBe(line > lines.length);
    }
    expect(seen).toEqual(lines);
  });

  it('and each page once while it is kept', async () => {
    const { mirror, commit } = repository({ 'big.txt': whole });
    const content = contentOf({ wholeBytesMax: 1000, pageBytes: 4096 });
    for (let line = 1; line < 100; line++) {
      await content.open(mirror, commit, 'big.txt', { signal, firstLine: line });
    }
    expect(content.counters()).toMatchObject({ blobsDecoded: 1, pagesDecoded: 1 });
  });

  it('even when it is one line of many megabytes, of which a page is held', async () => {
    const { mirror, commit } = repository({ 'line.json': Buffer.alloc(12 << 20, 'x') });
    const content = contentOf({ wholeBytesMax: 1 << 20, cacheBytesMax: 8 << 20 });
    const document = (await content.open(mirror, commit, 'line.json', { signal })) as TextDocument;
    expect(document.lines(1, 10, 100)).toEqual({
      first: 1,
      lines: ['x'.repeat(100)],
      cutLines: new Map([[1, 12 << 20]]),
      atEnd: true,
    });
    expect(content.counters().cacheBytes).toBeLessThan(4 << 20);
    const after = (await content.open(mirror, commit, 'line.json', { signal, firstLine: 2 })) as TextDocument;
    expect(after.lineCount).toBe(1);
    expect(after.lines(2, 10, 100)).toMatchObject({ lines: [], atEnd: true });
  });

  it('and told as binary when it is', async () => {
    const { mirror, commit } = repository({ 'big.bin': Buffer.alloc(5000) });
    const content = contentOf({ wholeBytesMax: 1000 });
    expect(await content.open(mirror, commit, 'big.bin', { signal })).toMatchObject({
      kind: 'binary',
      sizeBytes: 5000,
    });
  });
});

describe('what is opted out is nowhere', () => {
  const policy: ContentPolicy = {
    optedOut: (one) => /^private(\/|$)/.test(one) || one === 'src/hidden.ts',
    mask: () => 0,
  };
  const files = {
    'src/hidden.ts': 'hidden\n',
    'src/shown.ts': 'shown\n',
    'private/deep/a.txt': 'hidden\n',
    'private/b.txt': 'hidden\n',
    'c.txt': 'c\n',
  };

  it.each([
    'src/hidden.ts',
    'private',
    'private/b.txt',
    'private/deep/a.txt',
    './private/b.txt',
    'private//b.txt',
    'src/hid\\x64en.ts',
  ])('%s looks like what never existed, however it is asked for', async (hidden) => {
    const { mirror, commit } = repository(files);
    const without = repository(
      Object.fromEntries(Object.entries(files).filter(([name]) => /shown|^c/.test(name))),
    );
    const content = contentOf({ policy });
    const open = contentOf({});
    const ask = (
      from: typeof content,
      mirror: Mirror,
      commit: string,
    ): Record<string, () => Promise<unknown>> => ({
      open: () => from.open(mirror, commit, hidden, { signal }),
      entry: () => from.entry(mirror, commit, hidden, { signal }),
      list: () => from.list(mirror, commit, hidden, { signal }),
      walk: () => from.walk(mirror, commit, hidden, { signal, depthMax: 9, limit: 9 }),
    });
    const masked = ask(content, mirror, commit);
    const missing = ask(open, without.mirror, without.commit);
    for (const [name, call] of Object.entries(masked)) {
      const [error, wanted] = await Promise.all([faultOf(call), faultOf(missing[name]!)]);
      const alike = (fault: Awaited<ReturnType<typeof faultOf>>) =>
        JSON.parse(JSON.stringify(fault).replaceAll(/[0-9a-f]{12}/g, 'commit'));
      expect(alike(error), name).toEqual(alike(wanted));
      expect(error.kind, name).toBe('path-not-found');
    }
    for (const call of [
      () => scanned(content.scan(mirror, commit, hidden, { signal, fileBytesMax: 99, wants: () => true })),
      () =>
        content.history(
          mirror,
          { commit, path: hidden, skip: 0, limit: 9, followRenames: false },
          { signal },
        ),
      () => content.diff(mirror, { commit, path: hidden, contextLines: 3, bytesMax: 999 }, { signal }),
      () => content.blame(mirror, { commit, path: hidden, start: 1, end: 1 }, { signal }),
    ]) {
      expect((await faultOf(call)).kind).toBe('path-not-found');
    }
  });

  it('in listings, walks, scans and changes, and a limit does not tell of it', async () => {
    const { mirror, commit } = repository(files);
    const content = contentOf({ policy });
    const paths = (entries: { path: string }[]) => entries.map((entry) => entry.path);
    expect(paths(await content.list(mirror, commit, '', { signal }))).toEqual(['c.txt', 'src']);
    const walk = (limit: number) => content.walk(mirror, commit, '', { signal, depthMax: 9, limit });
    const all = await walk(3);
    expect(paths(all.entries)).toEqual(['c.txt', 'src', 'src/shown.ts']);
    expect(all.complete).toBe(true);
    expect(await walk(2)).toMatchObject({ complete: false, entries: all.entries.slice(0, 2) });
    const scannedFiles = await scanned(
      content.scan(mirror, commit, '', { signal, fileBytesMax: 99, wants: () => true }),
    );
    expect(paths(scannedFiles)).toEqual(['c.txt', 'src/shown.ts']);
    const diff = await content.diff(
      mirror,
      { commit, path: '', contextLines: 3, bytesMax: 9999 },
      { signal },
    );
    expect(paths(diff.files)).toEqual(['c.txt', 'src/shown.ts']);
    expect(diff.patch).toContain('+shown');
    expect(diff.patch).not.toMatch(/hidden|private/);
  });

  it('also a file that was renamed out of it', async () => {
    const text = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join('');
    const { fixture, mirror } = repository({ 'private/a.txt': text, 'b.txt': 'b\n' });
    const commit = fixture.commit({ 'private/a.txt': null, 'now.txt': `${text}more\n`, 'b.txt': 'c\n' });
    const content = contentOf({ policy });
    const diff = await content.diff(
      mirror,
      { commit, path: '', contextLines: 3, bytesMax: 9999 },
      { signal },
    );
    expect(diff.files.map((file) => file.path)).toEqual(['b.txt']);
    expect(diff.patch).not.toMatch(/private|now\.txt/);
    const blame = await content.blame(mirror, { commit, path: 'now.txt', start: 1, end: 1 }, { signal });
    expect(blame[0]?.originalPath).toBe('now.txt');
  });

  it('an entry is opened under the policy that it was listed with, one from elsewhere needs its commit', async () => {
    const { mirror, commit } = repository(files);
    const content = contentOf({ policy });
    const [entry] = await content.list(mirror, commit, 'src', { signal });
    expect(await content.openEntry(mirror, entry!, { signal })).toMatchObject({ path: 'src/shown.ts' });
    const hidden = await mirror.entry(commit, 'src/hidden.ts', { signal });
    await expect(content.openEntry(mirror, hidden, { signal })).rejects.toMatchObject({
      code: 'content/entry-without-commit',
    });
    await expect(content.openEntry(mirror, hidden, { signal, commit })).rejects.toMatchObject({
      kind: 'path-not-found',
    });
  });
});

describe('a credential is masked wherever it would leave', () => {
  const token = 'tok_0123456789';
  const policy: ContentPolicy = { optedOut: () => false, mask: (text) => maskAll(text, token) };

  it('in files, pages, scans, links, messages and changes, and the mirror keeps its own bytes', async () => {
    const { fixture, mirror } = repository({
      'a.txt': `x = ${token}\n`,
      link: { mode: '120000', content: `/${token}` },
    });
    const commit = fixture.commit(
      { 'b.txt': `y = ${token}\n`, 'big.txt': `${'z\n'.repeat(2000)}${token}\n` },
      { message: `Use ${token}\n\nAnd ${token} again.\n` },
    );
    const content = contentOf({ policy, wholeBytesMax: 1000, pageBytes: 256 });
    const document = (await content.open(mirror, commit, 'a.txt', { signal })) as TextDocument;
    expect(document.lines(1, 9, noLimit).lines).toEqual([`x = ${'*'.repeat(token.length)}`]);
    expect(document.maskedSpans).toBe(1);
    const answers: unknown[] = [
      document.text()?.toString(),
      await content.open(mirror, commit, 'link', { signal }),
      ((await content.open(mirror, commit, 'big.txt', { signal, firstLine: 2001 })) as TextDocument).lines(
        2001,
        1,
        noLimit,
      ),
      (
        await scanned(content.scan(mirror, commit, '', { signal, fileBytesMax: 9999, wants: () => true }))
      ).map((file) => (file.kind === 'text' ? file.text.toString() : file)),
      await content.history(
        mirror,
        { commit, path: '', skip: 0, limit: 9, followRenames: false },
        { signal },
      ),
      await content.diff(mirror, { commit, path: '', contextLines: 3, bytesMax: 9999 }, { signal }),
      await content.blame(mirror, { commit, path: 'b.txt', start: 1, end: 1 }, { signal }),
    ];
    expect(JSON.stringify(answers)).not.toContain(token);
    expect(JSON.stringify(answers).match(/\*{14}/g)).toHaveLength(11);
    const { oid } = await mirror.entry(commit, 'a.txt', { signal });
    expect((await mirror.blob(oid, { signal, bytesMax: 99 })).toString()).toContain(token);
  });

  it('and is not found by its beginning either, in changes or in names of authors', async () => {
    const { fixture, mirror } = repository({ 'a.txt': 'x\n' });
    const own = fixture.commit({ 'a.txt': `x = ${token}; tok_ other\n` });
    const commit = fixture.commit(
      { 'b.txt': 'tok_012 is no credential\n' },
      { author: `Bob ${token} <bob@example.org>` },
    );
    const content = contentOf({ policy });
    const ask = async (more: object) => {
      const query = { commit, path: '', skip: 0, limit: 9, followRenames: false, ...more };
      return (await content.history(mirror, query, { signal })).map((one) => one.commit);
    };
    expect(await ask({ pickaxe: 'tok_012345' })).toEqual([]);
    expect(await ask({ pickaxe: 'tok_012' })).toEqual([commit]);
    expect(await ask({ pickaxe: 'tok_ other' })).toEqual([own]);
    expect(await ask({ authorContains: 'bob tok_' })).toEqual([]);
    expect(await ask({ authorContains: 'BOB *' })).toEqual([]);
    expect(await ask({ authorContains: 'bob' })).toEqual([commit]);
  });

  it('under the key of its rules, or for the policy object alone', async () => {
    const { mirror, commit } = repository({ 'a.txt': `x = ${token}\n` });
    let current: ContentPolicy = { optedOut: () => false, mask: () => 0 };
    const content = createContent(defaults, { policyOf: () => current });
    const text = async () =>
      ((await content.open(mirror, commit, 'a.txt', { signal })) as TextDocument).text()?.toString();
    expect(await text()).toContain(token);
    current = { ...policy };
    expect(await text()).not.toContain(token);
    current = { ...policy, maskKey: 'rules 1' };
    await text();
    const { blobsDecoded } = content.counters();
    current = { ...policy, maskKey: 'rules 1' };
    await text();
    expect(content.counters().blobsDecoded).toBe(blobsDecoded);
    current = { optedOut: () => false, mask: () => 0, maskKey: 'rules 2' };
    expect(await text()).toContain(token);
  });
});

describe('history, changes and blame are text whatever they were', () => {
  it('messages in any encoding, as a subject and a body', async () => {
    const { fixture, mirror } = repository({ a: '1\n' });
    fixture.commit(
      { a: '2\n' },
      { message: Buffer.from('Caf\xe9\non two lines\n\nBody\n\nmore\n', 'latin1') },
    );
    const commit = fixture.commit({ a: '3\n' }, { message: '\n  Ünïcode  \r\n\r\nBody\r\n' });
    const content = contentOf({});
    const commits = await content.history(
      mirror,
      { commit, path: '', skip: 0, limit: 2, followRenames: false },
      { signal },
    );
    expect(commits.map(({ subject, body }) => [subject, body])).toEqual([
      ['Ünïcode', 'Body'],
      ['Café on two lines', 'Body\n\nmore'],
    ]);
    const [line] = await content.blame(mirror, { commit, path: 'a', start: 1, end: 1 }, { signal });
    expect(line?.summary).toContain('Ünïcode');
  });

  it('a change over files of different encodings, and over odd names', async () => {
    const { mirror, commit } = repository({
      'latin.txt': Buffer.from('caf\xe9\n', 'latin1'),
      'utf8.txt': 'café\n',
      'odd \\xff\\x0a"\tname': 'odd\n',
      'mode.sh': { mode: '100755', content: '' },
    });
    const diff = await contentOf({}).diff(
      mirror,
      { commit, path: '', contextLines: 3, bytesMax: 9999 },
      { signal },
    );
    expect(diff.patch.match(/\+café/g)).toHaveLength(2);
    expect(diff.patch).toContain('+odd');
    expect(diff.patch).toContain('new file mode 100755');
    expect(diff.files).toHaveLength(4);
  });

  it('a change that is cut ends at a whole line', async () => {
    const { mirror, commit } = repository({ 'a.txt': 'a line\n'.repeat(100) });
    const diff = await contentOf({}).diff(
      mirror,
      { commit, path: '', contextLines: 3, bytesMax: 200 },
      { signal },
    );
    expect(diff.truncated).toBe(true);
    expect(diff.patch).toMatch(/\+a line\n$/);
  });
});

describe('a scan gives every wanted file in order, or why not', () => {
  it('decoded, with the reason of each that was skipped', async () => {
    const { mirror, commit } = repository({
      'a/latin.txt': Buffer.from('caf\xe9\n', 'latin1'),
      'a/link': { mode: '120000', content: '/etc/passwd' },
      'a/module': { mode: '160000', content: 'd'.repeat(40) },
      'a/noise.bin': Buffer.from([1, 0, 2]),
      'a/pointer': `version https://git-lfs.github.com/spec/v1\noid sha256:${'ab'.repeat(32)}\nsize 1\n`,
      'a/too-big.txt': 'x'.repeat(1001),
      'a/unwanted.md': 'x',
      'b.txt': 'outside of the directory',
    });
    const files = await scanned(
      contentOf({}).scan(mirror, commit, 'a', {
        signal,
        fileBytesMax: 1000,
        wants: (name) => !name.endsWith('.md'),
      }),
    );
    expect(
      files.map((file) => [file.path, file.kind === 'text' ? file.text.toString() : file.reason]),
    ).toEqual([
      ['a/latin.txt', 'café\n'],
      ['a/link', 'symlink'],
      ['a/module', 'submodule'],
      ['a/noise.bin', 'binary'],
      ['a/pointer', 'lfs-pointer'],
      ['a/too-big.txt', 'too-large'],
    ]);
  });

  it('and gives its directory back when it is left early or cancelled', async () => {
    const { mirror, commit } = repository(
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}.txt`, `${at}\n`])),
    );
    let released = 0;
    const watched: Mirror = {
      ...mirror,
      materialise: async (...args) => {
        const directory = await mirror.materialise(...args);
        return {
          ...directory,
          release() {
            released += 1;
            directory.release();
          },
        };
      },
    };
    const content = contentOf({});
    const options = { signal, fileBytesMax: 99, wants: () => true };
    for await (const _ of content.scan(watched, commit, '', options)) break;
    expect(released).toBe(1);
    const cancelling = new AbortController();
    await expect(async () => {
      for await (const _ of content.scan(watched, commit, '', { ...options, signal: cancelling.signal }))
        cancelling.abort();
    }).rejects.toMatchObject({ name: 'AbortError' });
    expect(released).toBe(2);
  });
});

const defaults: ContentOptions = { cacheBytesMax: 1 << 24, wholeBytesMax: 1 << 22 };
const everything: ContentPolicy = { optedOut: () => false, mask: () => 0 };

function contentOf({
  policy = everything,
  ...options
}: Partial<ContentOptions> & { policy?: ContentPolicy }) {
  return createContent({ ...defaults, ...options }, { policyOf: () => policy });
}

function repository(files: Record<string, FixtureFile>) {
  const fixture = createGitFixture();
  fixtures.push(fixture);
  const commit = fixture.commit(files);
  return { fixture, commit, mirror: mirrorOf(fixture) };
}

function mirrorOf(fixture: GitFixture): Mirror {
  repositories += 1;
  const { gitDir, folder } = fixture;
  return mirrors.open({
    id: repositories,
    name: 'acme/pay',
    source: { kind: 'folder', gitDir, workTree: null, root: folder },
  });
}

/** One repository for the cases of a describe. */
function repositoryOf(files: () => Record<string, FixtureFile>) {
  return {
    async open(name: string): Promise<Document> {
      const { mirror, commit } = repository(files());
      return contentOf({}).open(mirror, commit, name, { signal });
    },
  };
}

async function scanned(files: AsyncIterable<ScannedFile>): Promise<ScannedFile[]> {
  const found: ScannedFile[] = [];
  for await (const file of files) found.push(file);
  return found;
}

async function faultOf(call: () => Promise<unknown>) {
  try {
    await call();
  } catch (error) {
    const { kind, code, message, next, data } = error as { [key: string]: unknown } & Error;
    return { kind, code, message, next, data };
  }
  throw new Error('no fault');
}

function maskAll(text: Buffer, secret: string): number {
  let spans = 0;
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
    text.fill('*', at, at + secret.length);
    spans += 1;
  }
  return spans;
}
