import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PeriscopeError } from '../../base/errors.ts';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import { FactsBuilder } from './facts-builder.ts';
import { FactsReader } from './facts-reader.ts';
import { openFacts } from './open-facts.ts';
import { randomOutcome } from './testing/random-facts.ts';

const BLOBS = 6;
let folder: string;
let whole: Buffer;
const reader = new FactsReader();

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-broken-facts-'));
  const random = new SeededRandom(12);
  const builder = new FactsBuilder({ file: path.join(folder, 'a.facts'), factsVersion: 'v1', blobs: BLOBS });
  for (let blob = 0; blob < BLOBS; blob++) builder.add(blob, 1, randomOutcome(random, 5));
  whole = readFileSync(builder.finish().file);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** All that can be asked of a file, in words; or the code of the error that it ended with. */
function answerOf(bytes: Buffer): string {
  const changed = path.join(folder, 'changed.facts');
  writeFileSync(changed, bytes);
  try {
    const facts = openFacts(changed);
    try {
      const outcomes = Array.from({ length: BLOBS }, (_, blob) => [
        reader.file(facts, blob),
        reader.language(facts, blob),
      ]);
      const names = reader.namesContaining(facts, 'get', { limit: 100 }).map(({ name }) => name);
      const uses = [...reader.usesOf(facts, 'get').blobs];
      const all = reader.namesWithPrefix(facts, '', { limit: 100 }).map(({ name }) => name);
      const modules = reader.modulesContaining(facts, '', { limit: 100 }).map(({ module }) => module);
      return JSON.stringify([facts.factsVersion, outcomes, names, uses, all, modules]);
    } finally {
      facts.close();
    }
  } catch (error) {
    if (error instanceof PeriscopeError) return error.code;
    throw error;
  }
}

describe('damaged facts say so and never answer wrongly', () => {
  it('whichever byte is another one', () => {
    const right = answerOf(whole);
    const random = new SeededRandom(5);
    const outcomes = new Map<string, number>();
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 1 + random.below(255);
      const answer = answerOf(changed);
      const outcome = answer === right ? 'right' : answer;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect([...outcomes.keys()].sort()).toEqual(['search/facts-broken', 'search/facts-format']);
  });

  it('wherever they are cut, and when they have grown', () => {
    for (let length = 0; length < whole.length; length++)
      expect(answerOf(whole.subarray(0, length)), `cut at ${length}`).toBe('search/facts-broken');
    expect(answerOf(Buffer.concat([whole, Buffer.from('x')]))).toBe('search/facts-broken');
  });

  it('when damage comes after opening, on the page that it hits', () => {
    const file = path.join(folder, 'later.facts');
    writeFileSync(file, whole);
    const facts = openFacts(file);
    const changed = Buffer.from(whole);
    changed[300]! ^= 1;
    writeFileSync(file, changed);
    expect(() => reader.lookup(facts, 'get')).toThrow(
      expect.objectContaining({ code: 'search/facts-broken', data: { file } }),
    );
    facts.close();
  });
});
