import { expect, it } from 'vitest';
import { createExtractor } from './create-extractor.ts';

const ordinary = { language: 'Python', path: 'a.py', text: Buffer.from('def f(): pass\n') };

/** In a file of its own: what it breaks is the only one that its process has. */
it('a text that uses up the memory of the parser is told as failed, and the extractor as broken', async () => {
  const extractor = await createExtractor({ languages: ['Python'], deadlineMs: 60_000 });
  expect('facts' in extractor.extract(ordinary)).toBe(true);
  // At its end each operator may bind in two ways: as many readings as there are, and none is stopped on the way.
  const ambiguous = Buffer.from(`${'/*'.repeat(200)}\n`.repeat(250));
  expect(extractor.extract({ ...ordinary, text: ambiguous })).toEqual({ skipped: 'failed' });
  expect(extractor.isBroken()).toBe(true);
  expect(extractor.extract(ordinary)).toEqual({ skipped: 'failed' });
});
