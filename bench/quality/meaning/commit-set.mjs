/**
 * Subjects of commits and the files that they changed, over the tree that stood before the oldest of them: nothing of what they did is
 * in it. Left out: merges, bots, bulk changes, those that change blanks alone, and those whose subject names a file that they change.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { textBlobs } from '../../support/corpus-repositories.mjs';
import { drawn } from './drawn.mjs';
import { writeRepository } from './write-repository.mjs';

/** Of each repository. */
const QUESTIONS = 40;
const COMMITS_LOOKED_AT = 800;
const CHANGED_MAX = 8;
/** Every changed file, and others by chance: what an encoder sees within a quarter of an hour. */
const FILES = 160;
const FILE_BYTES_MAX = 100_000;

/** Writes the trees below `folder` and gives the questions as labelled pairs, `repositories` naming the one. */
export async function makeCommitSet(repositories, folder) {
  rmSync(folder, { recursive: true, force: true });
  const pairs = [];
  for (const { name, gitDir } of repositories) {
    const commits = chosenCommits(gitDir);
    const base = `${commits.at(-1).id}^`;
    const tree = filesAt(gitDir, base);
    const asked = commits
      .map(({ subject, modified }) => ({ subject, modified: modified.filter((file) => tree.has(file)) }))
      .filter(({ modified }) => modified.length > 0);
    const changed = new Set(asked.flatMap(({ modified }) => modified));
    const others = drawn([...tree.keys()].filter((file) => !changed.has(file)).sort(), 'commits');
    const wanted = [...changed, ...others].slice(0, Math.max(changed.size, FILES));
    const contents = new Map();
    for await (const { objectId, content } of textBlobs(
      gitDir,
      wanted.map((file) => tree.get(file)),
    ))
      if (content.length <= FILE_BYTES_MAX) contents.set(objectId, Buffer.from(content));
    const files = wanted.flatMap((file) => {
      const content = contents.get(tree.get(file));
      return content === undefined ? [] : [{ path: file, content }];
    });
    writeRepository(path.join(folder, `${name}.git`), files);
    const there = new Set(files.map((file) => file.path));
    let count = 0;
    for (const { subject, modified } of asked) {
      const places = modified.filter((file) => there.has(file));
      if (places.length === 0) continue;
      count++;
      pairs.push({
        question: subject,
        repositories: [name],
        parameters: {},
        wanted: places.map((file) => ({ repository: name, path: file, lines: null })),
      });
    }
    console.error(`${name}: ${files.length} files, ${count} questions`);
  }
  return pairs;
}

function git(gitDir, ...args) {
  return execFileSync('git', [`--git-dir=${gitDir}`, ...args], { maxBuffer: 1 << 30 }).toString();
}

/** The newest that say something, the newest first. */
function chosenCommits(gitDir) {
  const format = '--format=%x01%H%x02%an%x02%ae%x02%s';
  const log = (...more) =>
    git(
      gitDir,
      'log',
      '--no-merges',
      '-n',
      String(COMMITS_LOOKED_AT),
      format,
      '--numstat',
      '--no-renames',
      ...more,
      'HEAD',
    );
  const changedBesideBlanks = new Map(
    entries(log('-w', '--ignore-blank-lines')).map((one) => [one.id, one.lines]),
  );
  const found = [];
  for (const { id, author, subject, files } of entries(log())) {
    if (found.length === QUESTIONS) break;
    if (/\[bot\]|\bbot\b|renovate|dependabot/i.test(author)) continue;
    if (changedBesideBlanks.get(id) === 0 || files.length > CHANGED_MAX) continue;
    const question = questionOf(subject);
    if (question === null) continue;
    const modified = files.filter((file) => !isLog(file));
    if (!modified.some(isCode) || modified.some((file) => names(question, file))) continue;
    found.push({ id, subject: question, modified });
  }
  return found;
}

function entries(log) {
  return log
    .split('\x01')
    .slice(1)
    .map((entry) => {
      const [head, ...rows] = entry.split('\n');
      const [id, name, mail, subject] = head.split('\x02');
      const changes = rows.filter((row) => /^\d+\t\d+\t/.test(row)).map((row) => row.split('\t'));
      const lines = changes.reduce((sum, [added, removed]) => sum + Number(added) + Number(removed), 0);
      return { id, author: `${name} ${mail}`, subject, lines, files: changes.map(([, , file]) => file) };
    });
}

/** Without numbers of pull requests and the marks of conventions; null for what says too little. */
function questionOf(subject) {
  const question = subject
    .replace(/\s*\(?#\d+\)?/g, '')
    .replace(/^(?:\[[^\]]*\]\s*)+/, '')
    .replace(
      /^(?:fix|feat|feature|refactor|perf|types|chore|docs?|test|ci|build|style|dx|bugfix)(?:\([^)]*\))?!?:\s*/i,
      '',
    )
    .trim();
  if (
    /\b(?:bump|release|merge|revert|version|changelog|typos?|fmt|gofmt|rustfmt|format(?:ting)?|lint(?:er|s)?|clippy|whitespace|prettier|upgrade dep\w*|update dep\w*|cherry.pick|backport)\b|https?:/i.test(
      question,
    )
  )
    return null;
  return (question.match(/[A-Za-z]{2,}/g)?.length ?? 0) < 4 ? null : question;
}

function isCode(file) {
  return /\.(?:c|h|cc|cpp|hpp|go|java|jsx?|mjs|tsx?|py|rs|swift|rb|php|vue|kt|scala|cs|exs?|tcl|sh)$/.test(
    file,
  );
}

function isLog(file) {
  return /(^|\/)(change(s|log)|news|history|release.?notes|authors|contributors)\b|\.lock$|-lock\.\w+$|go\.(sum|mod)$/i.test(
    file,
  );
}

/** Whether a question has the name of a file, however its words are joined. */
function names(question, file) {
  const joined = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const name = joined(path.posix.basename(file).replace(/\.\w+$/, ''));
  return name.length > 2 && joined(question).includes(name);
}

/** path -> object id. */
function filesAt(gitDir, commit) {
  const rows = git(gitDir, 'ls-tree', '-r', '-z', commit).split('\0');
  return new Map(
    rows
      .filter((row) => row.startsWith('100'))
      .map((row) => [row.slice(row.indexOf('\t') + 1), row.split(/[ \t]/, 3)[2]]),
  );
}
