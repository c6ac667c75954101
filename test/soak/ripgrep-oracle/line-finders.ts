import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spansLines, type Term } from './asked-queries.ts';
import { type TreeFile, textOf, type Writing } from './tree-files.ts';

/** Finds lines without an index: what an answer of the index is compared with. */
export interface LineFinder {
  /** Numbers of the lines in which a match begins, by file. */
  lines(term: Term): ReadonlyMap<TreeFile, ReadonlySet<number>>;
  inPath(term: Term): ReadonlySet<TreeFile>;
  /** Whether it means the same by a line of this file as we do. */
  understands(file: TreeFile): boolean;
  close(): void;
}

export function isRipgrepInstalled(): boolean {
  return spawnSync('rg', ['--version']).status === 0;
}

/** ripgrep over the files, written to a temporary folder. */
export function createRipgrep(files: readonly TreeFile[]): LineFinder {
  const root = mkdtempSync(path.join(tmpdir(), 'periscope-ripgrep-'));
  const writings = [...new Set(files.map(({ writing }) => writing))];
  const numbers = new Map(files.map((file, number) => [file, number]));
  const byName = new Map<string, TreeFile>();
  for (const writing of writings) mkdirSync(path.join(root, writing));
  for (const [file, number] of numbers) {
    // Its own path would need a file system that takes any bytes; filters by path are not ripgrep's to answer here.
    const name = `${number}`;
    writeFileSync(path.join(root, file.writing, name), file.bytes);
    byName.set(name, file);
  }
  let isJoined = false;
  const paths = path.join(root, 'paths');
  writeFileSync(paths, files.map((file) => `${file.path}\n`).join(''));

  return {
    lines(term) {
      if (spansLines(term)) return matchesOf(term);
      return new Map(writings.flatMap((writing) => [...linesIn(writing, term)]));
    },
    inPath(term) {
      const output = ripgrep([
        ...argumentsOf(term),
        '--no-filename',
        '--line-number',
        '--max-columns=1',
        paths,
      ]);
      const lines = output.toString('latin1').split('\n').slice(0, -1);
      return new Set(lines.map((line) => files[Number.parseInt(line, 10) - 1]!));
    },
    // For its --crlf a carriage return by itself ends a line for ^ and $.
    understands: ({ bytes, writing }) => writing !== 'plain' || !hasLoneReturn(bytes),
    close: () => rmSync(root, { recursive: true, force: true }),
  };

  function linesIn(writing: Writing, term: Term): Map<TreeFile, Set<number>> {
    const args = [...argumentsOf(term), ...(writing === 'plain' ? [] : ['-E', writing]), './'];
    return plainLinesOf(args, writing);
  }

  /** `\r\n` is one line break, in a text and in a pattern. */
  function joinedFolder(): string {
    const folder = path.join(root, 'joined');
    if (!isJoined) {
      mkdirSync(folder);
      for (const [file, number] of numbers) writeFileSync(path.join(folder, `${number}`), joinedText(file));
      isJoined = true;
    }
    return folder;
  }

  function plainLinesOf(args: readonly string[], writing: Writing): Map<TreeFile, Set<number>> {
    const output = ripgrep(['--null', '--line-number', '--max-columns=1', ...args], path.join(root, writing));
    const lines = new Map<TreeFile, Set<number>>();
    for (let at = 0; at < output.length; ) {
      const nameEnd = output.indexOf(0, at);
      const lineEnd = output.indexOf(10, nameEnd);
      add(
        lines,
        output.toString('latin1', at, nameEnd),
        Number.parseInt(output.toString('latin1', nameEnd + 1, lineEnd), 10),
      );
      at = lineEnd + 1;
    }
    return lines;
  }

  function matchesOf(term: Term): Map<TreeFile, Set<number>> {
    const args = argumentsOf({ ...term, source: term.source.replaceAll('\\r\\n', '\\n') });
    const output = ripgrep(['--json', '--multiline', ...args, './'], joinedFolder());
    const lines = new Map<TreeFile, Set<number>>();
    for (const line of output.toString('utf8').split('\n')) {
      if (!line.startsWith('{"type":"match"')) continue;
      const { data } = JSON.parse(line) as { data: RipgrepMatch };
      const bytes =
        data.lines.text === undefined
          ? Buffer.from(data.lines.bytes!, 'base64')
          : Buffer.from(data.lines.text);
      for (const { start } of data.submatches) {
        const before = bytes.subarray(0, start).reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0);
        add(lines, data.path.text, data.line_number + before);
      }
    }
    return lines;
  }

  function add(lines: Map<TreeFile, Set<number>>, name: string, number: number): void {
    const file = byName.get(name.slice(2))!;
    const known = lines.get(file);
    if (known) known.add(number);
    else lines.set(file, new Set([number]));
  }
}

