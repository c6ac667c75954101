import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { bytesOfPath } from '../../base/byte-path.ts';
import { tooLarge } from '../errors.ts';
import type { ObjectStore, ReadRepository } from '../objects/object-store.ts';
import { childPath } from '../objects/repository-path.ts';
import { createPacer, type Pacer } from '../pacer.ts';
import type { DirectoryView, MaterialisedFile } from '../types.ts';

/**
 * Writes a tree's files out by itself. Git's checkout would run filters, obey attributes and make links; a hostile tree could name
 * `..` or `.git`. Here a link is never made, and a name that no file system should get is listed without a file.
 */
export interface DirectoryWriter {
  /** Writes into `into`; the files are said to be in `as`, where the caller moves it. Fails with too-large before anything is written. */
  write(repository: ReadRepository, tree: WantedTree, signal: AbortSignal): Promise<WrittenTree>;
}

export interface WantedTree {
  oid: string;
  path: string;
  into: string;
  as: string;
  bytesMax: number;
  /** Default: everything as it is. */
  view: DirectoryView | undefined;
}

export interface WrittenTree {
  files: MaterialisedFile[];
  sizeBytes: number;
}

const filesMax = 500_000;
const depthMax = 256;
/** Content on its way to disk at any time. */
const windowBytes = 16 * 1024 * 1024;
const windowFiles = 64;
const sizesAtOnce = 1000;
const wholeBytesMax = 8 * 1024 * 1024;

interface Turn {
  signal: AbortSignal;
  pacer: Pacer;
}

interface FoundFile extends MaterialisedFile {
  /** Below the directory, made safe; null where the name must not reach a file system. */
  relative: string | null;
}

