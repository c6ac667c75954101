import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGitFixture, type GitFixture } from '../../../src/mirrors/testing/git-fixture.ts';
import { type RunningPeriscope, startPeriscope } from './running-periscope.ts';

/** What lies beside the repositories that bob sees, which are the same in every organisation. */
export type Vault = 'absent' | 'indexed first' | 'indexed last';

export interface VaultOrganisation {
  periscope: RunningPeriscope;
  /** Sees everything but the vault. */
  bob: string;
  ada: string;
  folder: string;
  remove(): Promise<void>;
}

const shared = 'package shared\n\nfunc Needle() { needleShared() }\n';
const sharedLater = 'package shared\n\nfunc Needle() { needleShared(2) }\n';
const tagged = 'package old\n\nfunc NeedleOld() { needleTagged() }\n';
const onlyOld = 'package old\n\nfunc OnlyOld() { needleOld(9) }\n';
const late = 'export const lateNeedle = needle("late");\n';

function filler(seed: number): string {
  const lines = Array.from(
    { length: 40 },
    (_, line) => `value ${seed} ${line} lorem${(seed * 31 + line) % 97}`,
  );
  return `${lines.join('\n')}\n`;
}

const origin: Record<string, string> = {
  'README.md': '# Origin\n\nneedle in the beginning\n',
  'lib/origin.go': 'package lib\n\nfunc OriginNeedle() {}\n',
  'lib/shared.go': shared,
  ...numbered(12, (file) => [`lib/part${file}.ts`, `export const part = needle(${file});\n${filler(file)}`]),
};

/** A whole Periscope over them, after some weeks: pushes to both kinds took turns. */
export async function createVaultOrganisation(vault: Vault): Promise<VaultOrganisation> {
  const folder = mkdtempSync(path.join(tmpdir(), 'periscope-vault-'));
  const outside = mkdtempSync(path.join(tmpdir(), 'periscope-origin-'));
  const bareIn = (parent: string, name: string) =>
    createGitFixture({ folder: path.join(parent, `acme/${name}.git`), bare: true });
  const start = bareIn(outside, 'start');
  start.commit(origin, { message: 'Needle: the beginning' });

  let hidden: GitFixture | null = null;
  let web: GitFixture | null = null;
  const createVault = () => {
    hidden = bareIn(folder, 'a-vault');
    hidden.commit(origin, { message: 'Needle: the beginning' });
  };
  const createVisible = () => {
    web = createWeb(bareIn(folder, 'web'));
    createFork(bareIn(folder, 'web-fork'), start.folder);
    createTools(bareIn(folder, 'tools'));
  };

  if (vault === 'indexed first') createVault();
  else createVisible();
  const periscope = await startPeriscope({
    serve: true,
    indexed: 'always',
    config: {
      hosts: [{ kind: 'folder', name: 'local', folders: [folder] }],
      index: { branches: ['release/*'] },
      access: {
        rules: [
          { effect: 'allow', people: ['ada'], repositories: ['**'] },
          { effect: 'allow', people: ['bob'], repositories: ['acme/web', 'acme/web-fork', 'acme/tools'] },
        ],
      },
    },
  });
  const index = async () => {
    await periscope.app.catalog.discover({ signal: AbortSignal.timeout(30_000) });
    await periscope.app.indexing.indexAll({ signal: AbortSignal.timeout(60_000) });
  };
  const push = async (to: GitFixture | null, files: Record<string, string | null>, message: string) => {
    if (!to) return;
    to.commit(files, { message });
    await index();
  };

  await push(hidden, { 'src/many.ts': 'needle\n'.repeat(300), 'src/late.ts': late }, 'Needle again');
  if (vault === 'indexed first') createVisible();
  if (vault === 'indexed last') createVault();
  await index();
  for (let round = 0; round < 5; round++) {
    const more = numbered(30, (file) => [
      `secret${round}/needle${file}.ts`,
      `needle vaultWord ${round} ${file}\n${filler(round * 100 + file)}`,
    ]);
    await push(
      hidden,
      { ...more, 'lib/shared.go': sharedLater, 'old/tagged.go': tagged, 'old/only.go': onlyOld },
      `Needle ${round}`,
    );
    await push(
      web,
      { [`src/round${round}.ts`]: `export const round = needle(${round});\n` },
      `Round ${round}`,
    );
    await push(hidden, { [`secret${round}/needle0.ts`]: null }, `Less ${round}`);
  }
  // What only the hidden one had becomes visible, too.
  await push(web, { 'src/late.ts': late, 'lib/shared.go': sharedLater }, 'Share the needle');
  await push(hidden, { 'last.ts': 'needle needle\n' }, 'Needle, the last one');
  start.remove();

  return {
    periscope,
    bob: (await periscope.token('bob')).token,
    ada: (await periscope.token('ada')).token,
    folder,
    async remove() {
      await periscope.stop();
      for (const one of [folder, outside]) rmSync(one, { recursive: true, force: true });
    },
  };
}

function createWeb(web: GitFixture): GitFixture {
  web.commit({
    'README.md': '# Web\n\nThe needle is in src.\n',
    'lib/shared.go': shared,
    'old/tagged.go': tagged,
    'old/only.go': onlyOld,
    'test/needle.test.ts': 'it("finds the needle", () => {});\n',
    ...numbered(170, (file) => [
      `src/module${file}/index.ts`,
      `export const module${file} = needle(${file});\n${filler(1000 + file)}`,
    ]),
    ...numbered(40, (file) => [`docs/needles${file}.md`, `Of needles ${file}.\n${filler(2000 + file)}`]),
  });
  web.git(['tag', 'v0.9.0', 'main']);
  web.commit({ 'old/only.go': null }, { message: 'Only what is needed' });
  web.git(['tag', 'v1.0.0', 'main']);
  web.commit({ 'old/tagged.go': null, 'README.md': '# Web\n' }, { message: 'Away with the old needle' });
  const tip = web.git(['rev-parse', 'main']).trim();
  web.commit({ 'src/release.ts': 'needle("release");\n' }, { branch: 'release/1', from: tip });
  return web;
}

/** Has the hidden one's first commit, and one of its own. */
function createFork(fork: GitFixture, from: string): void {
  fork.git(['fetch', '--quiet', from, 'main:main']);
  fork.commit({ 'lib/own.ts': 'export const own = needle("fork");\n' }, { message: 'Needle of our own' });
}

function createTools(tools: GitFixture): void {
  tools.commit({
    'needle/main.py': 'def needle():\n    return "needle"\n',
    'vendor/dep.js': 'var needle = 1;\n',
    'config.yaml': 'needle: true\n',
  });
}

function numbered(count: number, entry: (index: number) => [string, string]): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => entry(index)));
}
