import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClosingStack } from '../../base/closing-stack.ts';
import { type Logger, silentLogger } from '../../base/logger.ts';
import { createSecretScanner } from '../../secrets/index.ts';
import { plantedSecrets } from '../../secrets/testing/planted-secrets.ts';
import { openStorage, type Storage } from '../../storage/index.ts';
import { overEachDatabase } from '../../storage/testing/each-database.ts';
import { createTraces } from './create-traces.ts';
import type { TracedCitation, TracedSearch, TracedUse, TracesOptions } from './types.ts';
import { usedPositions } from './write-traces.ts';

const dayMs = 86_400_000;
const ada = { account: 'ada', conversation: 'one' };
const names = new Map([
  [1, 'forge/acme/payments'],
  [2, 'forge/acme/vault'],
]);
const citation = (of: Partial<TracedCitation> = {}): TracedCitation => ({
  repositoryId: 1,
  name: names.get(of.repositoryId ?? 1)!,
  commit: 'c'.repeat(40),
  path: 'src/retry.ts',
  lines: { start: 10, end: 30 },
  score: 0.123456789,
  features: { cosine: 0.5, termCoverage: 1 / 3 },
  ...of,
});
const search = (of: Partial<TracedSearch> = {}): TracedSearch => ({
  asker: ada,
  question: 'where is a payment retried',
  parameters: { lang: ['go'], limit: 10, exact: false },
  narrowedTo: null,
  ranking: 'shipped',
  citations: [citation()],
  shownTexts: [],
  ...of,
});
const use = (of: Partial<TracedUse> = {}): TracedUse => ({
  asker: ada,
  tool: 'read_file',
  repositoryId: 1,
  path: 'src/retry.ts',
  lines: { start: 1, end: 200 },
  ...of,
});
const all = { limit: 1000 };

