import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import { FactsBuilder } from './facts-builder.ts';
import { FactsReader } from './facts-reader.ts';
import { mergeFacts } from './merge-facts.ts';
import { attachFacts, type OpenFacts, openFacts } from './open-facts.ts';
import { lettersLowered, NaiveFacts } from './testing/naive-facts.ts';
import { randomFacts, randomName, randomOutcome } from './testing/random-facts.ts';
import {
  type FactsOutcome,
  type FactsSummary,
  type FileFacts,
  type ReferenceKind,
  referenceKinds,
  type SymbolFact,
} from './types.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-facts-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const nextFile = () => path.join(folder, `${++files}.facts`);

function write(outcomes: readonly FactsOutcome[], factsVersion = 'v1'): FactsSummary {
  const builder = new FactsBuilder({ file: nextFile(), factsVersion, blobs: outcomes.length });
  outcomes.forEach((outcome, blob) => {
    builder.add(blob, blob % 7, outcome);
  });
  return builder.finish();
}

function build(outcomes: readonly FactsOutcome[], factsVersion?: string): OpenFacts {
  return openFacts(write(outcomes, factsVersion).file);
}

const outcomesOf = (seed: number, count: number) => {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, () => randomOutcome(random));
};

/** Everything that can be asked about a few names, beside what the naive model says. */
function checkAnswers(facts: OpenFacts, outcomes: readonly FactsOutcome[], seed: number): void {
  const reader = new FactsReader();
  const naive = new NaiveFacts(outcomes);
  const random = new SeededRandom(seed);
  for (let i = 0; i < 60; i++) {
    const name = randomName(random);
    const kinds: ReferenceKind[] | null =
      random.below(2) === 0 ? null : [random.pick(referenceKinds), random.pick(referenceKinds)];
    const asked = random.below(2) === 0 ? name : (reader.lookup(facts, name) ?? name);
    const definitions = reader.definitionsOf(facts, asked);
    const uses = reader.usesOf(facts, asked, kinds ?? undefined);
    const told = `seed ${seed}, ${JSON.stringify(name)}`;
    expect(
      Array.from(definitions.blobs, (blob, at) => [
        blob,
        definitions.symbols[at],
        definitions.kinds[at],
        definitions.exported[at] === 1,
      ]),
      told,
    ).toEqual(naive.definitionsOf(name));
    expect(
      Array.from(uses.blobs, (blob, at) => [blob, uses.counts[at], uses.kinds[at]]),
      told,
    ).toEqual(naive.usesOf(name, kinds));
    expect([...reader.blobsImportingName(facts, asked)], told).toEqual(naive.blobsImportingName(name));
  }
  for (const module of ['react', './a', 'java.util', 'nothing', '日本/3'])
    expect([...reader.importersOf(facts, module)]).toEqual(naive.importersOf(module));
  expect([...reader.packageFiles(facts)]).toEqual(naive.packageFiles());
}

function checkNameSearch(
  facts: OpenFacts,
  outcomes: readonly FactsOutcome[],
  seed: number,
  visible?: (blob: number) => boolean,
): void {
  const reader = new FactsReader();
  const naive = new NaiveFacts(outcomes);
  const random = new SeededRandom(seed);
  const texts = ['', 'g', 'HTTP', 'http', 'user1', 'sEt', '_ID', '😀', '日', 'zzz', '\n', '/1', 'scope'];
  for (const text of texts) {
    const limit = random.pick([1, 3, 1000]);
    const options = { limit, ...(visible ? { visible } : {}) };
    const withPrefix = (name: string) => name.startsWith(text);
    const containing = (name: string) => lettersLowered(name).includes(lettersLowered(text));
    expect(reader.namesWithPrefix(facts, text, options).map(({ name }) => name)).toEqual(
      naive.definedNames(withPrefix, limit, visible),
    );
    const found = reader.namesContaining(facts, text, options);
    expect(found.map(({ name }) => name)).toEqual(naive.definedNames(containing, limit, visible));
    for (const { name, definitions } of found)
      expect(Array.from(definitions.blobs, (blob, at) => [blob, definitions.symbols[at]])).toEqual(
        naive.definitionsOf(name, visible).map(([blob, symbol]) => [blob, symbol]),
      );
    expect(reader.modulesWithPrefix(facts, text, options).map(({ module }) => module)).toEqual(
      naive.modules(withPrefix, limit, visible),
    );
    for (const { module, importers } of reader.modulesContaining(facts, text, options))
      expect([...importers]).toEqual(naive.importersOf(module, visible));
    expect(reader.modulesContaining(facts, text, options).map(({ module }) => module)).toEqual(
      naive.modules(containing, limit, visible),
    );
  }
}

