import { expect, it } from 'vitest';
import { createChangeHints } from './change-hints.ts';
import { visibleRepository } from './testing/visible-repository.ts';

it('however many say that a repository has changed, it is looked at at once and once more at the end', () => {
  const looks: string[] = [];
  const waiting: (() => void)[] = [];
  const hints = createChangeHints({
    changed: ({ name }) => void looks.push(name),
    later: (work) => void waiting.push(work),
  });
  const [one, other] = [visibleRepository('a/one'), visibleRepository('a/other')];
  for (let times = 0; times < 100; times++) hints.changed(one);
  hints.changed(other);
  expect(looks).toEqual(['a/one', 'a/other']);
  for (const work of waiting.splice(0)) work();
  expect(looks).toEqual(['a/one', 'a/other', 'a/one']);
  for (const work of waiting.splice(0)) work();
  expect(waiting).toEqual([]);
  hints.changed(other);
  expect(looks).toHaveLength(4);
});