overEachDatabase('traces', (databases) => {
  let closing: ClosingStack;
  let storage: Storage;
  let file: string;
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const logged: [string, unknown][] = [];
  const logger: Logger = { ...silentLogger, warn: (message, fields) => logged.push([message, fields]) };

  beforeEach(async () => {
    closing = new ClosingStack();
    const options = await databases.fresh();
    file = options.kind === 'sqlite' ? options.file : '';
    storage = closing.add(await openStorage(options, { clock, logger: silentLogger }));
    clock.nowMs = 100 * dayMs;
    logged.length = 0;
  });
  afterEach(() => closing.close());

  const open = (of: Partial<TracesOptions> = {}, more: { queueMax?: number } = {}) =>
    closing.add(
      createTraces(
        {
          kept: true,
          retentionMs: 0,
          searchesMax: 1000,
          optOut: { accounts: [], repositories: [] },
          ...of,
        },
        {
          storage,
          clock,
          logger,
          secrets: createSecretScanner(),
          nameOf: (id) => names.get(id) ?? null,
          ...more,
        },
      ),
    );

  it('keeps a search with what it showed, and gives the newest first', async () => {
    const traces = open();
    traces.record(search());
    clock.nowMs += 5;
    traces.record(search({ question: 'who calls it', citations: [], narrowedTo: [1] }));
    const listed = await traces.list(all, null);
    expect(listed).toMatchObject([
      { question: 'who calls it', citations: [], narrowedTo: [1], atMs: clock.nowMs },
      {
        ...{ account: 'ada', conversation: 'one', question: 'where is a payment retried', narrowedTo: null },
        ...{ parameters: { lang: ['go'], limit: 10, exact: false }, ranking: 'shipped' },
        citations: [
          {
            ...{
              repositoryId: 1,
              commit: 'c'.repeat(40),
              path: 'src/retry.ts',
              lines: { start: 10, end: 30 },
            },
            ...{ score: 0.123457, features: { cosine: 0.5, termCoverage: 0.333333 }, usedBy: [] },
          },
        ],
      },
    ]);
    expect(traces.counters()).toEqual({ recorded: 2, kept: 2, attached: 0, dropped: 0, optedOut: 0 });
    expect(await traces.list({ limit: 1, beforeId: listed[0]!.id }, null)).toHaveLength(1);
    expect(await traces.list({ limit: 9, sinceMs: clock.nowMs }, null)).toHaveLength(1);
    expect(await traces.list({ limit: 9, account: 'bob' }, null)).toEqual([]);
  });

  it('attaches a later use to the newest search of the conversation that cited the place', async () => {
    const traces = open();
    traces.record(search({ question: 'older' }));
    traces.record(search({ question: 'newer', citations: [citation({ path: 'README.md' }), citation()] }));
    traces.record(search({ question: 'of another conversation', asker: { ...ada, conversation: 'two' } }));
    traces.record(search({ question: 'of another account', asker: { ...ada, account: 'bob' } }));
    traces.used(use());
    traces.used(use({ tool: 'graph', lines: { start: 30, end: 30 } }));
    traces.used(use());
    traces.used(use({ path: 'src/other.ts' }));
    traces.used(use({ repositoryId: 2 }));
    const used = await traces.list({ limit: 9, used: true }, null);
    expect(used.map(({ question }) => question)).toEqual(['newer']);
    expect(used[0]!.citations.map(({ usedBy }) => usedBy)).toEqual([[], ['graph', 'read_file']]);
    expect(traces.counters()).toMatchObject({ attached: 3 });
  });

  it('what was used before a search belongs to none', async () => {
    const traces = open();
    traces.used(use());
    await traces.list(all, null);
    clock.nowMs += 10;
    traces.record(search());
    expect(await traces.list({ limit: 9, used: true }, null)).toEqual([]);
  });

  it('shows a search to nobody who does not see all that it cites, and one without places only to the operator', async () => {
    const traces = open();
    traces.record(search({ question: 'both', citations: [citation(), citation({ repositoryId: 2 })] }));
    traces.record(search({ question: 'open' }));
    traces.record(search({ question: 'nothing found', citations: [] }));
    traces.record(search({ question: 'narrowed', narrowedTo: [1, 2] }));
    const seenBy = async (sees: number[] | null) =>
      (await traces.list(all, sees && new Set(sees))).map(({ question }) => question);
    expect(await seenBy([1])).toEqual(['open']);
    expect(await seenBy([2])).toEqual([]);
    expect(await seenBy([1, 2])).toEqual(['narrowed', 'open', 'both']);
    expect(await seenBy(null)).toHaveLength(4);
  });

  it('reads on past what is not seen until there are as many as wanted', async () => {
    const traces = open();
    for (let at = 0; at < 3; at++) traces.record(search({ question: `open ${at}` }));
    for (let at = 0; at < 450; at++) traces.record(search({ citations: [citation({ repositoryId: 2 })] }));
    const found = await traces.list({ limit: 2 }, new Set([1]));
    expect(found.map(({ question }) => question)).toEqual(['open 2', 'open 1']);
  });

  it('leaves out places that may not be shown now, and searches that showed no others', async () => {
    const traces = open();
    const hidden = citation({ path: 'secret/a.ts' });
    traces.record(search({ question: 'hidden alone', citations: [hidden] }));
    traces.record(search({ question: 'both', citations: [hidden, citation()] }));
    traces.record(search({ question: 'nothing found', citations: [] }));
    traces.used(use({ path: 'secret/a.ts' }));
    const listed = (query = {}) =>
      traces.list({ ...all, ...query }, null, async (places) =>
        places.map(({ path: of }) => !of.startsWith('secret/')),
      );
    expect(
      (await listed()).map(({ question, citations }) => [question, citations.map((of) => of.path)]),
    ).toEqual([
      ['nothing found', []],
      ['both', ['src/retry.ts']],
    ]);
    // What of it was used is what may not be shown.
    expect(await listed({ used: true })).toEqual([]);
  });

  describe('an opt-out', () => {
    it('of an account or of everything keeps nothing, and deletes what was kept', async () => {
      for (const out of [{ kept: false }, { optOut: { accounts: ['ada'], repositories: [] } }]) {
        await open().close();
        const before = open();
        before.record(search());
        expect(await before.list(all, null)).toHaveLength(1);
        const traces = open(out);
        traces.record(search());
        traces.used(use());
        expect(await traces.list(all, null)).toEqual([]);
        expect(traces.counters()).toMatchObject({ recorded: 0, optedOut: 1 });
      }
    });

    it('of a repository keeps its places out, and searches that are about it alone', async () => {
      const mixed = search({ question: 'mixed', citations: [citation({ repositoryId: 2 }), citation()] });
      const about = search({ question: 'about', citations: [citation({ repositoryId: 2 })] });
      const narrowed = search({ question: 'narrowed', citations: [], narrowedTo: [2] });
      const before = open();
      for (const one of [mixed, about, narrowed]) before.record(one);
      expect(await before.list(all, null)).toHaveLength(3);
      const traces = open({ optOut: { accounts: [], repositories: ['acme/v*'] } });
      for (const one of [mixed, about, narrowed]) traces.record(one);
      const left = await traces.list(all, null);
      expect(left.map(({ question }) => question)).toEqual(['mixed', 'mixed']);
      expect(left.flatMap(({ citations }) => citations.map(({ repositoryId }) => repositoryId))).toEqual([
        1, 1,
      ]);
    });
  });

  it('deletes by age and by number, with what belongs to them', async () => {
    const traces = open({ retentionMs: 5 * dayMs, searchesMax: 3 });
    await traces.list(all, null);
    traces.record(search({ question: 'old' }));
    traces.used(use());
    await traces.list(all, null);
    clock.nowMs += 6 * dayMs;
    for (let at = 0; at < 5; at++) traces.record(search({ question: `new ${at}` }));
    const left = (await traces.list(all, null)).map(({ question }) => question);
    expect(left).toEqual(['new 4', 'new 3', 'new 2']);
    const { db } = storage;
    expect(await db.selectFrom('trace_citation').select('trace_id').execute()).toHaveLength(3);
    expect(await db.selectFrom('trace_use').select('trace_id').execute()).toEqual([]);
  });

  it('writes a full queue without being asked, and what waits when it is closed', async () => {
    const traces = open();
    for (let at = 0; at < 100; at++) traces.record(search());
    while (traces.counters().kept < 100) await new Promise((resolve) => setImmediate(resolve));
    traces.record(search());
    await traces.close();
    expect(await open().list(all, null)).toHaveLength(101);
  });

  it('drops what its queue cannot hold, counts it and says it; no call waits or throws', async () => {
    const traces = open({}, { queueMax: 3 });
    for (let at = 0; at < 10; at++) traces.record(search());
    traces.used(use());
    expect(await traces.list(all, null)).toHaveLength(3);
    expect(traces.counters()).toEqual({ recorded: 3, kept: 3, attached: 0, dropped: 8, optedOut: 0 });
    expect(logged).toEqual([['traces were dropped', { dropped: 8 }]]);
    await storage.close();
    traces.record(search());
    traces.used(use());
    await traces.close();
    expect(logged.map(([message]) => message)).toContain('traces were lost at close');
  });

  it('what no database takes does not stand in the way for ever', async () => {
    const traces = open();
    traces.record(
      search({
        asker: { account: 'a\u0000', conversation: 'x' },
        citations: [citation({ commit: null as unknown as string })],
      }),
    );
    for (let at = 0; at < 3; at++) await traces.list(all, null);
    traces.record(search({ question: 'after it' }));
    expect((await traces.list(all, null)).map(({ question }) => question)).toEqual(['after it']);
    expect(traces.counters()).toMatchObject({ dropped: 1 });
  });

  it('holds no line of the code that was searched and none of the credentials that were pasted, to the byte', async () => {
    const folder = path.resolve(import.meta.dirname, '../../base');
    const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
    const texts = files.map((name) => readFileSync(path.join(folder, name), 'utf8'));
    const planted = plantedSecrets(11);
    const traces = open({}, { queueMax: 100_000 });
    texts.forEach((text, at) => {
      const found = { citations: [citation({ path: files[at]! })], shownTexts: [text] };
      const lines = text.split('\n');
      traces.record(search({ question: `what does this do?\n${text.slice(0, 4000)}`, ...found }));
      traces.record(
        search({ question: `why is \`\`\`\n${lines.slice(3, 9).join('\n')}\n\`\`\` slow`, ...found }),
      );
      for (const line of lines) {
        traces.record(search({ question: line, parameters: { file: [line] }, ...found }));
        traces.record(search({ question: `where is ${line.trim()} used`, ...found }));
      }
    });
    for (const { text } of planted) {
      traces.record(search({ question: `it fails with ${text}\nwhy`, parameters: { file: [text] } }));
      traces.record(search({ question: `${'word '.repeat(99)} ${text}`, ranking: text }));
      traces.record(search({ citations: [citation({ path: `src/${text}` })] }));
    }
    await traces.close();
    const store = await everyByte();
    expect(traces.counters().kept).toBeGreaterThan(1000);
    expect(store).toContain('what does this do?');
    const lines = texts.flatMap((text) => text.split('\n')).map((line) => line.trim());
    // Two words stand anywhere by chance: `return null;` does in no trace, `import type` may.
    const held = lines.filter((line) => line.length >= 16 && line.includes(' ') && store.includes(line));
    expect(held).toEqual([]);
    expect(planted.filter(({ secret }) => store.includes(secret)).map(({ kind }) => kind)).toEqual([]);
  });

  /** All that the database has of it: its files, or what a dump of it holds. */
  async function everyByte(): Promise<string> {
    if (databases.kind === 'sqlite') {
      const parts = [file, `${file}-wal`].map((name) => {
        try {
          return readFileSync(name, 'latin1');
        } catch {
          return '';
        }
      });
      return parts.join('\n') + (await everyRow());
    }
    const dump = path.join(databases.folder(), 'every-byte.dump');
    await storage.backup(dump);
    const bytes = readFileSync(dump);
    const text = bytes[0] === 0x1f ? gunzipSync(bytes).toString() : bytes.toString();
    return text + (await everyRow());
  }

  async function everyRow(): Promise<string> {
    const rows: unknown[] = [];
    for (const table of ['trace', 'trace_citation', 'trace_use'] as const)
      rows.push(...(await storage.db.selectFrom(table).selectAll().execute()));
    return rows.map((row) => Object.values(row as object).join('\n')).join('\n');
  }
});

describe('a use takes up', () => {
  const cited = [
    { position: 0, start: 10, end: 30 },
    { position: 2, start: 100, end: 120 },
    { position: 5, start: 31, end: 40 },
  ];
  const check = (title: string, lines: { start: number; end: number } | null, positions: number[]) =>
    it(title, () => expect(usedPositions(cited, lines)).toEqual(positions));
  check('every citation of the whole file', null, [0, 2, 5]);
  check('those that its lines touch', { start: 30, end: 31 }, [0, 5]);
  check('the nearest where they touch none', { start: 60, end: 90 }, [2]);
  check('the first of two that are as near', { start: 1, end: 5 }, [0]);
});
