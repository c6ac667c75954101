import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGitFixture } from '../../../src/mirrors/testing/git-fixture.ts';
import { buildFor } from '../../../test/e2e/support/built-program.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(path.join(tmpdir(), 'periscope-meaning-bench-'));
const corpus = path.join(folder, 'corpus');
const sets = path.join(folder, 'sets.json');
let build: string;
beforeAll(() => {
  build = buildFor('meaning-bench');
  const repository = createGitFixture({ folder: path.join(corpus, 'acme/app.git'), bare: true });
  const session = (limit: number) => `package app

// Refresh gives an expired session a new token for its user.
func Refresh(session *Session) *Session {
	token := newToken(session.User)
	session.Token = token
	session.Left = ${limit}
	return session
}

// Deliver sends a letter to a customer and waits for the answer.
func Deliver(customer *Customer) error {
	answer := server.Take(customer.Address)
	return answer.Wait()
}
`;
  repository.commit({ 'app/session.go': session(3), 'app/main.go': 'package app\n\nfunc main() {}\n' });
  repository.commit(
    { 'app/session.go': session(5) },
    { message: 'Let an expired token be refreshed five times' },
  );
  writeFileSync(sets, JSON.stringify({ functions: { tiny: ['acme/app'] }, commits: { tiny: ['acme/app'] } }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the benches of meaning run, on a tiny load', () => {
  for (const [bench, tells] of [
    ['functions', '2 questions, 1 repositories'],
    ['commits', '1 questions, 1 repositories'],
  ] as const) {
    it(bench, () => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [
          `bench/quality/meaning/${bench}.mjs`,
          ...[corpus, '--work', path.join(folder, 'work'), '--set', 'tiny', '--sets', sets],
        ],
        { cwd: root, encoding: 'utf8', env: { ...process.env, PERISCOPE_BENCH_BUILD: build } },
      );
      expect(status, stderr).toBe(0);
      expect(stdout).toContain(tells);
      expect(stdout).toMatch(/\| fused, all encoded \| 1\.000 \| 1\.000 \|/);
    });
  }
});
