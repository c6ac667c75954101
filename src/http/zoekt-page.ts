import type { FoundCode } from '../operations/index.ts';
import { branchesOf, zoektName, zoektStats } from './zoekt-api-answer.ts';

/** What `GET /search?format=json` of zoekt's page answers: plain texts, in pieces. */
export function zoektPage(
  { answer, repositories }: FoundCode,
  asked: { query: string; num: number; ctx: number; durationMs: number },
): object {
  return {
    result: {
      Last: { Query: asked.query, Num: asked.num, Ctx: asked.ctx, AutoFocus: true, Debug: false },
      QueryStr: asked.query,
      Query: asked.query,
      Stats: zoektStats(answer, asked.durationMs),
      Duration: 0,
      FileMatches: answer.files.flatMap((file) => {
        const { path, language, blocks } = file;
        const repository = repositories.get(file.repositoryId);
        if (!repository) return [];
        const name = zoektName(repository);
        const lines = blocks.flatMap((block) => block.map((line, index) => ({ block, line, index })));
        return [
          {
            FileName: path,
            Repo: name,
            ResultID: `${name}:${path}`,
            Language: language ?? '',
            DuplicateID: '',
            Branches: branchesOf(file),
            Matches: lines.flatMap(({ block, line, index }) => {
              if (!line.matched) return [];
              const around = (from: number, to: number) =>
                block
                  .slice(Math.max(0, from), to)
                  .map(({ text }) => `${text}\n`)
                  .join('');
              return [
                {
                  URL: '',
                  FileName: path,
                  LineNum: line.number,
                  Fragments: fragments(line.text, line.ranges),
                  ...(asked.ctx === 0
                    ? {}
                    : {
                        Before: around(index - asked.ctx, index),
                        After: around(index + 1, index + 1 + asked.ctx),
                      }),
                },
              ];
            }),
            URL: '',
          },
        ];
      }),
    },
  };
}

function fragments(text: string, ranges: readonly { start: number; end: number }[]) {
  const bytes = Buffer.from(`${text}\n`);
  let at = 0;
  return ranges.map(({ start, end }, index) => {
    const isLast = index === ranges.length - 1;
    const fragment = {
      Pre: bytes.subarray(at, start).toString(),
      Match: bytes.subarray(start, end).toString(),
      Post: isLast ? bytes.subarray(end).toString() : '',
    };
    at = end;
    return fragment;
  });
}
