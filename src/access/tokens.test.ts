import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClosingStack } from '../base/closing-stack.ts';
import { silentLogger } from '../base/logger.ts';
import { openStorage, type StorageOptions } from '../storage/index.ts';
import { overEachDatabase } from '../storage/testing/each-database.ts';
import { createAudit } from './audit.ts';
import { callerOf, localCaller, personCaller } from './caller.ts';
import { createTokens } from './tokens.ts';
import type { Tokens } from './types.ts';

const conversation = { id: 'c', certainty: 'exact' } as const;
const operator = localCaller(conversation, new AbortController().signal);
const wanted = {
  label: 'ada, laptop',
  subject: { kind: 'person', name: 'ada' },
  groups: ['ops', 'ops'],
  scopes: ['read'],
  destination: 'external',
  expiresMs: null,
} as const satisfies Parameters<Tokens['create']>[0];

overEachDatabase('access tokens', (databases) => {
  let closing: ClosingStack;
  let options: StorageOptions;
  const clock = { nowMs: 1_000_000, now: () => clock.nowMs };

  beforeEach(async () => {
    closing = new ClosingStack();
    options = await databases.fresh();
    clock.nowMs = 1_000_000;
  });
  afterEach(() => closing.close());

  /** A process of its own, as far as the database can tell. */
  const open = async () => {
    const storage = closing.add(await openStorage(options, { clock, logger: silentLogger }));
    const audit = closing.add(createAudit({ storage, clock, logger: silentLogger, retentionMs: 0 }));
    return { storage, audit, tokens: createTokens({ storage, clock, randomBytes, audit }) };
  };
  const refused = { kind: 'unauthenticated', code: 'access/bad-token' };

  it('a token stands for its subject, and for nobody once it was revoked in another process', async () => {
    const here = await open();
    const there = await open();
    const { token, summary } = await here.tokens.create(wanted, operator);
    expect(token).toMatch(/^psc_[A-Za-z0-9_-]{43}$/);
    expect(summary).toMatchObject({
      subject: wanted.subject,
      groups: ['ops'],
      createdBy: 'local',
      revokedMs: null,
    });
    expect(await there.tokens.authenticate(token)).toMatchObject({ id: summary.id, scopes: ['read'] });

    await here.tokens.revoke(summary.id, operator);
    await expect(there.tokens.authenticate(token)).rejects.toMatchObject(refused);
    await expect(here.tokens.authenticate(token)).rejects.toMatchObject(refused);
    expect((await there.tokens.list())[0]).toMatchObject({ revokedMs: clock.nowMs });
  });

  it('unknown, expired, revoked and malformed tokens get the same answer to the byte', async () => {
    const { tokens } = await open();
    const expired = await tokens.create({ ...wanted, expiresMs: clock.nowMs + 1 }, operator);
    const revoked = await tokens.create(wanted, operator);
    await tokens.authenticate(expired.token);
    await tokens.revoke(revoked.summary.id, operator);
    clock.nowMs += 1;
    const unknown = `psc_${'A'.repeat(43)}`;
    const answers = await Promise.all(
      [expired.token, revoked.token, unknown, '', 'psc_x', `${expired.token}\n`].map((token) =>
        tokens
          .authenticate(token)
          .catch(({ kind, code, message, next, data }) => ({ kind, code, message, next, data })),
      ),
    );
    for (const answer of answers) {
      expect(answer).toMatchObject(refused);
      expect(answer).toEqual(answers[0]);
    }
  });

  it('its last use is noted at most once a minute', async () => {
    const { tokens } = await open();
    const { token } = await tokens.create(wanted, operator);
    const lastUsed = async () => (await tokens.list())[0]?.lastUsedMs;
    await tokens.authenticate(token);
    await expect.poll(lastUsed).toBe(1_000_000);
    clock.nowMs = 1_059_999;
    await tokens.authenticate(token);
    clock.nowMs = 1_060_000;
    await tokens.authenticate(token);
    await expect.poll(lastUsed).toBe(1_060_000);
  });

  it('creating and revoking are in the audit before they take effect, without the token', async () => {
    const { storage, audit, tokens } = await open();
    const { token, summary } = await tokens.create(wanted, operator);
    await tokens.revoke(summary.id, operator);
    const entries = await audit.list({ limit: 10 });
    expect(entries.map(({ operation, detail }) => [operation, detail['id']])).toEqual([
      ['token.revoke', summary.id],
      ['token.create', summary.id],
    ]);
    expect(JSON.stringify(entries)).not.toContain(token);

    const broken = createTokens({
      storage,
      clock,
      randomBytes,
      audit: { ...audit, recordNow: () => Promise.reject(new Error('the audit is down')) },
    });
    await expect(broken.create(wanted, operator)).rejects.toThrow('the audit is down');
    expect(await tokens.list()).toHaveLength(1);
  });

  it('a refused token is in the audit without its text, ten a minute, and those beyond are counted', async () => {
    const { audit, tokens } = await open();
    const { token, summary } = await tokens.create(wanted, operator);
    const entries = async () =>
      (await audit.list({ limit: 1000, operation: 'authenticate' })).reverse().map(({ detail }) => detail);
    const unknown = `psc_${'A'.repeat(43)}`;
    for (let index = 0; index < 500; index++) {
      await expect(tokens.authenticate(index % 2 ? 'secret words' : unknown)).rejects.toMatchObject(refused);
    }
    const each = Array.from({ length: 10 }, () => ({ refused: 1 }));
    expect(await entries()).toEqual(each);
    await tokens.authenticate(token);
    expect(await entries()).toEqual(each);

    clock.nowMs += 60_000;
    await tokens.authenticate(token);
    const counted = [...each, { refused: 490, sinceMs: 1_000_000 }];
    expect(await entries()).toEqual(counted);
    await tokens.revoke(summary.id, operator);
    await expect(tokens.authenticate(token)).rejects.toMatchObject(refused);
    expect(await entries()).toEqual([...counted, { refused: 1 }]);
    const [last] = await audit.list({ limit: 1 });
    expect(last).toMatchObject({ subject: 'unknown', outcome: 'unauthenticated', repositories: [] });
    expect(JSON.stringify(await audit.list({ limit: 1000 }))).not.toMatch(/AAAAA|secret words/);
  });

  it('only administrators create and revoke', async () => {
    const { tokens } = await open();
    const { summary } = await tokens.create({ ...wanted, scopes: ['read', 'models', 'runs'] }, operator);
    const ada = callerOf(summary, conversation, operator.signal);
    await expect(tokens.create(wanted, ada)).rejects.toMatchObject({ code: 'access/administrators-only' });
    await expect(tokens.revoke(summary.id, ada)).rejects.toMatchObject({ kind: 'blocked-by-policy' });
    const admin = { ...personCaller('eve', conversation, operator.signal), scopes: ['admin'] as const };
    expect((await tokens.create(wanted, admin)).summary.createdBy).toBe('eve');
  });

  it('an id that is none cannot be revoked', async () => {
    const { tokens } = await open();
    await expect(tokens.revoke('nope', operator)).rejects.toMatchObject({
      kind: 'not-found-or-no-access',
      code: 'access/no-such-token',
    });
  });

  describe('a token that nobody means is refused', () => {
    const check = (name: string, change: Partial<Parameters<Tokens['create']>[0]>) =>
      it(name, async () => {
        const { tokens } = await open();
        await expect(tokens.create({ ...wanted, ...change }, operator)).rejects.toMatchObject({
          kind: 'invalid-request',
          code: 'access/token-invalid',
        });
        expect(await tokens.list()).toEqual([]);
      });
    check('without a label', { label: '  ' });
    check('for everyone', { subject: { kind: 'person', name: '*' } });
    check("in the name of the operator's shell", { subject: { kind: 'service', name: 'local' } });
    check('for a name with a line break', { subject: { kind: 'person', name: 'a\nb' } });
    check('without scopes', { scopes: [] });
    check('of yesterday', { expiresMs: 5 });
    check('of no time at all', { expiresMs: Number.NaN });
  });

  it.runIf(databases.kind === 'sqlite')('its text is nowhere in the database files', async () => {
    const { storage, audit, tokens } = await open();
    const { token } = await tokens.create(wanted, operator);
    await tokens.authenticate(token);
    audit.record({
      subject: 'ada',
      onBehalfOf: null,
      operation: 'read_file',
      repositories: [],
      outcome: 'ok',
      detail: {},
    });
    await audit.list({ limit: 1 });
    await storage.backup(path.join(databases.folder(), 'copy.db'));
    const files = await readdir(databases.folder());
    const contents = await Promise.all(files.map((file) => readFile(path.join(databases.folder(), file))));
    expect(contents.some((bytes) => bytes.includes(wanted.label))).toBe(true);
    for (const [index, file] of files.entries()) {
      const bytes = contents[index]!;
      expect([file, bytes.includes(token), bytes.includes(token.slice(4))]).toEqual([file, false, false]);
    }
  });
});
