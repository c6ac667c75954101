import { describe, expect, it } from 'vitest';
import { readListAnswer, readSearchAnswer } from './zoekt-answers.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('answers of every age and shape are read', () => {
  check(
    'lines',
    { Result: { Files: [file({ LineMatches: [line(base64('foo bar\n'))] })] } },
    'a.ts 3 "foo bar" 4-7',
  );
  check('no files', { Result: { Files: null } }, '');
  check(
    'the key of the page',
    { result: { FileMatches: [file({ LineMatches: [line(base64('foo bar'))] })] } },
    'a.ts 3 "foo bar" 4-7',
  );
  check(
    'bytes that are not base64',
    { Result: { Files: [file({ LineMatches: [line('foo bar!')] })] } },
    'a.ts 3 "foo bar!" 4-7',
  );
  check(
    'a match that goes on',
    { Result: { Files: [file({ LineMatches: [line(base64('foo b\n'))] })] } },
    'a.ts 3 "foo b" 4-5',
  );
  check(
    'chunks',
    {
      Result: {
        Files: [
          file({
            ChunkMatches: [
              {
                Content: base64('foo\r\nbar\n'),
                ContentStart: { ByteOffset: 10, LineNumber: 3, Column: 1 },
                Ranges: [{ Start: { ByteOffset: 15 }, End: { ByteOffset: 18 } }],
              },
            ],
          }),
        ],
      },
    },
    'a.ts 3 "foo\\r" \na.ts 4 "bar" 0-3',
  );
  check(
    'plain texts of the page',
    {
      result: {
        FileMatches: [
          {
            FileName: 'a.ts',
            Repo: 'r',
            Matches: [{ LineNum: 3, Fragments: [{ Pre: 'foo ', Match: 'bar', Post: '\n' }] }],
          },
        ],
      },
    },
    'a.ts 3 "foo bar" 4-7',
  );
  check(
    'a match of the path',
    { Result: { Files: [file({ LineMatches: [{ ...line(base64('a.ts')), FileName: true }] })] } },
    'a.ts path 4-4',
  );
  check(
    'nonsense within',
    { Result: { Files: [7, null, {}, file({ LineMatches: 'x', ChunkMatches: [{ Ranges: {} }] })] } },
    '',
  );
  check('nonsense', { Result: [] }, null);
  check('text', 'x', null);

  function check(name: string, answer: unknown, expected: string | null) {
    it(name, () => {
      const files = readSearchAnswer(answer)?.files;
      const shown = files?.flatMap(({ path, lines, pathRanges }) => [
        ...lines.map(
          ({ number, bytes, ranges }) =>
            `${path} ${number} ${JSON.stringify(bytes.toString())} ${shownRanges(ranges)}`,
        ),
        ...pathRanges.map((range) => `${path} path ${shownRanges([range])}`),
      ]);
      expect(shown?.join('\n') ?? null).toBe(expected);
    });
  }

  function file(more: object) {
    return { FileName: 'a.ts', Repository: 'r', ...more };
  }

  function line(text: string) {
    return { Line: text, LineNumber: 3, LineFragments: [{ LineOffset: 4, MatchLength: 3 }] };
  }

  function shownRanges(ranges: readonly { start: number; end: number }[]): string {
    return ranges.map(({ start, end }) => `${start}-${end}`).join(' ');
  }
});

it('a listing without its list is none, and repositories that are buried are left out', () => {
  expect(readListAnswer({ List: null })).toBeNull();
  expect(readListAnswer({ List: { Repos: null } })).toEqual([]);
  const buried = { Repository: { Name: 'r', Tombstone: true } };
  const bare = { Repository: { Name: 's', LatestCommitDate: '0001-01-01T00:00:00Z' } };
  expect(readListAnswer({ List: { Repos: [buried, bare] } })).toEqual([
    { id: 0, name: 's', branches: [], committedMs: 0, indexedMs: 0, documents: 0 },
  ]);
});
