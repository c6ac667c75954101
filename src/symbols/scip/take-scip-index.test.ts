import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PeriscopeError } from '../../base/errors.ts';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import { openScip } from '../../search/index.ts';
import { type TakenScip, takeScipIndex } from './take-scip-index.ts';
import { money } from './testing/indexed-projects.ts';
import { indexBytes, type WrittenDocument } from './testing/write-index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'periscope-take-scip-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => path.join(folder, 'taken.scip');

function take(bytes: Uint8Array, texts: Readonly<Record<string, string>>, root = ''): TakenScip {
  const upload = path.join(folder, 'upload');
  writeFileSync(upload, bytes);
  return takeScipIndex({
    upload,
    file: file(),
    root,
    textOf: (name) => (Object.hasOwn(texts, name) ? Buffer.from(texts[name]!) : null),
    mask: () => 0,
    fileBytesMax: 10 << 20,
  });
}

/** `TEXT symbol`, a definition with an equals sign; the text is what stands at the occurrence up to the end of the word. */
function told(name: string, text: string): string[] {
  const scip = openScip(file());
  const document = scip.document(scip.documentAt(name));
  return Array.from(document.starts, (start, at) => {
    const word = /^[\w$]*/.exec(Buffer.from(text).toString('utf8', start))![0];
    const symbol = document.symbols[at]!;
    const called = symbol === 0 ? 'local' : scip.symbol(symbol).text;
    return `${word} ${document.definitions[at] === 1 ? '= ' : ''}${called}`;
  });
}

const x = 's npm p 1 x.';
const nothingLeftOut = { unknownPaths: 0, repeatedPaths: 0, outsideText: 0, unreadableSymbols: 0 };

describe('what an indexer wrote is kept by the bytes of the texts', () => {
  it('of a real project', () => {
    const { summary, leftOut } = take(indexBytes(money.index), money.files);
    expect(leftOut).toEqual(nothingLeftOut);
    expect(summary.documents).toBe(2);
    const text = money.files['src/money.ts']!;
    const lines = told('src/money.ts', text);
    // Behind characters of two and of four bytes on the same line.
    expect(lines).toContain(
      'Money scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#`<constructor>`().',
    );
    for (const line of lines) {
      const [word, ...symbol] = line.replace(' = ', ' ').split(' ');
      const called = symbol.join(' ');
      if (called === 'local' || called.endsWith('/') || called.includes('<constructor>')) continue;
      expect(called, line).toMatch(new RegExp(`[/#(]${word}[#().]*$`));
    }
  });

  const check = (title: string, document: Omit<WrittenDocument, 'path'>, text: string, wanted: string[]) =>
    it(title, () => {
      take(indexBytes({ documents: [{ path: 'a.ts', ...document }] }), { 'a.ts': text });
      expect(told('a.ts', text)).toEqual(wanted);
    });
  check('columns in units of UTF-16', { occurrences: [`0 4 5 uses ${x}`], positionEncoding: 2 }, '𝄞é x', [
    `x ${x}`,
  ]);
  check('columns in bytes', { occurrences: [`0 7 8 uses ${x}`], positionEncoding: 1 }, '𝄞é x', [`x ${x}`]);
  check('columns in characters', { occurrences: [`0 3 4 uses ${x}`], positionEncoding: 3 }, '𝄞é x', [
    `x ${x}`,
  ]);
  check('lines that end in two characters', { occurrences: [`1 1 2 uses ${x}`] }, 'a\r\n x\r\n', [`x ${x}`]);
  check('what goes over lines', { occurrences: [`0 0 1 1 defines ${x}`] }, 'x\ny', [`x = ${x}`]);
});

