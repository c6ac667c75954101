import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Logger } from '../base/logger.ts';
import type { GitFixture } from '../mirrors/testing/git-fixture.ts';
import { indexedDocuments } from './testing/indexed-documents.ts';
import { openTestIndexing, type TestIndexing } from './testing/open-indexing.ts';

const { signal } = new AbortController();
let test: TestIndexing;
let one: GitFixture;
let logged: string[];
let logger: Logger;

/** Enough text for dictionaries to be trained, in few files. */
const lines = Array.from({ length: 10_000 }, (_, line) => `const common${line} = ${line};\n`).join('');
const texts = Object.fromEntries(
  Array.from({ length: 20 }, (_, file) => [`lib/${file}.ts`, `${lines}// file ${file}\n`]),
);

beforeEach(async () => {
  test = await openTestIndexing();
  one = test.repository('one.git');
  one.commit(texts);
  test.repository('two.git').commit({ 'src/b.ts': 'export const b = 2;\n', 'src/c.ts': 'c\n' });
  await test.discover();
  logged = [];
  const log = (message: string, fields?: Record<string, unknown>) =>
    void logged.push(`${message} ${JSON.stringify(fields)}`);
  logger = { debug: () => {}, info: () => {}, warn: log, error: log };
});
afterEach(() => test.close());

const files = (pattern: RegExp) => readdirSync(test.indexFolder).filter((name) => pattern.test(name));
const fileOf = (name: string) => path.join(test.indexFolder, name);

type Damage = (pattern: RegExp) => void;
const gone: Damage = (pattern) => {
  for (const name of files(pattern)) rmSync(fileOf(name));
};
const changed: Damage = (pattern) => {
  for (const name of files(pattern)) {
    const bytes = readFileSync(fileOf(name));
    for (let at = 20; at < bytes.length; at += 97) bytes[at]! ^= 0x55;
    writeFileSync(fileOf(name), bytes);
  }
};
const cut: Damage = (pattern) => {
  for (const name of files(pattern)) truncateSync(fileOf(name), readFileSync(fileOf(name)).length >> 1);
};

/** Everything is in the index, as a reader that opens it now finds it. */
async function isWhole(): Promise<boolean> {
  const documents = await indexedDocuments(test.indexFolder).catch(() => []);
  return documents.length === 22 && documents.every(({ skipped, text }) => skipped === null && text !== null);
}

const kinds = { dictionaries: /^dict-/, segments: /\.seg$/, manifests: /\.man$/, generation: /^generation-/ };
const current = /^CURRENT$/;
const states = /^(?:CURRENT|generation-\d+)$/;

describe('what is damaged while nobody writes is made anew, and named in the log', () => {
  const check = (title: string, damage: () => void, named: RegExp | null) =>
    it(title, async () => {
      await test.open().indexAll({ signal });
      expect(files(kinds.dictionaries)).toHaveLength(1);
      damage();
      const indexing = test.open({ logger });
      await indexing.indexAll({ signal });
      expect(await isWhole()).toBe(true);
      if (named) expect(logged.join('\n')).toMatch(named);
      const { blobsRead } = indexing.counters();
      await indexing.indexAll({ signal });
      expect(indexing.counters().blobsRead).toBe(blobsRead);
    });
  check('dictionaries that are gone', () => gone(kinds.dictionaries), /dict-[0-9a-f]+/);
  check('dictionaries with other bytes', () => changed(kinds.dictionaries), /dict-[0-9a-f]+/);
  check('dictionaries that are cut', () => cut(kinds.dictionaries), /dict-[0-9a-f]+/);
  check('segments that are gone', () => gone(kinds.segments), /\d-[0-9a-f]{18}\.seg/);
  check('segments that are cut', () => cut(kinds.segments), /\d-[0-9a-f]{18}\.seg/);
  check('manifests that are gone', () => gone(kinds.manifests), /\d-[0-9a-f]{18}\.man/);
  check('manifests with other bytes', () => changed(kinds.manifests), /\d-[0-9a-f]{18}\.man/);
  check('a generation that is gone', () => gone(kinds.generation), /generation-\d/);
  check('a generation with other bytes', () => changed(kinds.generation), /generation-\d/);
  check('CURRENT gone', () => gone(current), /CURRENT/);
  check('CURRENT with other bytes', () => changed(current), /CURRENT/);
  check('both states gone', () => gone(states), null);
  check('both states with other bytes', () => changed(states), /CURRENT/);
  check('the whole index gone', () => rmSync(test.indexFolder, { recursive: true }), null);
});

describe('a state that only CURRENT tells', () => {
  it('costs no reading: nothing but the state was damaged', async () => {
    await test.open().indexAll({ signal });
    gone(kinds.generation);
    const indexing = test.open();
    await indexing.indexAll({ signal });
    expect(indexing.counters().blobsRead).toBe(0);
    expect(await isWhole()).toBe(true);
  });
});

describe('of a damaged segment only its own texts are read again', () => {
  it('the repository stays searchable with the others', async () => {
    const indexing = test.open();
    await indexing.indexAll({ signal });
    const before = new Set(files(kinds.segments));
    one.commit({ 'src/new.ts': 'new\n' });
    await indexing.indexAll({ signal });
    const [delta] = files(kinds.segments).filter((name) => !before.has(name));
    rmSync(fileOf(delta!));
    const next = test.open();
    await next.indexAll({ signal });
    expect(next.counters().blobsRead).toBe(1);
  });
});

describe('what is damaged while it is written is made anew without a restart', () => {
  const check = (title: string, damage: () => void | Promise<void>) =>
    it(title, async () => {
      const indexing = test.open({ background: true, logger });
      await until(() => isWhole());
      await until(() =>
        test.catalog.repositories().every(({ id }) => indexing.status(id).state === 'indexed'),
      );
      await damage();
      await until(async () => logged.length > 0 && (await isWhole()));
      one.commit({ 'lib/0.ts': 'another text\n' });
      await until(async () => (await textOf('lib/0.ts')) === 'another text\n');
    });
  check('dictionaries that are gone', () => gone(kinds.dictionaries));
  check('segments that are gone', () => gone(kinds.segments));
  check('segments with other bytes', () => changed(kinds.segments));
  check('manifests that are gone', () => gone(kinds.manifests));
  check('CURRENT with other bytes', () => changed(current));
  check('both states gone', () => gone(states));
  check('the whole index gone', () => rmSync(test.indexFolder, { recursive: true }));
  check('a segment that somebody else has noted', () => {
    const [segment] = files(kinds.segments);
    mkdirSync(fileOf('damaged'));
    writeFileSync(path.join(fileOf('damaged'), segment!), '');
  });
  check('a manifest that a reader finds damaged', async () => {
    changed(kinds.manifests);
    await isWhole();
  });
});

async function textOf(file: string): Promise<string | null | undefined> {
  const documents = await indexedDocuments(test.indexFolder).catch(() => []);
  return documents.find((document) => document.path === file)?.text;
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await isTrue()); waited++) {
    if (waited > 400) throw new Error(`it did not come about: ${logged.join('\n')}`);
    await sleep(50);
  }
}
