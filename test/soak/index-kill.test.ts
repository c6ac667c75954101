import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleForNode } from '../../src/base/testing/run-typescript.ts';
import { SeededRandom } from '../../src/base/testing/seeded-random.ts';
import {
  documentsOf,
  type IndexedDocument,
  openTestIndex,
} from '../../src/indexing/testing/indexed-documents.ts';
import { indexedFacts } from '../../src/indexing/testing/indexed-facts.ts';
import {
  buildWorkerFile,
  mortalFactsWorkerFile,
  openTestIndexing,
} from '../../src/indexing/testing/open-indexing.ts';
import { type FactsOutcome, readIndexState } from '../../src/search/index.ts';
import { changeRepository, git, killLeaseMs } from './index-kill-changes.ts';

/**
 * A writer is killed, or frozen for longer than its lease and let go again, at seeded moments of indexing, merging, publishing and
 * compacting, while two readers look at everything over and over. What they see is always one commit of each repository, whole.
 */
const seeds = Number(process.env['PERISCOPE_SOAK_SEEDS'] ?? 3);
const blows = 3;
const names = ['one.git', 'two.git', 'three.git'];

describe('an index under kills', () => {
  let bundle: string;
  let workerFile: URL;
  let factsWorkerFile: URL;
  beforeAll(async () => {
    bundle = await bundleForNode(path.join(import.meta.dirname, 'index-kill-worker.ts'), {
      inline: ['kysely'],
    });
    workerFile = await buildWorkerFile();
    // It knows one language alone, and so starts in a moment.
    factsWorkerFile = await mortalFactsWorkerFile();
  });

  for (let seed = 1; seed <= seeds; seed++) {
    it(`is the old or the new one, whole, and leaves nothing behind, seed ${seed}`, {
      timeout: 120_000,
    }, async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'periscope-kill-'));
      try {
        await soak(folder, seed, { bundle, workerFile, factsWorkerFile });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
});

interface Programs {
  bundle: string;
  workerFile: URL;
  factsWorkerFile: URL;
}

async function soak(folder: string, seed: number, files: Programs): Promise<void> {
  const random = new SeededRandom(seed);
  const repositories = path.join(folder, 'repositories');
  const indexFolder = path.join(folder, 'index');
  for (const name of names) changeRepository(repositories, name, random);
  const stop = new AbortController();
  const workers: ChildProcess[] = [];
  const reading: Promise<void>[] = [];
  try {
    workers.push(await startWorker(folder, files, random));
    reading.push(
      readUntil(stop.signal, indexFolder, repositories),
      readUntil(stop.signal, indexFolder, repositories),
    );
    for (let blow = 0; blow < blows; blow++) {
      await sleep(100 + random.below(1200));
      const victim = workers.at(-1)!;
      const freezes = random.below(3) === 0;
      victim.kill(freezes ? 'SIGSTOP' : 'SIGKILL');
      workers.push(await startWorker(folder, files, random));
      if (freezes) {
        await sleep(killLeaseMs + random.below(killLeaseMs));
        victim.kill('SIGCONT');
      }
    }
    await sleep(random.below(600));
  } finally {
    for (const worker of workers) worker.kill('SIGKILL');
    stop.abort();
  }
  await Promise.all(reading);
  await restarted(folder, files);
}

async function startWorker(
  folder: string,
  { bundle, workerFile, factsWorkerFile }: Programs,
  random: SeededRandom,
): Promise<ChildProcess> {
  const threads = [fileURLToPath(workerFile), fileURLToPath(factsWorkerFile)];
  const args = [bundle, folder, ...threads, String(random.below(1e9)), names.join(',')];
  const worker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(worker.stdout, 'data');
  return worker;
}

async function readUntil(signal: AbortSignal, indexFolder: string, repositories: string): Promise<void> {
  const index = await openTestIndex(indexFolder);
  const trees = new Map<string, Map<string, string>>();
  try {
    while (!signal.aborted) {
      const held = await index.hold();
      if (held) {
        try {
          await sleep(5);
          for (const { entry, manifest } of held.generation.revisions) {
            const rows = documentsOf({ ...held.generation, revisions: [{ entry, manifest }] });
            checkWhole(rows, treeOf(entry.head.commit));
          }
        } finally {
          held.release();
        }
      }
      await sleep(20);
    }
  } finally {
    await index.close();
  }

  /** Texts by path of a commit, whichever repository has it. */
  function treeOf(commit: string): Map<string, string> {
    const known = trees.get(commit);
    if (known) return known;
    const gitDir = names.map((name) => path.join(repositories, name)).find((dir) => holds(dir, commit))!;
    const tree = textsOf(gitDir, commit);
    trees.set(commit, tree);
    return tree;
  }
}

function holds(gitDir: string, commit: string): boolean {
  try {
    git(gitDir, ['cat-file', '-e', commit]);
    return true;
  } catch {
    return false;
  }
}

function textsOf(gitDir: string, commit: string): Map<string, string> {
  const paths = git(gitDir, ['ls-tree', '-r', '-z', '--name-only', commit]).split('\0').filter(Boolean);
  const asked = `${paths.map((file) => `${commit}:${file}`).join('\n')}\n`;
  const output = paths.length === 0 ? '' : git(gitDir, ['cat-file', '--batch'], asked);
  const texts = new Map<string, string>();
  let at = 0;
  for (const file of paths) {
    const lineEnd = output.indexOf('\n', at);
    const size = Number(output.slice(at, lineEnd).split(' ')[2]);
    texts.set(file, output.slice(lineEnd + 1, lineEnd + 1 + size));
    at = lineEnd + 1 + size + 1;
  }
  return texts;
}

/** Every file of the commit is there with its text; only what may be opted out may be absent. */
function checkWhole(rows: readonly IndexedDocument[], tree: ReadonlyMap<string, string>): void {
  const shown = new Map(rows.map(({ path, text }) => [path, text]));
  for (const [file, text] of tree) {
    if (file.startsWith('private/') && !shown.has(file)) continue;
    expect(shown.get(file), file).toBe(text);
  }
  expect(shown.size).toBeLessThanOrEqual(tree.size);
}

/** Nothing needs a hand: the next writer makes it whole and tidy. */
async function restarted(folder: string, { workerFile, factsWorkerFile }: Programs): Promise<void> {
  await sleep(killLeaseMs + 100);
  const test = await openTestIndexing({ folder, workerFile, factsWorkerFile });
  try {
    await test.discover();
    const indexing = test.open({ leaseTtlMs: killLeaseMs, symbols: true });
    await indexing.indexAll({ signal: new AbortController().signal });
    // Readers that were killed with their processes are forgotten a minute later; here they are taken away.
    rmSync(path.join(test.indexFolder, 'readers'), { recursive: true, force: true });
    await indexing.indexAll({ signal: new AbortController().signal });
    const index = await openTestIndex(test.indexFolder);
    const held = (await index.hold())!;
    const facts = await indexedFacts(test.indexFolder);
    for (const { entry, manifest } of held.generation.revisions) {
      const name = test.catalog.repositories().find(({ id }) => id === entry.repositoryId)!.name;
      const gitDir = path.join(folder, 'repositories', `${name.replace(/\.git$/, '')}.git`);
      const head = git(gitDir, ['rev-parse', 'refs/heads/main']).trim();
      expect(entry.head.commit).toBe(head);
      const tree = textsOf(gitDir, head);
      const hides = tree.get('.periscope/ignore') === 'private/\n';
      const rows = documentsOf({ ...held.generation, revisions: [{ entry, manifest }] });
      const expected = [...tree].filter(([file]) => !(hides && file.startsWith('private/')));
      expect(new Map(rows.map(({ path, text }) => [path, text]))).toEqual(new Map(expected));
      const own = facts.filter(({ repositoryId }) => repositoryId === entry.repositoryId);
      const classes = expected.map(([file, text]) => [file, classIn(text)] as const);
      expect(new Map(own.map(({ path, outcome }) => [path, definedIn(outcome)]))).toEqual(new Map(classes));
    }
    held.release();
    await index.close();
    const state = (await readIndexState(test.indexFolder))!;
    expect(state.revisions).toHaveLength(names.length);
    const named = new Set([
      ...state.segments.flatMap(({ file, dictionaries, facts, chunks }) => [
        file,
        dictionaries,
        facts!.file,
        chunks!.file,
      ]),
      ...state.revisions.map(({ file }) => file),
      state.dictionaries,
    ]);
    const expected = ['CURRENT', 'readers', `generation-${state.generation}`, ...named].filter(
      (name) => name !== null,
    );
    expect(readdirSync(test.indexFolder).sort()).toEqual(expected.sort());
    await indexing.close();
  } finally {
    await test.close();
  }
}

function classIn(text: string): string {
  return /^export class (K\d+)/.exec(text)?.[1] ?? '';
}

/** Names that a document defines; a reason where it has no facts. */
function definedIn(outcome: FactsOutcome | null): string {
  if (outcome === null) return 'pending';
  if ('skipped' in outcome) return outcome.skipped === 'no-language' ? '' : outcome.skipped;
  return outcome.facts.symbols.map(({ name }) => name).join(' ');
}
