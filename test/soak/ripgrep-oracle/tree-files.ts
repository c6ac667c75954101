import { isUtf8 } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { shownPath } from '../../../src/base/byte-path.ts';
import { createSecretScanner } from '../../../src/secrets/index.ts';

/** How the text is written on the disk, found out without the code that is tested. */
export type Writing = 'plain' | 'latin1' | 'utf-16le' | 'utf-16be';

/** One file of a commit, as it is searched: credentials in it are masked. */
export interface TreeFile {
  repository: string;
  /** Shown form. */
  path: string;
  pathBytes: Buffer;
  oid: string;
  bytes: Buffer;
  writing: Writing;
  maskedSpans: number;
}

const scanner = createSecretScanner();

/** Every regular file of a repository's HEAD. */
export function filesOfHead(gitDir: string, repository: string): TreeFile[] {
  const git = (args: string[], input?: string) =>
    execFileSync('git', [`--git-dir=${gitDir}`, ...args], {
      maxBuffer: 1 << 30,
      ...(input === undefined ? {} : { input }),
    });
  const entries = git(['ls-tree', '-r', '-z', '--full-tree', 'HEAD'])
    .toString('latin1')
    .split('\0')
    .filter((line) => line.startsWith('100'))
    .map((line) => {
      const tab = line.indexOf('\t');
      return {
        oid: line.slice(0, tab).split(' ')[2]!,
        pathBytes: Buffer.from(line.slice(tab + 1), 'latin1'),
      };
    });
  const read = git(['cat-file', '--batch'], entries.map(({ oid }) => `${oid}\n`).join(''));
  let at = 0;
  return entries.map(({ oid, pathBytes }) => {
    const headEnd = read.indexOf(10, at);
    const size = Number(read.toString('latin1', at, headEnd).split(' ')[2]);
    at = headEnd + 1 + size + 1;
    return {
      repository,
      path: shownPath(pathBytes),
      pathBytes,
      oid,
      ...masked(read.subarray(headEnd + 1, at - 1)),
    };
  });
}

/** A credential is no text that anybody finds: what is looked through elsewhere must not have it either. */
function masked(bytes: Buffer): Pick<TreeFile, 'bytes' | 'writing' | 'maskedSpans'> {
  const writing = writingOf(bytes);
  const text = writing === 'plain' ? bytes : decoded(bytes, writing);
  if (scanner.find(text).length === 0) return { bytes, writing, maskedSpans: 0 };
  const copy = Buffer.from(text);
  return { maskedSpans: scanner.mask(copy), bytes: copy, writing: 'plain' };
}

/** What has a mark for its bytes' order is understood by everybody. */
function writingOf(bytes: Buffer): Writing {
  const mark = bytes.subarray(0, 2).toString('hex');
  if (mark === 'fffe' || mark === 'feff' || isUtf8(bytes)) {
    if (!bytes.includes(0) || mark === 'fffe' || mark === 'feff') return 'plain';
  }
  if (!bytes.includes(0)) return 'latin1';
  const half = bytes.length / 2;
  const zeros = (odd: number) =>
    bytes.reduce((sum, byte, at) => sum + (byte === 0 && at % 2 === odd ? 1 : 0), 0);
  if (bytes.length % 2 === 0 && zeros(1) > half / 2 && zeros(0) === 0) return 'utf-16le';
  if (bytes.length % 2 === 0 && zeros(0) > half / 2 && zeros(1) === 0) return 'utf-16be';
  return 'plain';
}

/** The text of a file, the mark at its beginning left out. */
export function textOf({ bytes, writing }: Pick<TreeFile, 'bytes' | 'writing'>): string {
  const mark = bytes.subarray(0, 2).toString('hex');
  const as = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : writing;
  return decoded(bytes, as)
    .toString('utf8')
    .replace(/^\ufeff/, '');
}

function decoded(bytes: Buffer, writing: Writing): Buffer {
  if (writing === 'plain') return bytes;
  return Buffer.from(new TextDecoder(writing === 'latin1' ? 'windows-1252' : writing).decode(bytes));
}
