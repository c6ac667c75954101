import { isUtf8 } from 'node:buffer';
import type { Commit } from '../types.ts';

/** A commit object as git stores it. */
export interface CommitObject extends Commit {
  tree: string;
}

/** Header lines up to an empty one, then the message. Faulty headers of old tools give empty names and time 0, never a failure. */
export function parseCommit(commit: string, raw: Buffer): CommitObject {
  const headerEnd = raw.indexOf('\n\n');
  const header = headerEnd < 0 ? raw : raw.subarray(0, headerEnd);
  const parsed: CommitObject = {
    commit,
    tree: '',
    parents: [],
    authorName: '',
    authorEmail: '',
    authoredMs: 0,
    committedMs: 0,
    message: headerEnd < 0 ? Buffer.alloc(0) : Buffer.from(raw.subarray(headerEnd + 2)),
  };
  for (let at = 0; at < header.length; ) {
    const lineEnd = header.indexOf(10, at);
    const line = header.subarray(at, lineEnd < 0 ? header.length : lineEnd);
    at += line.length + 1;
    const space = line.indexOf(0x20);
    // A line that starts with a space goes on with the one before: a signature.
    if (space <= 0) continue;
    const value = line.subarray(space + 1);
    switch (line.toString('latin1', 0, space)) {
      case 'tree':
        parsed.tree = value.toString('latin1');
        break;
      case 'parent':
        parsed.parents.push(value.toString('latin1'));
        break;
      case 'author': {
        const author = parseSignature(value);
        parsed.authorName = author.name;
        parsed.authorEmail = author.email;
        parsed.authoredMs = author.atMs;
        break;
      }
      case 'committer':
        parsed.committedMs = parseSignature(value).atMs;
        break;
    }
  }
  return parsed;
}

function parseSignature(value: Buffer): { name: string; email: string; atMs: number } {
  const text = decodeName(value);
  const found = /^(.*?)\s*<([^>]*)>[^0-9-]*(-?\d+)?/s.exec(text);
  if (!found) return { name: text.trim(), email: '', atMs: 0 };
  const atMs = Number(found[3] ?? 0) * 1000;
  return { name: found[1]!.trim(), email: found[2]!.trim(), atMs: Number.isSafeInteger(atMs) ? atMs : 0 };
}

/** Names before UTF-8 was common are Latin-1 nearly always. */
export function decodeName(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}