describe('a facts file gives back what was put into it', () => {
  it('all facts of each blob, of seeded random ones, also part by part and to another thread', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const outcomes = outcomesOf(seed, 120);
      const facts = attachFacts(structuredClone(build(outcomes).handle));
      const reader = new FactsReader({ pageBytes: 65_536, recordBytes: 10_000 });
      const random = new SeededRandom(seed);
      outcomes.forEach((outcome, blob) => {
        expect(reader.file(facts, blob), `seed ${seed}, blob ${blob}`).toEqual(outcome);
        expect(reader.language(facts, blob)).toBe(blob % 7);
        if ('skipped' in outcome) return;
        const { symbols, references, imports } = outcome.facts;
        const number = random.below(symbols.length + 2);
        expect(reader.symbolAt(facts, blob, number)).toEqual(symbols[number] ?? null);
        const name = randomName(random);
        expect(reader.usesIn(facts, blob, name)).toEqual(references.filter((use) => use.name === name));
        expect(reader.importsOf(facts, blob, name)).toEqual(
          imports.filter((imported) => imported.name === name || imported.local === name),
        );
      });
      facts.close();
    }
  });

  it('a file of more than a piece of columns, and one of nothing at all', () => {
    const random = new SeededRandom(3);
    const large = { facts: randomFacts(random, 20_000) };
    const empty: FileFacts = { symbols: [], references: [], imports: [], namespace: null, packageFile: null };
    const facts = build([{ facts: empty }, large, { facts: empty }]);
    const reader = new FactsReader();
    expect(reader.file(facts, 1)).toEqual(large);
    expect(reader.file(facts, 0)).toEqual({ facts: empty });
    expect(reader.file(facts, 2)).toEqual({ facts: empty });
    facts.close();
  });

  it('nothing of no blobs, or of blobs that were never added', () => {
    const reader = new FactsReader();
    const none = build([]);
    expect(reader.lookup(none, 'a')).toBeNull();
    expect(reader.namesContaining(none, 'abc', { limit: 9 })).toEqual([]);
    expect(reader.modulesWithPrefix(none, '', { limit: 9 })).toEqual([]);
    none.close();

    const builder = new FactsBuilder({ file: nextFile(), factsVersion: 'v1', blobs: 4 });
    builder.add(2, 5, { skipped: 'too-slow' });
    const summary = builder.finish();
    expect(summary.skips).toEqual([
      { reason: 'no-language', language: 0, blobs: 3 },
      { reason: 'too-slow', language: 5, blobs: 1 },
    ]);
    const facts = openFacts(summary.file);
    expect(reader.file(facts, 3)).toEqual({ skipped: 'no-language' });
    expect(reader.file(facts, 2)).toEqual({ skipped: 'too-slow' });
    expect(reader.symbolsOf(facts, 3)).toEqual([]);
    facts.close();
  });

  it('names of any bytes, and of a longer one its first 1024 bytes', () => {
    const long = 'ä'.repeat(32_768);
    const kept = 'ä'.repeat(512);
    const names = ['a\nb', '\0', '😀', '\u{1f600}x', '\uffff', '', long];
    const symbols = names.map((name, i) => symbolNamed(name, i));
    const summary = write([{ facts: { ...nothingIn, symbols } }]);
    expect(summary.cutStrings).toBe(1);
    const facts = openFacts(summary.file);
    const reader = new FactsReader();
    expect(reader.symbolsOf(facts, 0).map(({ name }) => name)).toEqual([...names.slice(0, -1), kept]);
    names.forEach((name, i) => {
      expect([...reader.definitionsOf(facts, name).symbols]).toEqual([i]);
    });
    expect(reader.namesWithPrefix(facts, 'ä', { limit: 9 }).map(({ name }) => name)).toEqual([kept]);
    facts.close();
  });

  it('counts of what it holds', () => {
    const outcomes = outcomesOf(8, 80);
    const summary = write(outcomes);
    const all = outcomes.flatMap((outcome) => ('facts' in outcome ? [outcome.facts] : []));
    const countOf = <T>(items: readonly T[], fits: (item: T) => boolean) => items.filter(fits).length;
    const symbols = all.flatMap((facts) => facts.symbols);
    const references = all.flatMap((facts) => facts.references);
    expect(summary).toMatchObject({
      blobs: 80,
      blobsWithFacts: all.length,
      symbols: symbols.length,
      references: references.length,
      imports: all.flatMap((facts) => facts.imports).length,
    });
    expect(summary.symbolsByKind.method).toBe(countOf(symbols, ({ kind }) => kind === 'method'));
    expect(summary.referencesByKind.call).toBe(countOf(references, ({ kind }) => kind === 'call'));
    expect(summary.skips.reduce((sum, { blobs }) => sum + blobs, 0)).toBe(80 - all.length);
    const sections = Object.values(summary.sectionBytes).reduce((sum, bytes) => sum + bytes, 0);
    expect(sections + 256).toBe(summary.fileBytes);
  });
});