interface RipgrepMatch {
  path: { text: string };
  lines: { text?: string; bytes?: string };
  line_number: number;
  submatches: { start: number }[];
}

const always = [
  '--no-config',
  '--no-ignore',
  '--hidden',
  '--no-heading',
  '--color=never',
  '--text',
  '--crlf',
  '--regex-size-limit=1G',
  '--dfa-size-limit=1G',
];

function argumentsOf({ source, literal, ignoreCase }: Term): string[] {
  return [
    ignoreCase ? '--ignore-case' : '--case-sensitive',
    ...(literal ? ['--fixed-strings'] : []),
    `--regexp=${literal ? source : inRust(source)}`,
  ];
}

function ripgrep(args: readonly string[], cwd?: string): Buffer {
  const { status, stdout, stderr } = spawnSync('rg', [...always, ...args], { cwd, maxBuffer: 1 << 30 });
  if (status !== 0 && status !== 1) throw new Error(`rg ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** RE2's classes are of ASCII, Rust's of Unicode. */
function inRust(source: string): string {
  return inOtherWords(source, (piece, inClass) => {
    if (piece === '\\b' || piece === '\\B') return `(?-u:${piece})`;
    return asciiClass(piece, inClass);
  });
}

/** JavaScript's regular expressions over each file: slow, and of quite another making. */
export function createNaiveScan(files: readonly TreeFile[]): LineFinder {
  const texts = new Map(files.map((file) => [file, joinedText(file)]));
  return {
    lines(term) {
      const pattern = inJavaScript(term);
      const lines = new Map<TreeFile, Set<number>>();
      for (const [file, text] of texts) {
        const found = spansLines(term) ? startsIn(text, pattern) : linesIn(text, pattern);
        if (found.size > 0) lines.set(file, found);
      }
      return lines;
    },
    inPath(term) {
      const pattern = inJavaScript(term);
      return new Set(files.filter(({ path: name }) => name.search(pattern) >= 0));
    },
    understands: () => true,
    close() {},
  };
}

function joinedText(file: TreeFile): string {
  return textOf(file).replaceAll('\r\n', '\n');
}

function hasLoneReturn(bytes: Buffer): boolean {
  let at = bytes.indexOf(13);
  while (at >= 0 && bytes[at + 1] === 10) at = bytes.indexOf(13, at + 1);
  return at >= 0;
}

function linesIn(text: string, pattern: RegExp): Set<number> {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const found = new Set<number>();
  for (const [index, line] of lines.entries()) if (line.search(pattern) >= 0) found.add(index + 1);
  return found;
}

function startsIn(text: string, pattern: RegExp): Set<number> {
  const found = new Set<number>();
  for (const { index, 0: match } of text.matchAll(pattern)) {
    if (match === '' && index === text.length && text.endsWith('\n')) continue;
    found.add(text.slice(0, index).split('\n').length);
  }
  return found;
}

function inJavaScript({ source, literal, ignoreCase }: Term): RegExp {
  const flags = `gu${ignoreCase || source.includes('(?i)') ? 'i' : ''}`;
  if (literal) return new RegExp(source.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), flags);
  const dotAll = source.startsWith('(?s)');
  const plain = (dotAll ? source.slice(4) : source).replaceAll('\\r\\n', '\\n');
  const body = inOtherWords(plain, (piece, inClass) => {
    if (piece.startsWith('[:')) return namedClasses[piece]!;
    if (/^\\p\w$/i.test(piece)) return `${piece.slice(0, 2)}{${piece[2]}}`;
    if (/^\\p\{(?:Greek|Han|Cyrillic|Latin|Hangul)/i.test(piece)) return piece.replace('{', '{Script=');
    return asciiClass(piece, inClass);
  });
  return new RegExp(body.replace('(?i)', ''), dotAll ? `${flags}s` : flags);
}

const namedClasses: Readonly<Record<string, string>> = { '[:upper:]': 'A-Z', '[:print:]': ' -~' };

const classes: Readonly<Record<string, string>> = {
  w: '0-9A-Za-z_',
  d: '0-9',
  s: '\\t\\n\\f\\r ',
};

function asciiClass(piece: string, inClass: boolean): string {
  const members = piece.startsWith('\\') ? classes[piece[1]!.toLowerCase()] : undefined;
  if (members === undefined) return piece;
  if (inClass) return members;
  return piece[1] === piece[1]!.toUpperCase() ? `[^${members}]` : `[${members}]`;
}

/** With each escape and each named class put in other words. */
function inOtherWords(source: string, other: (piece: string, inClass: boolean) => string): string {
  let inClass = false;
  return source.replace(/\\[pP](?:\{[^}]*\}|\w)|\\[\s\S]|\[:\w+:\]|\[\^?|\]/g, (piece) => {
    if (piece.startsWith('\\') || piece.startsWith('[:')) return other(piece, inClass);
    inClass = piece !== ']';
    return piece;
  });
}
