import { describe, expect, it } from 'vitest';
import { PeriscopeError } from '../../base/errors.ts';
import type { Content } from '../../content/index.ts';
import type { Mirror } from '../../mirrors/index.ts';
import type { FoundFile, FoundLine } from '../../search/index.ts';
import { maskedFile } from './masked-lines.ts';

const line = (number: number, text: string, cut = false): FoundLine => ({
  number,
  text,
  ranges: [{ start: 0, end: 3 }],
  matched: true,
  cut,
});

function fileOf(...blocks: FoundLine[][]): FoundFile {
  return { commit: 'c', path: 'a.txt', blocks, unmasked: true } as unknown as FoundFile;
}

/** A content door over one text. */
function doorOver(lines: string[] | null): { content: Content; mirror: Mirror; lineBytesMax: number } {
  const content = {
    async open() {
      if (!lines)
        throw new PeriscopeError('path-not-found', 'test/none', 'Nothing there.', 'Look elsewhere.');
      return {
        kind: 'text',
        text: () => Buffer.from(lines.join('\n')),
        lines: (first: number, count: number) => ({ lines: lines.slice(first - 1, first - 1 + count) }),
      };
    },
  } as unknown as Content;
  return { content, mirror: {} as Mirror, lineBytesMax: 20 };
}

describe('what an engine without masking found goes out as the content door has it', () => {
  const signal = new AbortController().signal;
  const shown = async (file: FoundFile, lines: string[] | null) =>
    (await maskedFile(file, doorOver(lines), { signal }))?.blocks.flat();

  it('masked, with the matches where they were', async () => {
    const found = fileOf([line(2, 'key=abcdef')]);
    expect(await shown(found, ['x', 'key=******'])).toEqual([line(2, 'key=******')]);
  });
  it('a line that was cut from its start, and no longer', async () => {
    const [cut] = (await shown(fileOf([line(1, 'middle of it', true)]), ['z'.repeat(100)]))!;
    expect(cut).toMatchObject({ text: 'z'.repeat(20), ranges: [], cut: true });
  });
  it('not at all when it cannot be read', async () =>
    expect(await shown(fileOf([line(1, 'abc')]), null)).toBeUndefined());
  it('a file found by its path alone has no lines to mask', async () =>
    expect(await shown(fileOf(), null)).toEqual([]));
});
