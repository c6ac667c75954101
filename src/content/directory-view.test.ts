import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createGitFixture, type GitFixture } from '../mirrors/testing/git-fixture.ts';
import { openTestMirrors, type TestMirrors } from '../mirrors/testing/open-mirrors.ts';
import type { Mirror } from '../mirrors/types.ts';
import { createSecretScanner } from '../secrets/index.ts';
import { plantedSecrets } from '../secrets/testing/planted-secrets.ts';
import { createContentPolicies } from './content-policies.ts';
import { createContent } from './create-content.ts';
import { encodeAs } from './decode-text.ts';
import type { Content, TextEncoding } from './types.ts';

const { signal } = new AbortController();
const planted = plantedSecrets(11);
const all = Buffer.from(`sécret\n${planted.map(({ text }) => text).join('\n')}\nend\n`);

let fixture: GitFixture;
let test: TestMirrors;
let mirror: Mirror;
let content: Content;
beforeEach(() => {
  fixture = createGitFixture();
  test = openTestMirrors();
  mirror = test.openFolder(fixture);
  const policies = createContentPolicies({ scanner: createSecretScanner() });
  content = createContent({ cacheBytesMax: 1 << 20, wholeBytesMax: 1 << 20 }, policies);
});
afterEach(async () => {
  await test.close();
  fixture.remove();
});

it('a file on disk holds no credential, keeps its encoding, and is read as if it had been masked then', async () => {
  const boms: Partial<Record<TextEncoding, Buffer>> = {
    'utf-8-bom': Buffer.from([0xef, 0xbb, 0xbf]),
    'utf-16le': Buffer.from([0xff, 0xfe]),
    'utf-16be': Buffer.from([0xfe, 0xff]),
  };
  const encodings: TextEncoding[] = ['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be', 'latin-1'];
  const files = encodings.map((encoding) => [
    `${encoding}.txt`,
    Buffer.concat([boms[encoding] ?? Buffer.alloc(0), encodeAs(encoding, Buffer.from(all))]),
  ]);
  const noText = Buffer.concat([Buffer.from([0, 1, 0]), all]);
  const commit = fixture.commit({ ...Object.fromEntries(files), 'no-text.bin': noText, 'plain.txt': 'é\n' });
  for (let round = 0; round < 2; round++) {
    const seen = (await scanned(commit)).filter(([name]) => name !== 'plain.txt');
    expect(new Map(seen.map(([name, encoding]) => [name, encoding]))).toEqual(
      new Map(encodings.map((encoding) => [`${encoding}.txt`, encoding])),
    );
    const masked = seen[0]![2];
    expect(masked).toMatch(/^sécret\n.*\*{12}.*\nend\n$/s);
    for (const [, , text] of seen) expect(text).toBe(masked);
  }
  for (const [name, bytes] of filesOnDisk()) {
    for (const { secret } of planted) {
      expect([name, bytes.includes(secret), bytes.includes(Buffer.from(secret, 'utf16le'))]).toEqual([
        name,
        false,
        false,
      ]);
    }
  }
  expect(test.mirrors.counters().materialisations).toBe(1);
});

it('a directory of before an opt-out is never served again, and leaves the disk with the next look at the policy', async () => {
  const commit = fixture.commit({ 'keys/a.txt': 'needle\n', 'src/b.txt': 'shown\n' });
  expect((await scanned(commit)).map(([name]) => name)).toEqual(['keys/a.txt', 'src/b.txt']);
  fixture.commit({ '.periscope/ignore': 'keys/\n' });
  await content.list(mirror, commit, '', { signal });
  expect(filesOnDisk()).toEqual([]);
  expect((await scanned(commit)).map(([name]) => name)).toEqual(['src/b.txt']);
  expect(filesOnDisk().map(([name]) => path.basename(name))).toEqual(['b.txt']);
  fixture.commit({ '.periscope/ignore': Buffer.from([0xff]) });
  await expect(scanned(commit)).rejects.toMatchObject({ kind: 'blocked-by-policy' });
  expect(filesOnDisk()).toEqual([]);
});

it('one that is in use when the opt-out comes goes as soon as it is given back', async () => {
  const commit = fixture.commit({ 'keys/a.txt': 'needle\n', 'keys/b.txt': 'needle\n' });
  const scan = content.scan(mirror, commit, '', { signal, fileBytesMax: 99, wants: () => true });
  const iterator = scan[Symbol.asyncIterator]();
  await iterator.next();
  fixture.commit({ '.periscope/ignore': 'keys/\n' });
  await content.list(mirror, commit, '', { signal });
  expect(filesOnDisk()).toHaveLength(2);
  await iterator.return?.();
  while (filesOnDisk().length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
});

async function scanned(commit: string): Promise<[string, TextEncoding, string][]> {
  const seen: [string, TextEncoding, string][] = [];
  const options = { signal, fileBytesMax: 1 << 20, wants: () => true };
  for await (const file of content.scan(mirror, commit, '', options)) {
    if (file.kind === 'text') seen.push([file.path, file.encoding, file.text.toString()]);
  }
  return seen;
}

function filesOnDisk(): [string, Buffer][] {
  const { worktreeFolder } = test.options;
  if (!existsSync(worktreeFolder)) return [];
  return readdirSync(worktreeFolder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(worktreeFolder, name))
    .filter((name) => statSync(name).isFile())
    .map((name) => [name, readFileSync(name)]);
}
