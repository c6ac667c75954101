import { describe, expect, it } from 'vitest';
import { cutText, languageName, languageOf } from '../search/index.ts';
import { createExtractor } from '../symbols/index.ts';

const extractor = await createExtractor({
  languages: [
    'TypeScript',
    'JavaScript',
    'Python',
    'Go',
    'Java',
    'Rust',
    'C',
    'Ruby',
    'Markdown',
    'JSON',
    'YAML',
  ],
});

/** The chunks of a file, each as its lines, what it is and how much of it is a comment. */
function chunksOf(path: string, text: string): string[] {
  const bytes = Buffer.from(text);
  const language = languageName(languageOf(path)) ?? '';
  const outcome = extractor.extract({ language, path, text: new Uint8Array(bytes) });
  const symbols = 'facts' in outcome ? outcome.facts.symbols : [];
  const { chunks } = cutText(bytes, symbols);
  return chunks.map(({ startLine, endLine, kind, name, parents, part, docStart, docEnd }) => {
    const doc =
      docStart < 0 ? '' : ` (${bytes.toString('utf8', docStart, docEnd).trim().split('\n').length})`;
    const whole = [parents, name].filter((text) => text !== '').join('.');
    return `${startLine}-${endLine} ${kind ?? 'text'} ${whole}${part > 0 ? ` part ${part}` : ''}${doc}`.trim();
  });
}

const check = (what: string, path: string, text: string, expected: readonly string[]) =>
  it(what, () => {
    expect(chunksOf(path, text)).toEqual(expected);
  });

const lines = (count: number, line: (number: number) => string) =>
  Array.from({ length: count }, (_, number) => line(number)).join('\n');
const statements = (count: number) =>
  lines(count, (n) => `  total += compute${n}(value, options.${n % 7}.rate);`);

describe('code is cut around its symbols', () => {
  check(
    'functions with the comments above them, imports with the first',
    'a.ts',
    `import { x } from './x.ts';

/** Adds. */
export function add(a: number, b: number): number {
  return a + b + somethingElse(a, b) + anotherThing(a, b) + aThirdThing(a, b) + yetAnotherThingThatIsLong(a, b);
}

// Takes away.
// And so on.
export const subtract = (a: number, b: number) => {
  return a - b - somethingElse(a, b) - anotherThing(a, b) - aThirdThing(a, b) - yetAnotherThingThatIsLong(a, b);
};
`,
    ['1-7 function add (1)', '8-12 function subtract (2)'],
  );

  check(
    'comments of what is assigned',
    'response.js',
    `/**
 * Sets the status.
 */

res.status = function status(code) {
  ${'check(code);\n  '.repeat(20)}return this;
};
`,
    ['1-27 method status (3)'],
  );

  check(
    'a large class at its methods, its head and fields before them',
    'Large.java',
    `package a;

/** Is large. */
public class Large extends Base {
  private int count;

  /** Runs. */
  public void run() {
${statements(25)}
  }

  public void stop() {
${statements(25)}
  }
}
`,
    ['1-6 class Large (1)', '7-35 method Large.run (1)', '36-63 method Large.stop'],
  );

  check(
    'small neighbours together',
    'small.py',
    `class Point:
    def x(self):
        return self._x


class Line:
    def a(self):
        return self._a
`,
    ['1-8 class Point'],
  );

  check(
    'a large function into parts of whole lines',
    'large.go',
    `package a

// Large is large.
func Large(value int) int {
${statements(40)}

${statements(40)}
  return total
}
`,
    ['1-36 function Large (1)', '37-87 function Large part 1'],
  );

  check(
    'methods beside their types',
    'a.go',
    `package a

type Store struct {
\tname string
}

// Open opens it. ${'It takes a while. '.repeat(12)}
func (s *Store) Open() error {
\treturn nil
}
`,
    ['1-6 struct Store', '7-10 method Store.Open (1)'],
  );
});

describe('prose and data', () => {
  check(
    'prose by its headings',
    'README.md',
    `# Title

${'Some words about it. '.repeat(40)}

## Install

${'Run this and that. '.repeat(40)}

## Use

${'Call it. '.repeat(40)}
`,
    ['1-4 heading Title', '5-8 heading Title.Install', '9-11 heading Title.Use'],
  );
  check('a small file is one chunk', 'config.json', '{\n  "name": "x",\n  "deep": { "er": 1 }\n}\n', [
    '1-4 text',
  ]);
  check(
    'text without symbols behind empty lines',
    'notes.txt',
    `${lines(14, (n) => `Line ${n} of the first block, which is about as long as lines are in prose.`)}\n\n${lines(14, (n) => `Line ${n} of another block, which says something else than the first does.`)}\n`,
    ['1-15 text', '16-29 text'],
  );
  check('nothing of a file without words', 'empty.txt', '\n\n  \n', []);
});

describe('whatever the text', () => {
  it('chunks follow each other, are no larger than they may be, and leave out nothing with a word', () => {
    const hostile = [
      'x'.repeat(20_000),
      `${'word '.repeat(5000)}\n`,
      `${'é'.repeat(9000)}\n`,
      `${'\r\n'.repeat(500)}end`,
      lines(3000, (n) => `${n}`),
      `${'東京の天気'.repeat(2000)}`,
      `function f() {\n${'a();'.repeat(4000)}\n}\n`,
    ];
    for (const text of hostile) {
      const bytes = Buffer.from(text);
      const { chunks } = cutText(bytes, []);
      let end = 0;
      for (const chunk of chunks) {
        expect(chunk.start).toBeGreaterThanOrEqual(end);
        expect(bytes.toString('utf8', end, chunk.start).trim()).toBe('');
        expect(chunk.end - chunk.start).toBeLessThanOrEqual(4096);
        expect(bytes.toString('utf8', chunk.start, chunk.end)).not.toContain('\ufffd');
        end = chunk.end;
      }
      expect(bytes.toString('utf8', end).trim()).toBe('');
    }
  });
});
