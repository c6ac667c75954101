import { LRUCache } from 'lru-cache';
import { ambiguousCommit, damaged, objectMissing, tooLarge } from '../errors.ts';
import type { GitHome } from '../git/git-home.ts';
import type { GitRunner } from '../git/git-process.ts';
import { type ObjectSource, objectCommand } from '../git/object-commands.ts';
import { checkedObjectIds } from '../git/object-id.ts';
import { type CommitObject, parseCommit } from './commit-object.ts';
import type { FoundObject } from './object-reader.ts';
import type { ObjectReaderPool } from './object-reader-pool.ts';
import { parseTree, type TreeObject } from './tree-object.ts';

/** A repository whose objects are read. */
export interface ReadRepository {
  /** As the caller knows it. */
  readonly name: string;
  /** A folder read in place, or our mirror of a remote. */
  readonly place: 'folder' | 'mirror';
  readonly objects: ObjectSource;
}

/**
 * Objects by id, cached. Caches are keyed by repository and id: an id alone would hand one repository's object to a caller of
 * another, and git does not verify that an object is what its id says. Only what may take a process of its own has a signal; the
 * rest is over in a moment, and who no longer wants to wait stops waiting further up.
 */
export interface ObjectStore {
  commit(repository: ReadRepository, commit: string): Promise<CommitObject>;
  tree(repository: ReadRepository, oid: string): Promise<TreeObject>;
  /** Synchronous and free of promises where it is cached: what a warm path is made of. */
  cachedCommit(repository: ReadRepository, commit: string): CommitObject | undefined;
  cachedTree(repository: ReadRepository, oid: string): TreeObject | undefined;
  sizes(repository: ReadRepository, oids: readonly string[]): Promise<(number | null)[]>;
  blob(repository: ReadRepository, oid: string, bytesMax: number, signal: AbortSignal): Promise<Buffer>;
  blobRange(
    repository: ReadRepository,
    oid: string,
    range: { start: number; end: number },
    signal: AbortSignal,
  ): Promise<Buffer>;
  /** Hands every chunk of a blob to `take`, in order; for blobs of any size. */
  streamBlob(
    repository: ReadRepository,
    oid: string,
    take: (chunk: Buffer) => 'more' | 'enough',
    signal: AbortSignal,
  ): Promise<void>;
  /** The commit that a full or shortened hex id leads to, tags peeled; null when there is none. */
  commitOfHex(repository: ReadRepository, hex: string): Promise<string | null>;
  treesRead(): number;
  blobsRead(): number;
}

export interface ObjectStoreOptions {
  readTimeoutMs: number;
  treeCacheBytesMax: number;
  blobCacheBytesMax: number;
}

/** Larger blobs get a process of their own, which can be ended half-way and keeps nobody waiting behind it. */
const sharedReaderBytesMax = 8 * 1024 * 1024;
const cachedBlobBytesMax = 256 * 1024;
const treeBytesMax = 128 * 1024 * 1024;
const commitBytesMax = 16 * 1024 * 1024;
const bytesPerTreeItem = 200;

