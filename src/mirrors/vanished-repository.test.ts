import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGitFixture, type GitFixture } from './testing/git-fixture.ts';
import { type GitHttpServer, startGitHttpServer } from './testing/git-http-server.ts';
import { openTestMirrors, type TestMirrors } from './testing/open-mirrors.ts';
import type { Mirror } from './types.ts';

const options = { signal: new AbortController().signal };
/** Every kind of question, warm and cold. */
const questions: [what: string, ask: (mirror: Mirror, commit: string) => Promise<unknown>][] = [
  ['resolve', (mirror) => mirror.resolve(undefined, options)],
  ['refs', (mirror) => mirror.refs(options)],
  ['state', (mirror) => mirror.state(options)],
  ['refresh', (mirror) => mirror.refresh(options)],
  ['uncommitted changes', (mirror) => mirror.uncommittedChanges(options)],
  [
    'a search in the changes',
    (mirror, commit) =>
      mirror.history({ commit, path: '', skip: 0, limit: 9, followRenames: false, pickaxe: 'x' }, options),
  ],
  ['a file that nobody read yet', (mirror, commit) => readOf(mirror, commit, 'cold/b.txt')],
  ['a directory brought to disk', (mirror, commit) => mirror.materialise(commit, 'cold', options)],
];

async function readOf(mirror: Mirror, commit: string, file: string) {
  const { oid } = await mirror.entry(commit, file, options);
  return mirror.blob(oid, { ...options, bytesMax: 1000 });
}

describe('a repository whose folder goes while it is served', () => {
  let fixture: GitFixture;
  let test: TestMirrors;
  let mirror: Mirror;
  let commit: string;

  beforeEach(async () => {
    fixture = createGitFixture();
    test = openTestMirrors();
    commit = fixture.commit({ 'warm.txt': 'w\n', 'cold/b.txt': 'b\n' });
    fixture.checkout();
    mirror = test.openFolder(fixture);
    await mirror.resolve(undefined, options);
    await readOf(mirror, commit, 'warm.txt');
  });
  afterEach(async () => {
    await test.close();
    fixture.remove();
  });

  const ends: [how: string, end: () => void, code: string][] = [
    ['is deleted', () => rmSync(fixture.folder, { recursive: true }), 'mirrors/folder-gone'],
    [
      'is renamed',
      () => renameSync(fixture.folder, path.join(path.dirname(fixture.folder), 'elsewhere')),
      'mirrors/folder-gone',
    ],
    [
      'becomes a file',
      () => {
        rmSync(fixture.folder, { recursive: true });
        writeFileSync(fixture.folder, 'no repository\n');
      },
      'mirrors/folder-gone',
    ],
    [
      'loses its git directory to a file',
      () => {
        rmSync(fixture.gitDir, { recursive: true });
        writeFileSync(fixture.gitDir, 'no repository\n');
      },
      'mirrors/not-a-repository',
    ],
  ];
  const ofReferences = ['resolve', 'refs', 'state', 'refresh', 'uncommitted changes'];
  for (const [how, end, code] of ends) {
    it(`${how}: every question is told so as unavailable, and none is an internal fault`, async () => {
      end();
      for (const [what, ask] of questions) {
        const error = await ask(mirror, commit).catch((fault: unknown) => fault);
        // Objects by id may still be answered by a process that has its packs open; what fails names the cause.
        if (code === 'mirrors/folder-gone' && error instanceof Error)
          expect(error, what).toMatchObject({ code });
        if (ofReferences.includes(what)) expect(error, what).toMatchObject({ kind: 'unavailable', code });
        else if (error instanceof Error) expect(error, what).toHaveProperty('code');
      }
      const { problem } = await mirror.peek(options);
      expect(problem).toContain('acme/folder');
    });
  }

  it('is read again when it is back', async () => {
    const away = path.join(path.dirname(fixture.folder), 'away');
    renameSync(fixture.folder, away);
    await expect(mirror.resolve(undefined, options)).rejects.toMatchObject({ code: 'mirrors/folder-gone' });
    renameSync(away, fixture.folder);
    expect(await mirror.resolve(undefined, options)).toMatchObject({ commit });
    expect((await readOf(mirror, commit, 'cold/b.txt')).toString()).toBe('b\n');
  });

  it('is told of in the middle of its deletion, never as an internal fault', async () => {
    for (const part of ['HEAD', 'packed-refs', 'refs', 'config', 'objects', 'info', '']) {
      rmSync(path.join(fixture.gitDir, part), { recursive: true, force: true });
      for (const [what, ask] of questions) {
        const error = await ask(mirror, commit).catch((fault: unknown) => fault);
        if (error instanceof Error)
          expect(error, `${what} without ${part}`).toHaveProperty(
            'code',
            expect.stringMatching(/^mirrors\//),
          );
      }
    }
  });
});

describe('the mirror of a remote that is deleted while it is served', () => {
  let fixture: GitFixture;
  let server: GitHttpServer;
  let test: TestMirrors;
  afterEach(async () => {
    await test.close();
    await server.close();
    fixture.remove();
  });

  it('is made anew by the next read', async () => {
    fixture = createGitFixture({ bare: true });
    const commit = fixture.commit({ 'a.txt': 'a\n', 'cold/b.txt': 'b\n' });
    server = await startGitHttpServer({ folder: path.dirname(fixture.folder) });
    test = openTestMirrors();
    const mirror = test.openRemote(1, `${server.url}/repository`);
    await mirror.resolve(undefined, options);
    rmSync(path.join(test.options.folder, '1.git'), { recursive: true });
    for (const [what, ask] of questions) expect(await ask(mirror, commit), what).toBeDefined();
    expect(test.mirrors.counters().clones).toBe(2);
  });
});
