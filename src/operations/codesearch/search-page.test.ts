import { expect, it } from 'vitest';
import type { SearchAnswer } from '../../search/index.ts';
import type { CodeFinder, CodeFindings, PreparedSearch } from './code-finder.ts';
import { findPage, firstPage, type SearchPage } from './search-page.ts';

const prepared = { asked: { after: null }, output: 'lines' } as unknown as PreparedSearch;
const options = { signal: new AbortController().signal, nowMs: 0 };

/** How many waves are looked for when none has anything left to show and more could follow. */
const check = (name: string, page: SearchPage, stopped: SearchAnswer['stopped'], expected: number) =>
  it(name, async () => {
    let waves = 0;
    const search = async () => {
      waves++;
      const answer = { files: [], next: { w: waves }, stopped };
      return { answer, indexes: [], filesFound: 0 } as unknown as CodeFindings;
    };
    await findPage(prepared, page, { search } as unknown as CodeFinder, options);
    expect(waves).toBe(expected);
  });

check('waves of what has been opted out since are passed over', firstPage, 'enough', 5);
check('a search whose time is over is not begun again', firstPage, 'budget', 1);
check(
  'behind a wave that is shown already one more is looked for',
  { after: null, skip: 0, shown: new Set(['a']) },
  'budget',
  2,
);