export function createObjectStore(
  options: ObjectStoreOptions,
  deps: { runner: GitRunner; home: GitHome; readers: ObjectReaderPool },
): ObjectStore {
  const trees = new LRUCache<string, TreeObject>({
    maxSize: options.treeCacheBytesMax,
    sizeCalculation: (tree) => 200 + tree.items.length * bytesPerTreeItem,
  });
  const blobs = new LRUCache<string, Buffer>({
    maxSize: options.blobCacheBytesMax,
    sizeCalculation: (blob) => 200 + blob.length,
  });
  const commits = new LRUCache<string, CommitObject>({
    maxSize: options.blobCacheBytesMax,
    sizeCalculation: (commit) => 600 + commit.message.length,
  });
  const blobSizes = new LRUCache<string, number>({ max: 100_000 });
  let treesRead = 0;
  let blobsRead = 0;

  const ask = ({ objects }: ReadRepository, id: string, contentBytesMax: number | null) =>
    deps.readers.ask(objects, id, contentBytesMax);

  async function contents(
    repository: ReadRepository,
    oid: string,
    wanted: { type: FoundObject['type']; bytesMax: number },
  ): Promise<Buffer> {
    checkObjectId(oid);
    const found = await ask(repository, oid, wanted.bytesMax);
    if (found === 'missing' || found === 'ambiguous' || found.type !== wanted.type) {
      throw objectMissing(repository.name, oid);
    }
    if (found.content === null)
      throw tooLarge(`The ${wanted.type} ${oid.slice(0, 12)}`, found.sizeBytes, wanted.bytesMax);
    return found.content;
  }

  async function sizeOf(repository: ReadRepository, oid: string): Promise<number | null> {
    checkObjectId(oid);
    const key = keyOf(repository, oid);
    const known = blobSizes.get(key) ?? blobs.get(key)?.length;
    if (known !== undefined) return known;
    const found = await ask(repository, oid, null);
    if (found === 'missing' || found === 'ambiguous' || found.type !== 'blob') return null;
    blobSizes.set(key, found.sizeBytes);
    return found.sizeBytes;
  }

  async function streamBlob(
    repository: ReadRepository,
    oid: string,
    take: (chunk: Buffer) => 'more' | 'enough',
    signal: AbortSignal,
  ): Promise<void> {
    checkObjectId(oid);
    const { args, env } = objectCommand(deps.home, repository.objects);
    const output = await deps.runner.run({
      what: `Reading a file of ${repository.name}`,
      args: [...args, 'cat-file', 'blob'],
      objectIds: [oid],
      env,
      lane: 'local',
      timeoutMs: options.readTimeoutMs,
      signal,
      stdoutBytesMax: Number.POSITIVE_INFINITY,
      onStdout: take,
    });
    if (output.code !== 0 && !output.cut) throw damaged(output.stderr);
  }

  async function largeRange(
    repository: ReadRepository,
    oid: string,
    { start, end }: { start: number; end: number },
    signal: AbortSignal,
  ): Promise<Buffer> {
    const kept = Buffer.allocUnsafe(end - start);
    let at = 0;
    await streamBlob(
      repository,
      oid,
      (chunk) => {
        const from = Math.max(start - at, 0);
        const to = Math.min(end - at, chunk.length);
        if (to > from) chunk.copy(kept, at + from - start, from, to);
        at += chunk.length;
        return at >= end ? 'enough' : 'more';
      },
      signal,
    );
    if (at < end) throw damaged(`blob ${oid} ended after ${at} bytes`);
    return kept;
  }

  const store: ObjectStore = {
    async commit(repository, commit) {
      const key = keyOf(repository, commit);
      const known = commits.get(key);
      if (known) return known;
      const raw = await contents(repository, commit, { type: 'commit', bytesMax: commitBytesMax });
      const parsed = parseCommit(commit, raw);
      commits.set(key, parsed);
      return parsed;
    },
    async tree(repository, oid) {
      const key = keyOf(repository, oid);
      const known = trees.get(key);
      if (known) return known;
      const raw = await contents(repository, oid, { type: 'tree', bytesMax: treeBytesMax });
      treesRead += 1;
      const parsed = parsedTree(raw, oid);
      trees.set(key, parsed);
      return parsed;
    },
    cachedCommit: (repository, commit) => commits.get(keyOf(repository, commit)),
    cachedTree: (repository, oid) => trees.get(keyOf(repository, oid)),
    sizes: (repository, oids) => Promise.all(oids.map((oid) => sizeOf(repository, oid))),
    async blob(repository, oid, bytesMax, signal) {
      const key = keyOf(repository, oid);
      const known = blobs.get(key);
      const sizeBytes = known?.length ?? (await sizeOf(repository, oid));
      if (sizeBytes === null) throw objectMissing(repository.name, oid);
      if (sizeBytes > bytesMax) throw tooLarge('The file', sizeBytes, bytesMax);
      // A copy each time: what callers do with their buffer must not reach the next one.
      if (known) return Buffer.from(known);
      blobsRead += 1;
      if (sizeBytes > sharedReaderBytesMax) {
        return largeRange(repository, oid, { start: 0, end: sizeBytes }, signal);
      }
      const content = await contents(repository, oid, { type: 'blob', bytesMax: sizeBytes });
      if (content.length <= cachedBlobBytesMax) blobs.set(key, Buffer.from(content));
      return content;
    },
    async blobRange(repository, oid, range, signal) {
      const sizeBytes = await sizeOf(repository, oid);
      if (sizeBytes === null) throw objectMissing(repository.name, oid);
      const start = Math.min(Math.max(range.start, 0), sizeBytes);
      const end = Math.min(Math.max(range.end, start), sizeBytes);
      if (start === end) return Buffer.alloc(0);
      if (sizeBytes > sharedReaderBytesMax) {
        blobsRead += 1;
        return largeRange(repository, oid, { start, end }, signal);
      }
      const content = await store.blob(repository, oid, sizeBytes, signal);
      // A copy: a view would keep the whole alive.
      return end - start === sizeBytes ? content : Buffer.from(content.subarray(start, end));
    },
    streamBlob(repository, oid, take, signal) {
      blobsRead += 1;
      return streamBlob(repository, oid, take, signal);
    },
    async commitOfHex(repository, hex) {
      if (!/^[0-9a-f]{4,64}$/.test(hex)) return null;
      if (commits.has(keyOf(repository, hex))) return hex;
      const found = await ask(repository, `${hex}^{commit}`, null);
      if (found === 'ambiguous') throw ambiguousCommit(repository.name, hex);
      return found === 'missing' ? null : found.oid;
    },
    treesRead: () => treesRead,
    blobsRead: () => blobsRead,
  };
  return store;
}

function keyOf({ objects }: ReadRepository, oid: string): string {
  return `${objects.key}:${oid}`;
}

function checkObjectId(oid: string) {
  checkedObjectIds([oid]);
}

function parsedTree(raw: Buffer, oid: string): TreeObject {
  try {
    return parseTree(raw, oid.length / 2);
  } catch (error) {
    throw damaged(`tree ${oid}: ${String(error)}`);
  }
}
