import { isUtf8 } from 'node:buffer';
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { shownPath } from '../../base/byte-path.ts';
import type { HostProblem } from '../types.ts';

/** A directory that claims to be a repository. */
export interface Candidate {
  directory: string;
  /** Shown form of the path below the configured folder; '' is the folder itself. */
  below: string;
  /** What its `.git` is; null for a bare repository. */
  dotGit: 'directory' | 'file' | 'symlink' | null;
}

export interface FolderWalk {
  /** In the order of their paths. */
  candidates: Candidate[];
  problems: HostProblem[];
  /** Prefixes, in shown form, of what was not looked at. */
  unseen: string[];
  directoriesRead: number;
}

interface WalkOptions {
  /** 0 looks at the folder alone. */
  depthMax: number;
  directoriesMax: number;
  /** Real paths that are not looked into. */
  excluded: readonly string[];
  signal: AbortSignal;
}

interface Place {
  path: Buffer;
  below: Buffer;
  depth: number;
}

/**
 * Looks for repositories in and below a folder. Symlinks are never followed, so loops do not exist; `node_modules` and
 * directories with a leading dot are skipped. Places outside of any work tree come first: a bound that is hit costs only
 * repositories nested in others.
 */
export async function walkFolder(root: string, options: WalkOptions): Promise<FolderWalk> {
  const walk: FolderWalk = { candidates: [], problems: [], unseen: [], directoriesRead: 0 };
  const outside = new Queue<Place>();
  const inWorkTrees = new Queue<Place>();
  const excluded = new Set(options.excluded.map((folder) => Buffer.from(folder).toString('latin1')));
  outside.add({ path: Buffer.from(root), below: Buffer.alloc(0), depth: 0 });

  while (outside.size + inWorkTrees.size > 0) {
    options.signal.throwIfAborted();
    const queue = outside.size > 0 ? outside : inWorkTrees;
    const room = options.directoriesMax - walk.directoriesRead;
    if (room <= 0) {
      walk.problems.push(tooManyDirectories(root, options.directoriesMax));
      walk.unseen.push(prefixOf(Buffer.from(root)));
      break;
    }
    const places = queue.take(Math.min(readsAtOnce, room));
    walk.directoriesRead += places.length;
    const read = await Promise.all(places.map((place) => entriesOf(place.path)));
    for (const [index, place] of places.entries()) {
      const entries = read[index]!;
      if (!Array.isArray(entries)) {
        if (entries.code === 'ENOENT') continue;
        walk.problems.push(unreadableDirectory(place.path));
        walk.unseen.push(prefixOf(place.path));
        continue;
      }
      const dotGit = dotGitIn(entries);
      const bare = dotGit === null && looksLikeGitDirectory(entries);
      if (dotGit !== null || bare) addCandidate(walk, place, dotGit);
      if (bare || place.depth >= options.depthMax) continue;
      const below = dotGit !== null || queue === inWorkTrees ? inWorkTrees : outside;
      for (const name of directoriesIn(entries)) {
        const path = joined(place.path, name);
        if (excluded.has(path.toString('latin1'))) continue;
        below.add({
          path,
          below: place.below.length === 0 ? name : joined(place.below, name),
          depth: place.depth + 1,
        });
      }
    }
  }
  walk.candidates.sort((one, other) => (one.directory < other.directory ? -1 : 1));
  return walk;
}

/** Each may hang on a dead mount, and holds one of the four threads that all of the process reads files with. */
const readsAtOnce = 2;

function addCandidate(walk: FolderWalk, place: Place, dotGit: Candidate['dotGit']): void {
  // Git takes its paths as process arguments, which Node passes as UTF-8 only.
  if (!isUtf8(place.path)) {
    walk.problems.push({
      what: shownPath(place.path),
      why: 'The path of this repository is not valid UTF-8.',
      next: 'Rename the directory.',
    });
    return;
  }
  walk.candidates.push({
    directory: place.path.toString('utf8'),
    below: shownPath(place.below),
    dotGit,
  });
}

async function entriesOf(path: Buffer): Promise<Dirent<Buffer>[] | NodeJS.ErrnoException> {
  try {
    return await readdir(path, { withFileTypes: true, encoding: 'buffer' });
  } catch (fault) {
    return fault as NodeJS.ErrnoException;
  }
}

function dotGitIn(entries: readonly Dirent<Buffer>[]): Candidate['dotGit'] {
  const entry = entries.find((one) => isNamed(one, '.git'));
  if (entry?.isDirectory()) return 'directory';
  if (entry?.isFile()) return 'file';
  return entry?.isSymbolicLink() ? 'symlink' : null;
}

/** As git itself decides: HEAD, objects/ and refs/. A symlink in their place is judged when the repository is inspected. */
function looksLikeGitDirectory(entries: readonly Dirent<Buffer>[]): boolean {
  const has = (name: string, isRight: (entry: Dirent<Buffer>) => boolean) =>
    entries.some((entry) => isNamed(entry, name) && (isRight(entry) || entry.isSymbolicLink()));
  return (
    has('HEAD', (entry) => entry.isFile()) &&
    has('objects', (entry) => entry.isDirectory()) &&
    has('refs', (entry) => entry.isDirectory())
  );
}

function directoriesIn(entries: readonly Dirent<Buffer>[]): Buffer[] {
  return entries
    .filter((entry) => entry.isDirectory() && entry.name[0] !== dot && !isNamed(entry, 'node_modules'))
    .map((entry) => entry.name)
    .sort(Buffer.compare);
}

const dot = 0x2e;
const slash = Buffer.from('/');

const isNamed = (entry: Dirent<Buffer>, name: string): boolean =>
  entry.name.length === name.length && entry.name.toString('latin1') === name;

function joined(directory: Buffer, name: Buffer): Buffer {
  return directory.at(-1) === slash[0]
    ? Buffer.concat([directory, name])
    : Buffer.concat([directory, slash, name]);
}

const prefixOf = (directory: Buffer): string => shownPath(joined(directory, Buffer.alloc(0)));

function unreadableDirectory(path: Buffer): HostProblem {
  return {
    what: shownPath(path),
    why: 'This directory cannot be read, so repositories in it are not seen.',
    next: 'Let the user that runs the server read it, or configure the folders beside it.',
  };
}

function tooManyDirectories(root: string, directoriesMax: number): HostProblem {
  return {
    what: shownPath(Buffer.from(root)),
    why: `Looking for repositories stopped after ${directoriesMax} directories.`,
    next: 'Configure the folders that hold the repositories, or a smaller depthMax.',
  };
}

/** First in, first out, without moving what remains. */
class Queue<T> {
  #items: T[] = [];
  #from = 0;

  get size(): number {
    return this.#items.length - this.#from;
  }

  add(item: T): void {
    this.#items.push(item);
  }

  take(count: number): T[] {
    const taken = this.#items.slice(this.#from, this.#from + count);
    this.#from += taken.length;
    if (this.#from > 4096 && this.#from * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#from);
      this.#from = 0;
    }
    return taken;
  }
}
