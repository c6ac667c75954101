import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedAcme, serveAcme } from './support/built-program.ts';

let served: ServedAcme;
let pairs: string;
beforeAll(async () => {
  served = await serveAcme('evaluation #1 100%');
  pairs = path.join(served.dataFolder, 'pairs.jsonl');
  const pair = (question: string, of: string) =>
    JSON.stringify({ question, wanted: [{ repository: 'acme/payments', path: of }] });
  writeFileSync(
    pairs,
    [
      pair('the session and its retry limit', 'src/auth/Session.ts'),
      pair('who takes money', 'README.md'),
    ].join('\n'),
  );
});
afterAll(() => served.stop());

/** The server indexes in the background, and chunks come last. */
async function untilFound(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) {
    const { status, stdout } = served.run('meaning', 'the session and its retry limit');
    if (status === 0 && stdout.includes('Session.ts')) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('nothing was found by meaning in time');
}

describe('traces and evaluation from the command line', () => {
  it('lists the searches that a running server kept, and exports those that were used', async () => {
    expect(served.run('traces', 'export')).toMatchObject({ status: 1, stdout: '' });
    await untilFound();
    const listed = served.run('traces', 'list');
    expect(listed).toMatchObject({ status: 0 });
    expect(listed.stdout).toContain('"the session and its retry limit"');
    expect(listed.stdout).toMatch(/ {4}\d\.\d{3} {2}\S+\/acme\/payments:src\/auth\/Session\.ts#L1-L\d/);
    const [json] = served.run('traces', 'list', '--json').stdout.split('\n');
    expect(JSON.parse(json!)).toMatchObject({ question: 'the session and its retry limit' });
  });

  it('compares two rankings beside a running server, whose folders need not be named again', () => {
    const { status, stdout, stderr } = served.run('eval', '--pairs', pairs);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^2 questions\. .*\n +first +second +difference\nrecall@1 /);
    expect(stdout).toContain('The second ranking, stage by stage:\n');
    expect(stdout).toContain('+ keywords');
    const found = served.run('eval', '--pairs', pairs, '--no-stages', '--json');
    expect(JSON.parse(found.stdout)).toMatchObject({
      compared: { questions: 2, failed: 0, second: { 'recall@50': 1 } },
      stages: [],
    });
  });

  it('fits nothing to too few questions, says so and writes nothing', () => {
    const out = path.join(served.dataFolder, 'weights.json');
    const { status, stdout } = served.run('eval', 'fit', '--pairs', pairs, '--out', out);
    expect({ status, stdout }).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^Too few questions: /),
    });
    expect(existsSync(out)).toBe(false);
  });

  const wrong: [string, string[], string][] = [
    ['a ranking that there is not', ['--first', 'luck=on'], '"luck=on" is no way of ranking'],
    [
      'folders beside a server, which has its own',
      ['nowhere'],
      'Leave the folders out, or stop the server first.',
    ],
    ['a file that there is not', ['--pairs', 'nowhere.jsonl'], 'cannot be read'],
  ];
  for (const [title, args, said] of wrong)
    it(`refuses ${title}`, () => {
      const { status, stderr } = served.run('eval', '--pairs', pairs, ...args);
      expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining(said) });
    });

  it('compares them on what the last server indexed, when none runs', async () => {
    await served.server.stop();
    const found = served.run('eval', '--pairs', pairs, '--no-stages', '--json');
    expect(found.stderr).toBe('');
    expect(JSON.parse(found.stdout)).toMatchObject({
      compared: { questions: 2, failed: 0, second: { 'recall@50': 1 } },
    });
    expect(served.run('eval', '--data', `${served.dataFolder}/empty`, '--pairs', pairs)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('No Periscope server runs on the data folder'),
    });
  });
});
