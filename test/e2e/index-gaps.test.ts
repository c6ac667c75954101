import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownMark, writerLeaseName } from '../../src/indexing/writer-lease.ts';
import { createGitFixture, type GitFixture } from '../../src/mirrors/testing/git-fixture.ts';
import { type RunningPeriscope, startPeriscope } from './support/running-periscope.ts';

let root: string;
let seen: GitFixture[];
let hidden: GitFixture;
let periscope: RunningPeriscope;
let token: string;
beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'periscope-gaps-'));
  const repository = (name: string) => {
    const fixture = createGitFixture({ folder: path.join(root, `${name}.git`), bare: true });
    fixture.commit({ 'a.txt': `needle of ${name}\n` });
    return fixture;
  };
  seen = ['team/one', 'team/two'].map(repository);
  hidden = repository('secret/vault');
  periscope = await startPeriscope({
    indexed: 'always',
    config: {
      hosts: [{ kind: 'folder', name: 'local', folders: [root] }],
      access: { rules: [{ effect: 'allow', people: ['ada'], repositories: ['team/*'] }] },
    },
  });
  token = (await periscope.token('ada')).token;
});
afterAll(async () => {
  await periscope.stop();
  rmSync(root, { recursive: true, force: true });
});

async function notesOf(input: Record<string, unknown>): Promise<string> {
  const { call } = await periscope.conversation(token);
  return (await call('codesearch', { query: 'needle', ...input })).notes.join('\n');
}

describe('an answer names what the index lags behind in', () => {
  it('of the repositories that were asked for and may be seen, while nobody can write the index', async () => {
    expect(await notesOf({})).not.toContain('since');
    // A writer of another host has the lease: nothing is known of it but that it holds it.
    const { storage } = periscope.app;
    await storage.db.updateTable('lease').set({ until_ms: 0 }).where('name', '=', writerLeaseName).execute();
    const mark = JSON.stringify({ ...ownMark(), host: 'elsewhere' });
    const lease = await storage.acquireLease(writerLeaseName, { owner: `x ${mark}`, ttlMs: 3_600_000 });
    expect(lease).not.toBeNull();
    await lostLease();
    for (const fixture of [seen[0]!, hidden]) fixture.commit({ 'b.txt': 'another needle\n' });
    await until(async () => (await notesOf({})).includes('since'));
    const notes = await notesOf({});
    expect(notes).toMatch(/1 repository has changed since it was indexed.*one \(at [0-9a-f]{10}\)/);
    expect(notes).not.toContain('vault');
    expect(await notesOf({ repo: ['two'] })).not.toContain('since');
    expect(await notesOf({ query: 'needle repo:two' })).not.toContain('since');
    await lease!.release();
    await until(async () => !(await notesOf({})).includes('since'));
  });
});

async function lostLease(): Promise<void> {
  // It is renewed every ten seconds.
  await sleep(11_000);
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await isTrue()); waited++) {
    if (waited > 200) throw new Error('it did not come about');
    await sleep(100);
  }
}