describe('what is not there is left out and counted', () => {
  const check = (
    title: string,
    documents: WrittenDocument[],
    wanted: Partial<TakenScip['leftOut']>,
    uses: number,
  ) =>
    it(title, () => {
      const { summary, leftOut } = take(indexBytes({ documents }), { 'a.ts': 'x\ny\n', 'b/c.ts': 'x' });
      expect(leftOut).toEqual({ ...nothingLeftOut, ...wanted });
      expect(summary.uses).toBe(uses);
    });
  const a = (occurrences: string[]): WrittenDocument => ({ path: 'a.ts', occurrences });
  for (const name of ['gone.ts', '../a.ts', '/a.ts', './a.ts', 'b/../a.ts', 'a.ts/', '', 'A.ts'])
    check(
      `the path "${name}"`,
      [{ path: name, occurrences: [`0 0 1 uses ${x}`] }, a([])],
      { unknownPaths: name === '' ? 0 : 1 },
      0,
    );
  check('a path that comes again', [a([`0 0 1 uses ${x}`]), a([`1 0 1 uses ${x}`])], { repeatedPaths: 1 }, 1);
  check(
    'places beyond the text',
    [
      a([
        `0 2 3 uses ${x}`,
        `9 0 1 uses ${x}`,
        `0 -1 3 uses ${x}`,
        `-1 0 1 uses ${x}`,
        `0 2000000000 1 uses ${x}`,
        `1 0 1 uses ${x}`,
      ]),
    ],
    { outsideText: 5 },
    1,
  );
  check(
    'symbols that are none',
    [a(['0 0 1 uses what', `0 0 1 uses s npm p 1 ${'x'.repeat(3000)}.`])],
    { unreadableSymbols: 2 },
    0,
  );

  it('paths are counted from a folder where one is told', () => {
    const { summary } = take(
      indexBytes({ documents: [{ path: 'c.ts', occurrences: [`0 0 1 uses ${x}`] }] }),
      { 'b/c.ts': 'x' },
      'b/',
    );
    expect(summary.documents).toBe(1);
    expect(openScip(file()).documentAt('b/c.ts')).toBe(0);
  });

  it('a path that is not shown leaves no name behind', () => {
    take(
      indexBytes({
        documents: [
          {
            path: 'hidden.ts',
            occurrences: ['0 0 1 defines s npm p 1 hidden#'],
            implementations: [['s npm p 1 hidden#', x]],
          },
          a([`0 0 1 uses ${x}`]),
        ],
      }),
      { 'a.ts': 'x' },
    );
    expect(openScip(file()).head.symbols).toBe(1);
  });
});

describe('what is no SCIP index, or too much of one, is refused and leaves nothing behind', () => {
  const check = (title: string, bytes: () => Uint8Array, code: string, texts: Record<string, string> = {}) =>
    it(title, () => {
      const refused = () => take(bytes(), texts);
      expect(refused).toThrow(PeriscopeError);
      expect(refused).toThrow(expect.objectContaining({ code }));
      expect(readdirSync(folder)).toEqual(['upload']);
    });
  const unreadable = 'symbols/scip-unreadable';
  check('nothing', () => Buffer.alloc(0), unreadable);
  check('a text', () => Buffer.from('{"documents": []}'), unreadable);
  check('a compressed one', () => Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]), unreadable);
  check('an index without documents', () => indexBytes({ documents: [] }), unreadable);
  check('a length beyond the end', () => Buffer.from([0x12, 0xff, 0xff, 0xff, 0xff, 0x0f]), unreadable);
  check('a length without end', () => Buffer.alloc(40, 0xff), unreadable);
  check('a document of other fields', () => Buffer.from([0x12, 2, 0x0b, 0x0b]), unreadable);
  check(
    'a document with millions of occurrences',
    () => {
      const document = new BinaryWriter();
      for (let count = 0; count <= 1_000_000; count++)
        document.tag(2, WireType.LengthDelimited).bytes(Buffer.from([0x0a, 3, 0, 0, 1, 0x12, 1, 0x78]));
      return new BinaryWriter().tag(2, WireType.LengthDelimited).bytes(document.finish()).finish();
    },
    'symbols/scip-too-much',
  );

  it('wherever it is cut, and whichever bytes are others', () => {
    const whole = indexBytes(money.index);
    const random = new SeededRandom(3);
    const outcomes = new Set<string>();
    for (let round = 0; round < 600; round++) {
      let bytes = Buffer.from(whole);
      if (round % 3 === 0) bytes = bytes.subarray(0, random.below(bytes.length));
      else
        for (let changes = random.below(4); changes >= 0; changes--)
          bytes[random.below(bytes.length)] = random.below(256);
      try {
        take(bytes, money.files);
        openScip(file());
        outcomes.add('taken');
      } catch (error) {
        outcomes.add((error as PeriscopeError).code);
      }
    }
    expect([...outcomes].sort()).toEqual([unreadable, 'taken']);
  });
});
