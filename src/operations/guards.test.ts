import { describe, expect, it } from 'vitest';
import type { Caller } from '../access/index.ts';
import { createGuards } from './guards.ts';
import { operations } from './registry.ts';
import type { Operation, OperationResult } from './types.ts';

const byName = new Map(operations.map((operation) => [operation.name, operation]));
const options = {
  identicalCallsMax: 2,
  fruitlessStreakMax: 3,
  conversationsMax: 100,
  conversationIdleMs: 60_000,
};

/** A conversation as a list of steps; each tells what the guards said: run, note, short or refused. */
function play(certainty: 'exact' | 'guessed', steps: readonly Step[]): string[] {
  const guards = createGuards(options, { now: () => 0 });
  return steps.map(({ tool, input = {}, state = 's', places = [], fails = false }) => {
    const caller = { conversation: { id: 'c', certainty } } as Caller;
    const call = { caller, operation: byName.get(tool) as Operation, input, state };
    try {
      const verdict = guards.before(call);
      if (verdict.answer) return 'short';
      const notes = fails ? [] : guards.after(call, verdict, resultOf(places));
      if (notes.some((note) => note.includes('brought nothing new'))) return 'ways out';
      return notes.some((note) => note.includes('the same answer')) ? 'note' : 'run';
    } catch {
      return 'refused';
    }
  });
}

interface Step {
  tool: string;
  input?: Record<string, unknown>;
  state?: string;
  places?: readonly string[];
  fails?: boolean;
}

function resultOf(places: readonly string[]): OperationResult {
  const rows = places.map((place) => ({ text: place, value: place, position: {}, place }));
  return { head: '', facts: {}, rowsName: 'rows', rows, more: false, notes: [], empty: '' };
}

const read: Step = { tool: 'read_file', input: { path: 'a' } };
const other: Step = { tool: 'list_directory' };
const search = (pattern: string, ...places: string[]): Step => ({
  tool: 'scan_directory',
  input: { pattern },
  places,
});

describe('the very same call, again and again', () => {
  const check = (name: string, steps: Step[], expected: string[], certainty: 'exact' | 'guessed' = 'exact') =>
    it(name, () => expect(play(certainty, steps)).toEqual(expected));
  check(
    'is noted, then short, then refused, and stays refused',
    [read, read, read, read, read],
    ['run', 'note', 'short', 'refused', 'refused'],
  );
  check(
    'is noted and never shortened in a conversation that is only guessed',
    [read, read, read, read],
    ['run', 'note', 'note', 'note'],
    'guessed',
  );
  check(
    'is new after any other tool',
    [read, read, other, read, read],
    ['run', 'note', 'run', 'run', 'note'],
  );
  check(
    'is new with another parameter',
    [read, { ...read, input: { path: 'b' } }, read],
    ['run', 'run', 'run'],
  );
  check(
    'is no repeat where the answer is another',
    [search('a', 'p'), search('a', 'p', 'q'), search('a', 'p', 'q')],
    ['run', 'run', 'note'],
  );
  check('is new when what it would read has changed', [read, { ...read, state: 't' }], ['run', 'run']);
  check(
    'does not count when it failed',
    [{ ...read, fails: true }, { ...read, fails: true }, { ...read, fails: true }, read],
    ['run', 'run', 'run', 'run'],
  );
  check(
    'is new at another place of the same answer',
    [
      { tool: 'read_file', input: { a: 1, after: { line: 1 } } },
      { tool: 'read_file', input: { a: 1, after: { line: 2 } } },
    ],
    ['run', 'run'],
  );
  check(
    'the order of keys does not matter',
    [
      { tool: 'read_file', input: { a: 1, b: 2 } },
      { tool: 'read_file', input: { b: 2, a: 1 } },
    ],
    ['run', 'note'],
  );
});

describe('searches that bring nothing new', () => {
  const check = (name: string, steps: Step[], expected: string[]) =>
    it(name, () => expect(play('exact', steps)).toEqual(expected));
  const empty = ['a', 'b', 'c', 'd', 'e'].map((pattern) => search(pattern));
  check('end in the ways out', empty, ['run', 'run', 'run', 'ways out', 'ways out']);
  check(
    'are run all the same: one that finds something is answered as ever',
    [...empty.slice(0, 4), search('e', 'p'), search('f')],
    ['run', 'run', 'run', 'ways out', 'run', 'run'],
  );
  check(
    'begin anew after any other tool',
    [...empty.slice(0, 4), other, search('f')],
    ['run', 'run', 'run', 'ways out', 'run', 'run'],
  );
  check(
    'a place seen before is nothing new',
    [search('a', 'p'), search('b', 'p'), search('c', 'p'), search('d', 'p'), search('e')],
    ['run', 'run', 'run', 'run', 'ways out'],
  );
  check(
    'a new place begins anew',
    [search('a'), search('b'), search('c', 'q'), search('d'), search('e')],
    ['run', 'run', 'run', 'run', 'run'],
  );
});

it('the same call many times at once is no repeat of itself', () => {
  const guards = createGuards(options, { now: () => 0 });
  const call = {
    caller: { conversation: { id: 'c', certainty: 'exact' } } as Caller,
    operation: byName.get('read_file') as Operation,
    input: { path: 'a' },
    state: 's',
  };
  const verdicts = [1, 2, 3, 4].map(() => guards.before(call));
  for (const verdict of verdicts) guards.after(call, verdict, resultOf([]));
  expect(guards.before(call)).toMatchObject({ answer: null, repeated: 1 });
});
