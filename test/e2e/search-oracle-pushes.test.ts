import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PeriscopeError } from '../../src/base/errors.ts';
import { SeededRandom } from '../../src/base/testing/seeded-random.ts';
import { createGitFixture, type GitFixture } from '../../src/mirrors/testing/git-fixture.ts';
import { type Conversation, type RunningPeriscope, startPeriscope } from './support/running-periscope.ts';

/** In a soak run for half a minute and more, else some pushes. */
const pushes = process.env['PERISCOPE_SOAK_SEEDS'] === undefined ? 8 : 150;
const CLIENTS = 4;
const REPOSITORIES = 12;
/** Far beyond every budget: what has not come by then never will. */
const LOST_MS = 60_000;
/** Pushes take what git takes: beside other tests four times as long. It ends well after the last call that may be lost. */
const TEST_MS = 600_000;

let root: string;
let fixtures: GitFixture[];
let periscope: RunningPeriscope;
let token: string;
beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'periscope-pushes-'));
  fixtures = Array.from({ length: REPOSITORIES }, (_, index) => {
    const fixture = createGitFixture({ folder: path.join(root, `team/r${index}.git`), bare: true });
    fixture.commit(textsOf(index, 0));
    return fixture;
  });
  periscope = await startPeriscope({
    indexed: 'always',
    config: {
      hosts: [{ kind: 'folder', name: 'local', folders: [root] }],
      access: { rules: [{ effect: 'allow', people: ['ada'], repositories: ['**'] }] },
    },
  });
  token = (await periscope.token('ada')).token;
});
afterAll(async () => {
  await periscope.stop();
  rmSync(root, { recursive: true, force: true });
});

function textsOf(repository: number, push: number): Record<string, string> {
  const random = new SeededRandom(repository * 1000 + push);
  const files: Record<string, string> = { 'state.txt': `pushed ${repository} ${push}\nneedle\n` };
  for (let file = 0; file < 20; file++) {
    const lines = Array.from(
      { length: 40 },
      () => `TODO ${random.below(1000)} needle in ${random.below(50)}\n`,
    );
    files[`src/${random.below(60)}.ts`] = lines.join('');
  }
  return files;
}

/** One file of each repository has it, before a push and after. */
const pushed = { query: 'content:pushed', output: 'files', exact: true };
const queries: readonly Record<string, unknown>[] = [
  { query: 'TODO', output: 'files', exact: true, max_files: 1000 },
  { query: 'needle', exact: true },
  { query: '/TODO \\d+/', output: 'count' },
  { query: 'needle 17' },
  { query: 'file:*.ts' },
  { query: 'nowhere in here' },
  pushed,
  { query: 'pushed', output: 'repos' },
  { query: '/needle.*\\nTODO/' },
];

it('every call is answered while pushes go into the index, and no answer is half of a state', {
  timeout: TEST_MS,
}, async () => {
  let done = 0;
  let asked = 0;
  const unexpected: string[] = [];
  const client = async (number: number) => {
    for (let call = 0; done < pushes; call++) {
      const { call: ask } = await periscope.conversation(token, `client ${number} ${call}`);
      const query = queries[(number + call) % queries.length]!;
      // Some leave in the midst: no other must wait for what they asked.
      const leaves = call % 5 === 4;
      const told = leaves ? leave(query) : follow(ask, query);
      const outcome = await Promise.race([told, lost()]);
      asked++;
      if (outcome !== null) unexpected.push(`${JSON.stringify(query)}: ${outcome}`);
    }
  };
  const push = async () => {
    for (; done < pushes; done++) {
      const index = done % REPOSITORIES;
      fixtures[index]!.commit(textsOf(index, done + 1));
      periscope.app.indexing.changed(repositoryOf(index));
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  await Promise.all([push(), ...Array.from({ length: CLIENTS }, (_, number) => client(number))]);
  expect(unexpected).toEqual([]);
  expect(asked).toBeGreaterThanOrEqual(CLIENTS);
});

/** Null when everything came as it must. */
async function follow(ask: Conversation['call'], query: Record<string, unknown>): Promise<string | null> {
  try {
    let answer = await ask('codesearch', { ...query, max_tokens: 3000 });
    const { stopped, fileCount } = answer.result as { stopped: string | null; fileCount: { count: number } };
    if (stopped !== null && stopped !== 'enough') return `stopped by ${stopped}`;
    if (query === pushed && fileCount.count !== REPOSITORIES) return `half of a state: ${fileCount.count}`;
    for (let pages = 0; answer.cursor !== null && pages < 3; pages++)
      answer = await ask('codesearch', { cursor: answer.cursor });
    return null;
  } catch (fault) {
    // Who pages on for longer than an index is kept is told so, with the way on.
    const outdated = ['search/generation-gone', 'operations/cursor-outdated'];
    if (fault instanceof PeriscopeError && outdated.includes(fault.code)) return null;
    return String(fault);
  }
}

async function leave(query: Record<string, unknown>): Promise<string | null> {
  const callerFor = await periscope.app.authenticate({ kind: 'token', token });
  const gone = new AbortController();
  const caller = callerFor({ conversation: 'who leaves', clientName: 'test', signal: gone.signal });
  const call = periscope.app.operations.handle({ name: 'codesearch', input: query }, caller);
  setTimeout(() => gone.abort(), 5);
  return call.then(
    () => null,
    (fault: unknown) => (fault instanceof PeriscopeError && fault.kind !== 'internal' ? null : String(fault)),
  );
}

function lost(): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(() => resolve('no answer'), LOST_MS).unref();
  });
}

function repositoryOf(index: number) {
  return periscope.app.catalog.repositories().find(({ name }) => name === `team/r${index}`)!;
}
