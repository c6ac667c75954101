import { expect, it } from 'vitest';
import { shownControls } from './shown-controls.ts';

it('controls that turn a text around stand as escapes, letters of every script as they are', () => {
  expect(shownControls('a\u202eb.ts\u202c')).toBe('a\\u202eb.ts\\u202c');
  expect(shownControls('\u2066x\u2069\u200f')).toBe('\\u2066x\\u2069\\u200f');
  expect(shownControls('שלום ÄÖ 日本')).toBe('שלום ÄÖ 日本');
});
