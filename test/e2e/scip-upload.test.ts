import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectServer } from '../../src/cli/server-client.ts';
import { createGitFixture } from '../../src/mirrors/testing/git-fixture.ts';
import { money, shop } from '../../src/symbols/scip/testing/indexed-projects.ts';
import { indexBytes, type WrittenIndex } from '../../src/symbols/scip/testing/write-index.ts';
import { type RunningPeriscope, startPeriscope } from './support/running-periscope.ts';

let folder: string;
let periscope: RunningPeriscope;
let commits: Record<string, string>;
/** Pipelines of both, of the shop alone, and people who read. */
let tokens: Record<'ci' | 'shopCi' | 'ada' | 'bob', string>;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-scip-'));
  const made = (name: string, files: Record<string, string>) =>
    createGitFixture({ folder: path.join(folder, 'acme', name) }).commit(files);
  commits = { money: made('money', { ...money.files }), shop: made('shop', { ...shop.files }) };
  periscope = await startPeriscope({
    serve: true,
    indexed: 'always',
    config: {
      hosts: [{ kind: 'folder', name: 'local', folders: [folder] }],
      access: {
        rules: [
          { effect: 'allow', people: ['ci', 'ada'], repositories: ['**'] },
          { effect: 'allow', people: ['shop-ci', 'bob'], repositories: ['acme/shop'] },
        ],
      },
    },
  });
  const scopes = ['read', 'admin'] as const;
  tokens = {
    ci: (await periscope.token('ci', { scopes })).token,
    shopCi: (await periscope.token('shop-ci', { scopes })).token,
    ada: (await periscope.token('ada')).token,
    bob: (await periscope.token('bob')).token,
  };
}, 180_000);
afterAll(async () => {
  await periscope?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function upload(
  name: string,
  index: WrittenIndex,
  { token = tokens.ci, commit = commits[name.slice(5)]! } = {},
): Promise<{ status: number; body: Record<string, unknown>; text: string }> {
  const response = await fetch(
    `${periscope.url}/api/repositories/${encodeURIComponent(name)}/scip?commit=${commit}`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
      body: indexBytes(index),
    },
  );
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text) as Record<string, unknown>, text };
}

async function callees(token: string, name: string): Promise<string> {
  const untilMs = Date.now() + 30_000;
  for (;;) {
    const { call } = await periscope.conversation(token);
    const { text } = await call('graph', { name, relation: 'callees' });
    // Symbols come behind texts.
    if (!text.includes('Not read for symbols yet') || Date.now() > untilMs) return text;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const codeOf = ({ body }: { body: Record<string, unknown> }) => (body['error'] as { code: string }).code;

describe('what CI knows of a commit', () => {
  it('is taken over HTTP, and answers from then on', async () => {
    for (const [name, index] of [
      ['acme/money', money.index],
      ['acme/shop', shop.index],
    ] as const) {
      const { status, body } = await upload(name, index);
      expect([status, body['published']], JSON.stringify(body)).toEqual([200, true]);
    }
    const text = await callees(tokens.ada, 'total');
    expect(text).toContain('acme/money@');
    expect(text).toContain('price');
  });

  it('says nothing of repositories that the asker does not see', async () => {
    const before = await callees(tokens.bob, 'total');
    expect(before).not.toContain('money@');
    expect(before).not.toContain('src/money.ts');
  });

  it('is taken from who sees the repository and may administrate, and from nobody else', async () => {
    const reader = await upload('acme/shop', shop.index, { token: tokens.bob });
    expect([reader.status, codeOf(reader)]).toEqual([403, 'http/scope-missing']);
    const hidden = await upload('acme/money', money.index, { token: tokens.shopCi });
    const never = await upload('acme/mxuqy', money.index, {
      token: tokens.shopCi,
      commit: commits['money']!,
    });
    expect(hidden.status).toBe(404);
    expect(hidden.text).toBe(never.text.replaceAll('mxuqy', 'money'));
    expect((await upload('acme/shop', shop.index, { token: tokens.shopCi })).status).toBe(200);
  });

  it('is refused for a commit that is none', async () => {
    const unknown = await upload('acme/shop', shop.index, {
      commit: createHash('sha1').update('x').digest('hex'),
    });
    expect([unknown.status, codeOf(unknown)]).toEqual([404, 'operations/scip-commit-unknown']);
    const short = await upload('acme/shop', shop.index, { commit: commits['shop']!.slice(0, 12) });
    expect([short.status, codeOf(short)]).toEqual([400, 'operations/scip-commit-invalid']);
  });

  it('comes from the command line of another machine', async () => {
    const file = path.join(folder, 'index.scip');
    writeFileSync(file, indexBytes(shop.index));
    const server = await connectServer({ kind: 'url', url: periscope.url, token: tokens.ci });
    try {
      const { caller } = await periscope.conversation(tokens.ci);
      const { createReadStream } = await import('node:fs');
      const body = createReadStream(file);
      const receipt = await server.uploadScip(
        { repo: 'acme/shop', commit: commits['shop']!, root: '', body },
        caller,
      );
      expect(receipt).toMatchObject({ repository: 'acme/shop', documents: 1, published: true });
    } finally {
      await server.close();
    }
  });
});
