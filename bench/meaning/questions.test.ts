import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGitFixture } from '../../src/mirrors/testing/git-fixture.ts';
import { buildFor } from '../../test/e2e/support/built-program.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'periscope-questions-bench-'));
const data = path.join(folder, 'data');
let build: string;
beforeAll(() => {
  build = buildFor('questions-bench');
  const repository = createGitFixture({ folder: path.join(folder, 'repositories/acme/app.git'), bare: true });
  repository.commit({
    'app/session.go': `package app

// Refresh gives an expired session a new token for its user.
func Refresh(session *Session) *Session {
	session.Token = newToken(session.User)
	return session
}
`,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]): string {
  const env = { ...process.env, PERISCOPE_BENCH_BUILD: build };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' });
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

describe('the bench of whole questions', () => {
  it('asks what comments say and tells what each stage takes', () => {
    run(
      path.join(build, 'cli/main.js'),
      ...['index', '--once', '--data', data, path.join(folder, 'repositories')],
    );
    const shown = run('bench/meaning/questions.mjs', data, '--every-stage');
    expect(shown).toMatch(/^\d+ chunks, 1 repositories, 1 questions, idle/m);
    expect(shown).toMatch(/^again: p50/m);
    expect(shown).toMatch(/^ {2}table +p50/m);
  });
});
