import { expect, it } from 'vitest';
import { graphLines, graphRemarks, paintedGraph } from './graph-lines.ts';

const place = { repository: 'acme/shop', path: 'src/a.ts', line: 3, alsoCount: 0 };

it('each line of a use is one line of a pipe; what has none stands by its name', () => {
  const found = { name: 'run', container: 'A.run', signature: 'run(): void', place };
  const lines = graphLines([
    {
      repository: 'acme/shop',
      path: 'src/b.ts',
      confidence: 'certain',
      found: [{ ...found, lines: [{ line: 7, text: '  a.run();' }] }],
    },
    { repository: 'acme/shop', path: 'src/a.ts', confidence: null, found: [{ ...found, lines: [] }] },
    {
      repository: null,
      path: null,
      confidence: 'possible',
      found: [{ ...found, container: 'express', place: null, lines: [] }],
    },
  ]);
  expect(lines).toEqual(['acme/shop/src/b.ts:7:  a.run();', 'acme/shop/src/a.ts:3:run(): void', 'express']);
});

it('places, numbers and doubts are painted, and nothing of a repository steers the terminal', () => {
  const mark = (letter: string) => (text: string) => `<${letter}${text}>`;
  const paint = { head: mark('h'), place: mark('p'), number: mark('n'), doubt: mark('d') };
  const text = [
    '1 caller of function a',
    'acme/shop@main (commit 0123456789)  likely: by its package',
    'src/b.ts',
    '>7\ta\u001b[2J',
  ];
  expect(paintedGraph(text.join('\n'), paint).split('\n')).toEqual([
    '<h1 caller of function a>',
    '<pacme/shop@main (commit 0123456789)><d  likely: by its package>',
    'src/b.ts',
    '<n>7>\ta\u00b7[2J',
  ]);
});

it('what lines cannot say is said beside them: that a use is not certain, and that a definition lies elsewhere too', () => {
  const found = { name: 'run', container: 'A.run', signature: 'run(): void', place, lines: [] };
  const at = { repository: 'acme/shop', path: 'src/a.ts' };
  const copied = { ...found, place: { ...place, alsoCount: 2 } };
  expect(graphRemarks([{ ...at, confidence: 'certain', found: [found] }])).toEqual([]);
  expect(
    graphRemarks([
      { ...at, confidence: 'likely', found: [found] },
      { ...at, confidence: null, found: [copied, found] },
    ]),
  ).toEqual([
    'In 1 place what is meant is not certain: --json says where.',
    '1 definition also elsewhere, in files with the same content.',
  ]);
});
