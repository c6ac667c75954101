import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../base/testing/seeded-random.ts';
import { bomBytes, decodeAs } from './decode-text.ts';
import { countedLines, createLineIndex, type LineIndex, type ReadBytes } from './line-index.ts';
import { pagedDocument } from './text-document.ts';
import { TextLines } from './text-lines.ts';
import { loadTextPage, pageOfLine, sizeOfUnfinished } from './text-page.ts';
import type { TextDocument, TextEncoding } from './types.ts';

const named = { path: 'big.txt', oid: 'a'.repeat(40), executable: false };
const noMask = () => 0;
const noLimit = 1 << 30;

describe('a file read in pages has the lines that it has as a whole', () => {
  const random = new SeededRandom(23);
  const alphabet = ['a', 'b', 'longer words', '\n', '\r\n', '\r', 'ü', '日', '🙂'];
  const encodings: [TextEncoding, (text: string) => Buffer][] = [
    ['utf-8', (text) => Buffer.from(text)],
    ['utf-8-bom', (text) => Buffer.from(`\ufeff${text}`)],
    ['utf-16le', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['utf-16be', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['latin-1', (text) => Buffer.from(text.replaceAll(/[日🙂]/gu, '\xe9'), 'latin1')],
  ];
  for (const [encoding, encode] of encodings) {
    it(`in ${encoding}, for 150 seeded random files`, async () => {
      for (let round = 0; round < 150; round++) {
        const length = random.below(120);
        const file = encode(Array.from({ length }, () => random.pick(alphabet)).join(''));
        await expectSameLines(file, encoding, 16 + 2 * random.below(30), `seed 23, round ${round}`);
      }
    });
  }
});

describe('a line longer than a page shows its beginning and tells its length', () => {
  const long = 'x'.repeat(1000);
  checkLong('at the start', `${long}\nend\n`, 1, 1000, false);
  checkLong('after short lines', `one\ntwo\n${long}\nend\n`, 3, 1000, false);
  checkLong('as the only line', long, 1, 1000, true);
  checkLong('as the last line', `one\n${long}`, 2, 1000, true);
  checkLong('with \\r\\n', `${long}\r\nend\n`, 1, 1000, false);

  function checkLong(title: string, text: string, line: number, sizeBytes: number, atEnd: boolean) {
    it(title, async () => {
      const { open } = pager(Buffer.from(text), 'utf-8', 64);
      const slice = (await open(line)).lines(line, 5, 20);
      expect(slice).toEqual({
        first: line,
        lines: ['x'.repeat(20)],
        cutLines: new Map([[line, sizeBytes]]),
        atEnd,
      });
    });
  }
});

it('reads only the first pages for the first lines, and counts on from where it was', async () => {
  const file = Buffer.from(Array.from({ length: 10_000 }, (_, at) => `line ${at + 1}\n`).join(''));
  const { open, index, reads } = pager(file, 'utf-8', 1024);
  await open(1);
  expect(reads()).toEqual({ calls: 1, bytes: 2 * 1024 + 16 * 1024 });
  expect(countedLines(index)).toBeNull();

  expect((await open(5000)).lines(5000, 1, noLimit).lines).toEqual(['line 5000']);
  const afterCounting = reads().bytes;
  expect(afterCounting).toBeLessThan(file.length * 1.5);
  expect((await open(5001)).lines(5001, 1, noLimit).lines).toEqual(['line 5001']);
  // Nothing is counted twice: a page and its surroundings are all that is read again.
  expect(reads().bytes - afterCounting).toBeLessThanOrEqual(2 * 1024 + 32 * 1024);
});

it('gives nothing after the end, and then knows how many lines there are', async () => {
  const { open } = pager(Buffer.from('one\ntwo\nthree\n'), 'utf-8', 4);
  const document = await open(9);
  expect(document.lines(9, 1, noLimit)).toEqual({ first: 9, lines: [], cutLines: new Map(), atEnd: true });
  expect(document.lineCount).toBe(3);
});

it('masks a credential that lies across the edge of a page', async () => {
  const text = `${'a\n'.repeat(30)}secret secret secret\n${'b\n'.repeat(60)}`;
  const mask = (bytes: Buffer) => {
    let spans = 0;
    for (
      let at = bytes.indexOf('secret secret secret');
      at >= 0;
      at = bytes.indexOf('secret secret secret', at + 1)
    ) {
      bytes.fill('*', at, at + 'secret secret secret'.length);
      spans += 1;
    }
    return spans;
  };
  const { open } = pager(Buffer.from(text), 'utf-8', 64, mask);
  for (let line = 1; line <= 91; line++) {
    expect((await open(line)).lines(line, 100, noLimit).lines.join('\n')).not.toContain('secret');
  }
});

it('says which line to open with when the page of a line is not at hand', async () => {
  const { open } = pager(Buffer.from('a line\n'.repeat(100)), 'utf-8', 64);
  const document = await open(1);
  expect(() => document.lines(90, 1, noLimit)).toThrowError(/Line 90/);
});

async function expectSameLines(file: Buffer, encoding: TextEncoding, pageBytes: number, message: string) {
  const whole = new TextLines(decodeAs(encoding, file.subarray(bomBytes(file, encoding))));
  const { open, index } = pager(file, encoding, pageBytes);
  let line = 1;
  for (let opened = 0; opened < 500; opened++) {
    const document = await open(line);
    const slice = document.lines(line, 3, noLimit);
    const wanted = whole.slice(line, slice.lines.length, noLimit);
    const isHead = slice.cutLines.size > 0;
    if (isHead) expect(wanted.lines[0]!.startsWith(slice.lines[0]!), message).toBe(true);
    else expect(slice.lines, message).toEqual(wanted.lines);
    line += slice.lines.length;
    expect(slice.atEnd, message).toBe(line > whole.count);
    if (slice.atEnd) break;
    expect(slice.lines.length, message).toBeGreaterThan(0);
  }
  expect(line - 1, message).toBe(whole.count);
  const end = await open(whole.count + 1);
  expect(end.lines(whole.count + 1, 1, noLimit).lines, message).toEqual([]);
  if (whole.count > 0) expect(countedLines(index), message).toBe(whole.count);
}

function pager(
  file: Buffer,
  encoding: TextEncoding,
  pageBytes: number,
  mask: (text: Buffer) => number = noMask,
) {
  let calls = 0;
  let bytes = 0;
  const index: LineIndex = createLineIndex(file.length, encoding, pageBytes);
  const read: ReadBytes = async (start, end) => {
    calls += 1;
    bytes += Math.min(end, file.length) - start;
    return Buffer.from(file.subarray(start, end));
  };
  return {
    index,
    reads: () => ({ calls, bytes }),
    async open(line: number): Promise<TextDocument> {
      const pageNumber = await pageOfLine(index, line, read);
      if (pageNumber === null) return pagedDocument(named, index, null);
      const page = await loadTextPage(index, pageNumber, read, mask);
      if (page.unfinished?.line === line) {
        page.unfinished.sizeBytes = await sizeOfUnfinished(index, page.unfinished, read);
      }
      return pagedDocument(named, index, page);
    },
  };
}
