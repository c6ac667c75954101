import type { SeededRandom } from '../../../src/base/testing/seeded-random.ts';
import { type Asked, type AskedQuery, all, any, not, regex, term } from './asked-queries.ts';
import { languageFilters, pathFilters } from './fixed-queries.ts';
import { type TreeFile, textOf } from './tree-files.ts';

/** Queries of every kind, of what stands in the files. */
export function drawnQueries(files: readonly TreeFile[], count: number, random: SeededRandom): AskedQuery[] {
  const texts = files.filter(({ bytes }) => bytes.length > 0 && bytes.length < 1 << 19);
  const lineOf = (): string => {
    for (;;) {
      const lines = textOf(random.pick(texts)).split(/\r?\n/);
      const line = random.pick(lines);
      if (line.trim().length > 3 && line.length < 400 && !line.includes('\ufffd') && !line.includes('\r'))
        return line;
    }
  };
  const wordOf = (): string => {
    for (;;) {
      const words = lineOf().match(/[A-Za-z_]\w{2,}/g);
      if (words) return random.pick(words);
    }
  };
  const piece = (least: number, most: number): string => {
    const line = [...lineOf()];
    const length = Math.min(line.length, least + random.below(most - least + 1));
    return line
      .slice(random.below(line.length - length + 1))
      .slice(0, length)
      .join('');
  };
  const ignoreCase = () => random.below(2) === 0;
  const quoted = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

  const shapes: readonly [kind: string, draw: () => Asked][] = [
    ['literal', () => term(wordOf(), { ignoreCase: ignoreCase() })],
    ['literal', () => term(wordOf())],
    ['phrase', () => term(piece(8, 30), { ignoreCase: ignoreCase() })],
    ['phrase', () => term(piece(4, 8))],
    ['three characters', () => term(piece(3, 3), { ignoreCase: ignoreCase() })],
    ['two characters', () => all(term(piece(2, 2), { ignoreCase: ignoreCase() }), random.pick(pathFilters))],
    ['one character', () => all(term(piece(1, 1)), random.pick(pathFilters))],
    ['anchors', () => regex(`^\\s*${quoted(wordOf())}`)],
    ['anchors', () => regex(`${quoted(piece(3, 10))}$`)],
    ['word boundaries', () => regex(`\\b${wordOf()}\\b`, { ignoreCase: ignoreCase() })],
    ['word boundaries', () => regex(`\\B${wordOf().slice(1)}\\b`)],
    ['alternatives', () => regex(`${wordOf()}|${wordOf()}|${wordOf()}`, { ignoreCase: ignoreCase() })],
    ['alternatives', () => regex(`(${wordOf()}|${wordOf()})\\s*[(=]`)],
    [
      'classes',
      () =>
        regex(
          `${wordOf().replace(/[a-z]/i, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)}\\w*`,
        ),
    ],
    ['counts', () => regex(`${quoted(piece(1, 2))}{2,4}`)],
    ['counts', () => regex(`\\w{3,9}${quoted(piece(3, 5))}\\d{0,3}`)],
    ['anything between', () => regex(`${wordOf().slice(0, 5)}.*${wordOf().slice(0, 4)}`)],
    ['anything between', () => regex(`${quoted(piece(2, 4))}.{1,20}${quoted(piece(2, 4))}`)],
    ['several lines', () => regex(`${quoted(wordOf())}.*\\n\\s*${quoted(wordOf().slice(0, 3))}`)],
    ['several lines', () => regex(`(?s)${quoted(wordOf())}.{0,30}${quoted(wordOf().slice(0, 2))}`)],
    ['all', () => all(term(wordOf()), term(wordOf(), { ignoreCase: true }))],
    ['all but', () => all(term(wordOf()), not(term(wordOf())))],
    ['any', () => any(term(wordOf()), regex(`^${quoted(piece(3, 6))}`))],
    [
      'any but',
      () => all(any(term(wordOf()), term(wordOf())), not(any(term(wordOf()), regex(`\\b${wordOf()}\\b`)))),
    ],
    [
      'any of all',
      () => any(all(term(wordOf()), term(wordOf())), all(term(wordOf()), regex(`${wordOf()}\\(`))),
    ],
    ['path', () => all(term(wordOf()), random.pick(pathFilters))],
    ['not this path', () => all(term(wordOf()), not(random.pick(pathFilters)))],
    ['language', () => all(term(wordOf(), { ignoreCase: true }), random.pick(languageFilters))],
    ['repository', () => all(term(wordOf()), { kind: 'repository', name: random.pick(files).repository })],
    ['path or text', () => term(wordOf(), { orPath: true, ignoreCase: ignoreCase() })],
    ['beyond ASCII', () => term(foreign(), { ignoreCase: ignoreCase() })],
  ];
  /** Around a character that is none of ASCII's. */
  function foreign(): string {
    for (let tries = 0; tries < 2000; tries++) {
      const line = [...lineOf()];
      const at = line.findIndex((character) => character > '\x7f');
      if (at >= 0) return line.slice(Math.max(0, at - random.below(4)), at + 1 + random.below(4)).join('');
    }
    return 'é';
  }
  return Array.from({ length: count }, (_, index) => {
    const [kind, draw] = shapes[index % shapes.length]!;
    return { kind, asked: draw() };
  });
}
