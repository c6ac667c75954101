/**
 * How fast the regex matcher reads source code, next to V8's RegExp over the same bytes and, where installed, ripgrep. Arguments: folders
 * of repositories, bare or checked out. BENCH_MEGABYTES: how much of them is read (default 64).
 *
 * Every engine finds the matching lines of every text file in one pass. CPU time is compared, in MB a second, since other work on the
 * machine disturbs it least. V8's part includes making a string of the bytes, which it cannot do without.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { built } from '../support/built.mjs';

const { compileRegex, warmRegexTables } = await built('search');

const FILE_SIZE_MAX = 1_000_000;
/** V8 gets so long for a pattern; what it has read by then is counted. */
const V8_LIMIT_MS = 4000;

/** `v8`: the same pattern for V8, null where it would run for hours. */
const patterns = [
  { re2: '[a-z]{40,}' },
  { re2: 'foo.*bar' },
  { re2: '(a{1,20}){1,20}$', v8: null },
  { re2: 'x*x*y' },
  { re2: '\\b[A-Z]\\w+Exception\\b' },
  { re2: '(?i)content-type', v8: 'content-type', flags: 'i' },
  { re2: 'func \\w+\\(ctx' },
  { re2: '[^\\x00-\\x7F]' },
  { re2: '\\d{1,3}(\\.\\d{1,3}){3}' },
  { re2: '(?i)straße', v8: 'straße', flags: 'iu' },
  { re2: '\\p{Lu}\\w+', flags: 'u' },
  { re2: '^import' },
  { re2: 'return \\w+' },
  { re2: 'TODO|FIXME|XXX' },
  { re2: '\\s+$' },
];

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error('Usage: node bench/speed/regex.mjs FOLDER...');
  process.exit(2);
}
warmRegexTables();
const files = someOf(
  folders.flatMap((folder) => [...textFiles(folder)]),
  Number(process.env['BENCH_MEGABYTES'] ?? 64) * 1e6,
);
const totalBytes = files.reduce((sum, file) => sum + file.length, 0);
console.log(`${files.length} files, ${(totalBytes / 1e6).toFixed(1)} MB, node ${process.version}`);
const hasRipgrep = spawnSync('rg', ['--version']).status === 0;
// The same files for ripgrep, which reads from disk: that is in its figures.
const onDisk = hasRipgrep ? writeAll(files) : undefined;
if (!hasRipgrep) console.log('rg is not on the PATH: skipped');

for (const words of [100, 1000]) patterns.push({ re2: rareWords(words).join('|'), name: `${words} words` });
for (const { re2, v8 = re2, flags = '', name = re2 } of patterns) {
  const columns = [name.padEnd(28)];
  const compiling = cpuMs();
  const regex = compileRegex(re2);
  columns.push(`compile ${(cpuMs() - compiling).toFixed(1).padStart(5)} ms`);
  const ours = measured(scanWith(regex), Number.POSITIVE_INFINITY);
  columns.push(`ours ${ours.speed.toFixed(0).padStart(5)} MB/s`);
  if (v8 === null) columns.push('V8 would hang');
  else {
    const theirs = measured(execWith(new RegExp(v8, `gm${flags}`), flags.includes('u')), V8_LIMIT_MS);
    columns.push(
      `V8 ${theirs.speed.toFixed(0).padStart(5)} MB/s, ours/V8 ${(ours.speed / theirs.speed).toFixed(2)}`,
    );
    if (theirs.complete && theirs.lines !== ours.lines) columns.push(`V8 finds ${theirs.lines} lines`);
  }
  if (hasRipgrep) columns.push(`rg, reading files ${ripgrepSpeed(re2).toFixed(0)} MB/s`);
  columns.push(`${ours.lines} lines`);
  console.log(columns.join(' | '));
}
if (onDisk) rmSync(onDisk, { recursive: true });

function* textFiles(folder) {
  if (existsSync(path.join(folder, 'HEAD')) && existsSync(path.join(folder, 'objects'))) {
    yield* blobs(folder);
    return;
  }
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== '.git') yield* textFiles(name);
    if (entry.isFile()) yield* onlyText(readFileSync(name));
  }
}

/** The files of a bare repository's default branch. */
function* blobs(gitDir) {
  const git = (args, input = '') =>
    execFileSync('git', [`--git-dir=${gitDir}`, ...args], { input, maxBuffer: 1 << 30 });
  const ids = git(['ls-tree', '-r', '--format=%(objecttype) %(objectname)', 'HEAD'])
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('blob '))
    .map((line) => line.slice(5));
  const answer = git(['cat-file', '--batch=%(objectsize)', '--buffer'], ids.join('\n'));
  for (let at = 0; at < answer.length; ) {
    const head = answer.indexOf(10, at);
    const size = Number(answer.toString('latin1', at, head));
    yield* onlyText(answer.subarray(head + 1, head + 1 + size));
    at = head + 2 + size;
  }
}

function* onlyText(content) {
  if (content.length <= FILE_SIZE_MAX && !content.subarray(0, 8000).includes(0)) yield content;
}

/** Files spread evenly over all, up to a size. */
function someOf(all, bytesMax) {
  const bytes = all.reduce((sum, file) => sum + file.length, 0);
  const share = Math.min(1, bytesMax / bytes);
  return all.filter((_, index) => Math.floor(index * share) !== Math.floor((index + 1) * share));
}

function writeAll(contents) {
  const folder = mkdtempSync(path.join(tmpdir(), 'periscope-bench-'));
  for (const [index, content] of contents.entries())
    writeFileSync(path.join(folder, `${index}.txt`), content);
  return folder;
}

/** Words of the corpus itself that occur once or twice. */
function rareWords(count) {
  const seen = new Map();
  for (const file of files.slice(0, 4000)) {
    for (const [word] of file.toString('latin1').matchAll(/\b[a-z]{6,14}\b/g))
      seen.set(word, (seen.get(word) ?? 0) + 1);
  }
  const rare = [...seen]
    .filter(([, times]) => times <= 2)
    .map(([word]) => word)
    .sort();
  return Array.from({ length: count }, (_, index) => rare[Math.floor((index * rare.length) / count)]);
}

/** One cold pass over all files, or those for which there is time. */
function measured(countLines, limitMs) {
  const start = cpuMs();
  let lines = 0;
  let bytes = 0;
  for (const file of files) {
    lines += countLines(file);
    bytes += file.length;
    if (cpuMs() - start > limitMs) break;
  }
  return { lines, speed: bytes / 1000 / (cpuMs() - start), complete: bytes === totalBytes };
}

function scanWith(regex) {
  return (file) => regex.scan(file, { rangesPerLine: 0 }).lines.length;
}

/** All of a file at once, jumping to the next line after a match: V8's fastest way to the same answer. */
function execWith(regex, isUnicode) {
  return (file) => {
    const text = file.toString(isUnicode ? 'utf8' : 'latin1');
    let lines = 0;
    regex.lastIndex = 0;
    while (regex.exec(text)) {
      lines++;
      const lineFeed = text.indexOf('\n', regex.lastIndex);
      if (lineFeed < 0) break;
      regex.lastIndex = lineFeed + 1;
    }
    return lines;
  };
}

function ripgrepSpeed(pattern) {
  const start = process.hrtime.bigint();
  spawnSync('rg', ['--threads', '1', '--no-ignore', '--hidden', '--count', '--regexp', pattern, onDisk], {
    maxBuffer: 1 << 30,
  });
  return totalBytes / 1000 / (Number(process.hrtime.bigint() - start) / 1e6);
}

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