const nothingIn: FileFacts = { symbols: [], references: [], imports: [], namespace: null, packageFile: null };

function symbolNamed(name: string, number: number): SymbolFact {
  const nameEnd = number * 10 + Buffer.byteLength(name);
  return {
    name,
    kind: 'function',
    nameStart: number * 10,
    nameEnd,
    start: number * 10,
    end: nameEnd,
    signatureStart: number * 10,
    signatureEnd: nameEnd,
    docStart: -1,
    docEnd: -1,
    nameLine: number + 1,
    startLine: number + 1,
    endLine: number + 1,
    parent: -1,
    exported: true,
    type: null,
  };
}

describe('names lead to blobs as a look at all facts would', () => {
  it('definitions, uses by kind and importers of seeded random facts', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const outcomes = outcomesOf(seed * 100, 40 * seed);
      const facts = build(outcomes);
      checkAnswers(facts, outcomes, seed);
      facts.close();
    }
  });

  it('prefixes and parts of names and modules in any case, in the order of their letters, up to a limit', () => {
    for (let seed = 1; seed <= 4; seed++) {
      const outcomes = outcomesOf(seed * 1000, 150);
      const facts = build(outcomes);
      checkNameSearch(facts, outcomes, seed);
      facts.close();
    }
  });

  it('definitions of a name in any case, however it is spelled', () => {
    const outcomes = outcomesOf(31, 150);
    const facts = build(outcomes);
    const reader = new FactsReader();
    const naive = new NaiveFacts(outcomes);
    const cases = ['x', 'GET', 'http', '日本', 'HTTPCLIENT', 'tostring', 'getname1', 'äpfel', '😀', '', 'no'];
    for (const name of cases) {
      const fits = (other: string) => lettersLowered(other) === lettersLowered(name);
      const wanted = naive
        .definedNames(fits, 1000)
        .flatMap((other) => naive.definitionsOf(other).map(([blob, symbol]) => `${blob} ${symbol}`));
      const found = reader
        .definitionsInAnyCase(facts, name)
        .flatMap(({ blobs, symbols }) => Array.from(blobs, (blob, i) => `${blob} ${symbols[i]}`));
      expect(found.sort(), name).toEqual(wanted.sort());
    }
    facts.close();
  });

  it('with hidden blobs as without them', () => {
    const outcomes = outcomesOf(77, 150);
    const facts = build(outcomes);
    const random = new SeededRandom(5);
    const seen = new Set([...outcomes.keys()].filter(() => random.below(3) === 0));
    checkNameSearch(facts, outcomes, 7, (blob) => seen.has(blob));
    facts.close();
  });
});

