import type { FixtureFile } from '../../../src/mirrors/testing/git-fixture.ts';

const german = 'Straße nach Köln\nGrüße, ÄRGER\nplain needle here\n';
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const longLine = `${'x '.repeat(9_500)}needle ${'y1'.repeat(4_000)} end`;

/** Files as nobody would write them and everybody has some. */
export const oddFiles: Readonly<Record<string, FixtureFile>> = {
  'crlf.txt': 'first needle\r\nsecond line\r\n\r\nneedle at the end\r\nlast',
  'mixed-ends.txt': 'needle one\nneedle two\r\nold mac\rneedle three\n',
  'bom.txt': `\ufeffneedle first\nsecond\n`,
  'bom-crlf.cs': `\ufeffusing needle;\r\nclass A {}\r\n`,
  'utf-16-le.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), utf16(german)]),
  'utf-16-be.txt': Buffer.concat([Buffer.from([0xfe, 0xff]), utf16(german).swap16()]),
  'utf-16-le-without-mark.txt': utf16('plain needle here\nand a second line\n'.repeat(3)),
  'latin-1.txt': latin1(german),
  'utf-8.txt': german,
  'greek.txt': 'ΚΌΣΜΕ κόσμε κόσμος ΚΌΣΜΟΣ\nÀÉÎ àéî\nДомой домой ДОМОЙ\nK k K\nſ s S\n',
  'wide.txt': '日本語の文字\n検索エンジン needle\n😀 emoji 😀😀\n한국어\n',
  'long-lines.txt': `${longLine}\nshort\n${longLine} again\n${'z.'.repeat(34_000)}${'z'.repeat(2000)}`,
  'many-lines.txt': Array.from(
    { length: 3000 },
    (_, index) => `line ${index}${index % 7 === 0 ? ' needle' : ''}\n`,
  ).join(''),
  'empty.txt': '',
  'one-byte.txt': 'n',
  'one-feed.txt': '\n',
  'feeds.txt': '\n\n\n',
  'blanks.txt': '  \n\t\n \t \nneedle\t\n',
  'no-end.txt': 'first\nneedle without an end',
  'controls.txt': 'bell \x07 form \f feed \v tab\n\x1b[31mneedle\x1b[0m\n',
  'a copy.txt': 'first\nneedle without an end',
  'with space/a b.txt': 'needle among blanks\n',
  'with [brackets]/(a).txt': 'needle among brackets\n',
  'with,comma/{a}.txt': 'needle among commas\n',
  'line\\x0abreak.txt': 'needle behind a break\n',
  'bad-\\xff\\xfe.txt': 'needle behind bad bytes\n',
  'needle-in-name.md': 'nothing of it here\n',
  'NEEDLE/upper.md': 'nor here\n',
  'src/main.go': 'package main\n\nfunc main() {\n\tneedle(1)\n\tif err != nil {\n\t\treturn\n\t}\n}\n',
  'src/main_test.go': 'package main\n\nfunc TestNeedle(t *testing.T) {\n\tt.Fatal("needle")\n}\n',
  'src/deep/er/lib.rs': 'fn needle() -> u32 {\n    0\n}\n',
  'binary.bin': Buffer.concat([Buffer.from('needle\0'), Buffer.alloc(500, 7)]),
  link: { mode: '120000', content: 'src/main.go' },
};

/** Of the same owner, with copies of what the first has. */
export const otherFiles: Readonly<Record<string, FixtureFile>> = {
  'copied/no-end.txt': 'first\nneedle without an end',
  'main.go': oddFiles['src/main.go']!,
  'README.md': '# Other\n\nA needle, a NEEDLE and a Needle.\nfoo.bar(baz) == qux[0] && !x\n\nTODO: nothing\n',
  'data.json': '{"needle": "a\\\\b", "url": "https://example.test/a?b=c#d"}\n',
};
