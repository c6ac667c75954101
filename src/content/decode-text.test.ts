import { describe, expect, it } from 'vitest';
import { decodeText, sniffEncoding } from './decode-text.ts';
import type { TextEncoding } from './types.ts';

const utf16le = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
const bytes = (...parts: (number[] | string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

describe('text of any encoding comes out as UTF-8 and says what it was', () => {
  check('empty', bytes(), 'utf-8', '');
  check('ASCII', bytes('plain\n'), 'utf-8', 'plain\n');
  check('UTF-8', bytes('süß 日本 🙂\n'), 'utf-8', 'süß 日本 🙂\n');
  check('UTF-8 with BOM', bytes([0xef, 0xbb, 0xbf], 'süß'), 'utf-8-bom', 'süß');
  check('a BOM alone', bytes([0xef, 0xbb, 0xbf]), 'utf-8-bom', '');
  check('a BOM in the middle stays', bytes('a', [0xef, 0xbb, 0xbf]), 'utf-8', 'a\ufeff');
  check('UTF-16 LE with BOM', bytes([0xff, 0xfe], utf16le('süß 🙂\r\n')), 'utf-16le', 'süß 🙂\r\n');
  check('UTF-16 BE with BOM', bytes([0xfe, 0xff], utf16be('süß 🙂\r\n')), 'utf-16be', 'süß 🙂\r\n');
  check('a UTF-16 BOM alone', bytes([0xff, 0xfe]), 'utf-16le', '');
  check('UTF-16 LE without BOM', utf16le('<?xml version="1.0"?>\n'), 'utf-16le', '<?xml version="1.0"?>\n');
  check('UTF-16 BE without BOM', utf16be('<?xml version="1.0"?>\n'), 'utf-16be', '<?xml version="1.0"?>\n');
  check(
    'UTF-16 of CJK with BOM, which has no zero byte',
    bytes([0xff, 0xfe], utf16le('日本語')),
    'utf-16le',
    '日本語',
  );
  check('a half of a UTF-16 pair', bytes([0xff, 0xfe], utf16le('a'), [0x3d, 0xd8], utf16le('b')), null);
  check(
    'an odd byte after UTF-16 with BOM is dropped',
    bytes([0xff, 0xfe], utf16le('ab'), [0x63]),
    'utf-16le',
    'ab',
  );
  check('Latin-1', bytes('caf', [0xe9], '\n'), 'latin-1', 'café\n');
  check('UTF-8 with one stray byte is Latin-1', bytes('ü', [0xff]), 'latin-1', 'Ã¼ÿ');
  check(
    'Latin-1 with terminal colours',
    bytes('\x1b[31mcaf', [0xe9], '\x1b[0m'),
    'latin-1',
    '\x1b[31mcafé\x1b[0m',
  );
  check(
    'a NUL after the first 8000 bytes is text, as for git',
    bytes('a'.repeat(8000), [0]),
    'utf-8',
    `${'a'.repeat(8000)}\0`,
  );
});

describe('what is no text is told as binary', () => {
  check('a NUL', bytes('ab\0cd\n'), null);
  check('a NUL at the end of what git looks at', bytes('a'.repeat(7999), [0]), null);
  check('an ELF header', bytes([0x7f], 'ELF', [2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), null);
  check('UTF-32 LE with BOM', bytes([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), null);
  check('little numbers of 16 bits', bytes([1, 0, 2, 0, 3, 0, 4, 0]), null);
  check('a zero byte every other time and a NUL character', utf16le('ab\0cd'), null);
  check(
    'compressed bytes without a NUL',
    Buffer.from(Array.from({ length: 256 }, (_, at) => ((at * 7) % 255) + 1)),
    null,
  );
  check('Latin-1 with a NUL far behind', bytes('caf', [0xe9], 'a'.repeat(8000), [0]), null);
});

describe('the beginning of a large file tells its encoding', () => {
  checkSniff('a character cut at the end', bytes('aü').subarray(0, 2), 'utf-8');
  checkSniff('a long character cut at the end', bytes('a🙂').subarray(0, 4), 'utf-8');
  checkSniff('with BOM and cut', bytes([0xef, 0xbb, 0xbf], 'aü').subarray(0, 5), 'utf-8-bom');
  checkSniff('Latin-1', bytes('caf', [0xe9], 's'), 'latin-1');
  checkSniff('UTF-16 cut within a pair', bytes([0xff, 0xfe], utf16le('a🙂')).subarray(0, 6), 'utf-16le');
  checkSniff('binary', bytes([0, 1, 2]), null);
});

function check(title: string, input: Buffer, encoding: TextEncoding | null, text?: string) {
  it(title, () => {
    const decoded = decodeText(input);
    expect(decoded?.encoding ?? null).toBe(encoding);
    if (text !== undefined) expect(decoded?.text.toString('utf8')).toBe(text);
  });
}

function checkSniff(title: string, beginning: Buffer, encoding: TextEncoding | null) {
  it(title, () => expect(sniffEncoding(beginning)).toBe(encoding));
}