describe('a lookup reads little', () => {
  it('of a name a block of a dictionary and its lists, of a use the record of its blob', () => {
    const outcomes = outcomesOf(15, 600);
    const facts = build(outcomes);
    const reader = new FactsReader();
    const name = reader.lookup(facts, 'get')!;
    expect(reader.takeCounters()).toMatchObject({
      dictionaryBlocks: 1,
      lists: 0,
      records: 0,
      stringPages: 0,
    });
    const { blobs } = reader.usesOf(facts, name);
    expect(blobs.length).toBeGreaterThan(100);
    expect(reader.takeCounters()).toMatchObject({ dictionaryBlocks: 0, lists: 1, records: 0 });
    reader.usesIn(facts, blobs[0]!, name);
    reader.usesIn(facts, blobs[0]!, name);
    expect(reader.takeCounters()).toMatchObject({ dictionaryBlocks: 0, lists: 0, records: 1 });
    reader.lookup(facts, 'nowhere');
    expect(reader.takeCounters().fileReads).toBeLessThanOrEqual(2);
    facts.close();
  });

  it('of a symbol its name when somebody asks for it', () => {
    const outcomes = outcomesOf(15, 600);
    const facts = build(outcomes);
    const reader = new FactsReader();
    const blob = outcomes.findIndex((outcome) => 'facts' in outcome && outcome.facts.symbols.length > 2);
    const stored = reader.storedSymbolsOf(facts, blob);
    expect(reader.takeCounters()).toMatchObject({ records: 1, stringPages: 0 });
    expect(stored.map(({ name, type }) => ({ name, type }))).toEqual(
      reader.symbolsOf(facts, blob).map(({ name, type }) => ({ name, type })),
    );
    expect(reader.takeCounters().stringPages).toBeGreaterThan(0);
    facts.close();
  });
});

describe('a search for names', () => {
  it('ends when it is told to stop', () => {
    const facts = build(outcomesOf(21, 600));
    const reader = new FactsReader();
    const all = reader.namesContaining(facts, 'e', { limit: 1000 }).length;
    let asked = 0;
    const stop = () => ++asked > 3;
    expect(reader.namesContaining(facts, 'e', { limit: 1000, stop }).length).toBeLessThan(all);
    expect(asked).toBe(4);
    facts.close();
  });
});

describe('merging', () => {
  const order = (inputs: readonly (readonly FactsOutcome[])[], random: SeededRandom) =>
    inputs
      .flatMap((outcomes, input) => outcomes.map((_, blob) => ({ input, blob, rank: random.next() })))
      .filter(({ rank }) => rank < 0.8)
      .sort((a, b) => a.rank - b.rank);

  it('gives the very bytes that building anew from all facts gives', () => {
    for (let seed = 1; seed <= 4; seed++) {
      const inputs = [outcomesOf(seed, 60), outcomesOf(seed + 50, 80), outcomesOf(seed + 90, 5)];
      const chosen = order(inputs, new SeededRandom(seed));
      const opened = inputs.map((outcomes) => build(outcomes));
      const file = nextFile();
      const merged = mergeFacts({ inputs: opened, order: chosen, file, reader: new FactsReader() });
      for (const facts of opened) facts.close();

      const anew = new FactsBuilder({ file: nextFile(), factsVersion: 'v1', blobs: chosen.length });
      const outcomes = chosen.map(({ input, blob }) => inputs[input]![blob]!);
      outcomes.forEach((outcome, i) => {
        anew.add(i, chosen[i]!.blob % 7, outcome);
      });
      const summary = anew.finish();
      expect(readFileSync(file).equals(readFileSync(summary.file)), `seed ${seed}`).toBe(true);
      expect({ ...merged, file: '' }).toEqual({ ...summary, file: '' });
      const facts = openFacts(file);
      checkAnswers(facts, outcomes, seed);
      facts.close();
    }
  });

  it('refuses facts of different versions, and leaves nothing when it is cancelled', () => {
    const inputs = [build(outcomesOf(1, 5), 'v1'), build(outcomesOf(2, 5), 'v2')];
    const before = readdirSync(folder).length;
    const merge = (chosen: readonly OpenFacts[], signal?: AbortSignal) =>
      mergeFacts({
        inputs: chosen,
        order: [{ input: 0, blob: 1 }],
        file: nextFile(),
        reader: new FactsReader(),
        ...(signal ? { signal } : {}),
      });
    expect(() => merge(inputs)).toThrow(expect.objectContaining({ code: 'search/facts-versions-differ' }));
    expect(() => merge([inputs[0]!], AbortSignal.abort())).toThrow(
      expect.objectContaining({ code: 'base/cancelled' }),
    );
    expect(readdirSync(folder).length).toBe(before);
    for (const facts of inputs) facts.close();
  });
});