export function createDirectoryWriter(objects: ObjectStore): DirectoryWriter {
  return {
    async write(repository, { oid, path: treePath, into, as, bytesMax, view }, signal) {
      const turn = { signal, pacer: createPacer() };
      const { pacer } = turn;
      const { files, folders } = await collect(repository, { root: oid, rootPath: treePath, view }, turn);
      const sizeBytes = await measure(repository, files, view, turn);
      if (sizeBytes > bytesMax) throw tooLarge(`The directory "${treePath}"`, sizeBytes, bytesMax);

      await mkdir(into, { mode: 0o700 });
      for (const folder of folders) await mkdir(path.join(into, folder), { mode: 0o700 });
      await writeAll(repository, files, { into, view }, turn);
      const listed: MaterialisedFile[] = [];
      for (const { path: shown, kind, oid, sizeBytes: size, relative } of files) {
        if (pacer.isDue()) await pacer.turn();
        listed.push({
          path: shown,
          kind,
          oid,
          sizeBytes: size,
          file: relative === null ? null : `${as}/${relative}`,
        });
      }
      return { files: listed, sizeBytes };
    },
  };

  async function measure(
    repository: ReadRepository,
    files: readonly FoundFile[],
    view: DirectoryView | undefined,
    { signal, pacer }: Turn,
  ): Promise<number> {
    let sizeBytes = 0;
    for (let at = 0; at < files.length; at += sizesAtOnce) {
      signal.throwIfAborted();
      while (pacer.isDue()) await pacer.turn();
      const some = files.slice(at, at + sizesAtOnce);
      const sizes = await objects.sizes(
        repository,
        some.map((file) => file.oid),
      );
      some.forEach((file, index) => {
        file.sizeBytes = sizes[index] ?? 0;
        // A blob that is not there is listed and has no file.
        if (sizes[index] === null) file.relative = null;
        if (view && file.sizeBytes > view.fileBytesMax) file.relative = null;
        if (file.relative !== null) sizeBytes += file.sizeBytes;
      });
    }
    return sizeBytes;
  }

  /** Files and safe folders, parents before children. */
  async function collect(
    repository: ReadRepository,
    { root, rootPath, view }: { root: string; rootPath: string; view: DirectoryView | undefined },
    { signal, pacer }: Turn,
  ) {
    const files: FoundFile[] = [];
    const folders: string[] = [];
    const toVisit: { oid: string; path: string; relative: string | null; depth: number }[] = [
      { oid: root, path: rootPath, relative: '', depth: 0 },
    ];
    for (let folder = toVisit.pop(); folder !== undefined; folder = toVisit.pop()) {
      signal.throwIfAborted();
      while (pacer.isDue()) await pacer.turn();
      if (folder.depth > depthMax) throw tooLarge('The depth of the directory', folder.depth, depthMax);
      const tree = objects.cachedTree(repository, folder.oid) ?? (await objects.tree(repository, folder.oid));
      const taken = new Set<string>();
      for (const { name, kind, oid } of tree.items) {
        // Of two entries with one name the first is written, as everywhere else.
        const safe = folder.relative !== null && isSafeName(name) && !taken.has(name);
        taken.add(name);
        const relative = safe && folder.relative !== null ? childPath(folder.relative, name) : null;
        const at = childPath(folder.path, name);
        if (view?.wants(at, kind) === false) continue;
        if (kind === 'directory') {
          toVisit.push({ oid, path: at, relative, depth: folder.depth + 1 });
          if (relative !== null) folders.push(relative);
          continue;
        }
        if (files.length >= filesMax) throw tooLarge('The number of files', files.length + 1, filesMax);
        const isContent = kind === 'file' || kind === 'executable';
        files.push({ path: at, kind, oid, file: null, sizeBytes: 0, relative: isContent ? relative : null });
      }
    }
    return { files, folders };
  }

  async function writeAll(
    repository: ReadRepository,
    files: readonly FoundFile[],
    { into, view }: { into: string; view: DirectoryView | undefined },
    turn: Turn,
  ) {
    let window: Promise<void>[] = [];
    let bytes = 0;
    for (const file of files) {
      if (file.relative === null) continue;
      if (window.length >= windowFiles || bytes + file.sizeBytes > windowBytes) {
        await allWritten(window);
        window = [];
        bytes = 0;
      }
      bytes += file.sizeBytes;
      window.push(writeOne(repository, file, { target: path.join(into, file.relative), view }, turn));
    }
    await allWritten(window);
  }

  async function writeOne(
    repository: ReadRepository,
    file: FoundFile,
    { target, view }: { target: string; view: DirectoryView | undefined },
    { signal, pacer }: Turn,
  ) {
    try {
      if (view || file.sizeBytes <= wholeBytesMax) {
        const content = await objects.blob(repository, file.oid, file.sizeBytes, signal);
        while (pacer.isDue()) await pacer.turn();
        signal.throwIfAborted();
        // At once: through the thread pool a small file takes several times as long.
        writeFileSync(target, view ? view.transform(content) : content, { mode: 0o600, flag: 'wx' });
        return;
      }
      const out = openSync(target, 'wx', 0o600);
      try {
        // Written at once, so that a large file never gathers in memory in front of a slow disk.
        const take = (chunk: Buffer) => {
          writeSync(out, chunk);
          return 'more' as const;
        };
        await objects.streamBlob(repository, file.oid, take, signal);
      } finally {
        closeSync(out);
      }
    } catch (error) {
      if (!isNameFault(error)) throw error;
      file.relative = null;
    }
  }
}

/** Fails only when nothing is being written any more: the folder is removed then. */
async function allWritten(window: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(window)).find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Shown names are plain text, one for one with the bytes: two names never become one file. */
function isSafeName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || name.toLowerCase() === '.git') return false;
  if (name.includes('/') || Buffer.byteLength(name) > 255) return false;
  return !bytesOfPath(name).includes(0);
}

function isNameFault(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENAMETOOLONG' || code === 'EINVAL' || code === 'EILSEQ' || code === 'EEXIST';
}
