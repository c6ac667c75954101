import { isUtf8 } from 'node:buffer';
import { damaged } from '../errors.ts';
import { isObjectId } from '../git/object-id.ts';
import type { Commit } from '../types.ts';

/** A commit object as git stores it. */
export interface CommitObject extends Commit {
  tree: string;
}

/** What is kept of a message: far more than anybody is shown. */
const messageBytesMax = 256 * 1024;
const nameCharsMax = 1024;
/** What a Date can show, on both sides of the epoch. */
const shownMsMax = 8.64e15;

/**
 * Reads the headers as git does (parse_commit_buffer in commit.c): one tree, parents, author, committer, in this order; what comes
 * after is somebody's text. Anything but an id for a tree or a parent makes the commit damaged; faulty signatures of old tools give
 * empty names and time 0.
 */
export function parseCommit(commit: string, raw: Buffer): CommitObject {
  const idOf = (line: Buffer): string => {
    const id = line.toString('latin1', line.indexOf(0x20) + 1, line.length).toLowerCase();
    if (id.length !== commit.length || !isObjectId(id))
      throw damaged(`commit ${commit}: a header that is no object id`);
    return id;
  };
  const lines = headerLines(raw);
  const treeLine = lines.take('tree ');
  if (treeLine === null) throw damaged(`commit ${commit}: no tree`);
  const tree = idOf(treeLine);
  const parents: string[] = [];
  for (let line = lines.take('parent '); line !== null; line = lines.take('parent '))
    parents.push(idOf(line));
  const author = signatureOf(lines.take('author '));
  // Old tools wrote several authors; the first one counts.
  while (lines.take('author ') !== null);
  const committer = signatureOf(lines.take('committer '));
  const headerEnd = raw.indexOf('\n\n');
  return {
    commit,
    tree,
    parents,
    authorName: author.name,
    authorEmail: author.email,
    authoredMs: author.atMs,
    committedMs: committer.atMs,
    message: headerEnd < 0 ? Buffer.alloc(0) : boundedMessage(raw.subarray(headerEnd + 2)),
  };
}

function headerLines(raw: Buffer) {
  let at = 0;
  return {
    /** The next line when it is of this key; otherwise it stays. */
    take(key: string): Buffer | null {
      if (raw.toString('latin1', at, at + key.length) !== key) return null;
      const lineEnd = raw.indexOf(10, at);
      const line = raw.subarray(at, lineEnd < 0 ? raw.length : lineEnd);
      at += line.length + 1;
      return line;
    },
  };
}

/** Cut after a whole line where there is one: half a line may be half a credential, which no rule would know. */
function boundedMessage(message: Buffer): Buffer {
  if (message.length <= messageBytesMax) return Buffer.from(message);
  const lineEnd = message.lastIndexOf(10, messageBytesMax - 1);
  return Buffer.from(message.subarray(0, lineEnd < 0 ? messageBytesMax : lineEnd + 1));
}

const nobody = { name: '', email: '', atMs: 0 };

/** `name <email> seconds zone`, each part looked for once. */
function signatureOf(line: Buffer | null): { name: string; email: string; atMs: number } {
  if (line === null) return nobody;
  const value = line.subarray(line.indexOf(0x20) + 1);
  const open = value.indexOf('<');
  const close = open < 0 ? -1 : value.indexOf('>', open);
  if (close < 0) return { ...nobody, name: decodeName(value) };
  const last = value.lastIndexOf('>');
  const after = value.toString('latin1', last + 1, last + 64);
  const seconds = /^[^0-9-]*(-?\d+)/.exec(after)?.[1];
  return {
    name: decodeName(value.subarray(0, open)),
    email: decodeName(value.subarray(open + 1, close)),
    atMs: shownTime(Number(seconds ?? 0)),
  };
}

/** Milliseconds of a commit's seconds, kept to what a Date can show. */
export function shownTime(seconds: number): number {
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds * 1000, -shownMsMax), shownMsMax);
}

/** Names before UTF-8 was common are Latin-1 nearly always. Longer ones than anybody has are cut. */
export function decodeName(bytes: Buffer): string {
  const name = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1').trim();
  // Not half of a surrogate pair at the end.
  return name.length <= nameCharsMax ? name : name.slice(0, nameCharsMax).replace(/[\ud800-\udbff]$/, '');
}
