import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { damageNotes, removeDamageNotes } from './damage-notes.ts';
import { diskFault, writerReplaced } from './index-errors.ts';
import {
  absentAsEmpty,
  currentName,
  decodeState,
  encodeState,
  filesOf,
  findState,
  generationName,
  generationOf,
  stateVersion,
} from './index-state-file.ts';
import { deadAfterMs, heldGenerations } from './reader-leases.ts';
import type { IndexState } from './types.ts';

export type IndexFileKind = 'seg' | 'man' | 'facts' | 'chunks' | 'scip';

export interface IndexWriterOptions {
  folder: string;
  /** Of the lease that makes this process the only writer. Grows with each holder. */
  fence: number;
  /** Of the options that decide what is in the index. An index of another hash is not taken over. */
  optionsHash: string;
  /** A reader that was not heard of for this long holds nothing. Default 60 seconds. */
  readerDeadAfterMs?: number;
  /** What this process has published last: it counts where the folder tells of nothing as new. Default null. */
  published?: IndexState | null;
}

/**
 * The one that writes. Names of files begin with its fence, so that each writer can tell its own files and those of writers before
 * it from those of one that has replaced it.
 */
export interface IndexWriter {
  readonly folder: string;
  /** Files that tell of a state, and were found damaged or gone when the index was opened. */
  readonly brokenStates: readonly string[];
  /** What is published. */
  state(): IndexState;
  /** Absolute path for a file to be written, named nowhere else; kept by `collect` until it is published or given up. */
  newFile(kind: IndexFileKind): string;
  /** Keeps a file of dictionaries, whose name tells its content, until it is published or given up. */
  keepDictionaries(name: string): void;
  /** Whether the state, as it is published, needs a file of this name. */
  needs(name: string): boolean;
  /** Whether a file is kept that no state names yet. */
  isUnpublished(name: string): boolean;
  /** A file that was kept and will not be published. */
  giveUp(file: string): Promise<void>;
  /**
   * Makes `next` the state: all of it or nothing. Its files are on disk already. SCIP files of commits without a revision are left out. Fails with `search/index-writer-replaced` when
   * another process writes by now, and with `search/index-disk-full`.
   */
  publish(next: IndexContent): Promise<IndexState>;
  /**
   * Deletes what no generation in use names, what killed writers left, and old generations. `held` counts files that are there only
   * because a reader is not done with them.
   */
  collect(): Promise<{ deleted: string[]; held: number }>;
  /**
   * Names of files of the state that were noted as damaged; `thorough` looks as well whether any is gone, was written to since it was
   * first seen (none ever is), or no longer tells what was published. Costs a look into one folder or two, and at some files.
   */
  damaged(options: { thorough: boolean }): Promise<string[]>;
}

/** Manifests whose state on disk is looked at in one go: there may be many thousands. */
const STAMPS_AT_ONCE = 256;

export type IndexContent = Omit<IndexState, 'formatVersion' | 'generation' | 'fence' | 'optionsHash'>;

/** Takes over what is in the folder, or begins an empty index where that cannot be used. Fails with `search/index-file-newer`. */
export async function openIndexWriter(options: IndexWriterOptions): Promise<IndexWriter> {
  const { folder, fence, optionsHash } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await findState(folder);
  if (found.state !== null && found.state.fence > fence) throw writerReplaced(found.state.generation);
  const published = options.published ?? null;
  const isPublished = published !== null && published.generation > (found.state?.generation ?? -1);
  const standing = isPublished ? published : found.state;
  let state: IndexState = (standing?.optionsHash === optionsHash ? standing : null) ?? {
    formatVersion: stateVersion,
    generation: Math.max(found.generationSeen, standing?.generation ?? 0),
    fence,
    nextBlobId: standing?.nextBlobId ?? 1,
    segments: [],
    revisions: [],
    dictionaries: null,
    dictionariesTextBytes: 0,
    sampled: null,
    retired: [],
    evicting: [],
    unfinished: null,
    optionsHash,
  };
  const unpublished = new Set<string>();
  // What stands is known without its file, which may be gone: what it names must never be taken for unused.
  const filesByGeneration = new Map([[state.generation, filesOf(state)]]);
  const names = new Set(await readdir(folder));
  const needed = standing === null ? [] : [currentName, generationName(standing.generation)];
  const brokenStates = [...new Set([...found.broken, ...needed.filter((name) => !names.has(name))])];
  await removeBroken();
  const stamps = new Map<string, string>();
  let nextStamped = 0;
  let currentStamp = await stampOf(path.join(folder, currentName));
  await writtenTo(new Set(filesOf(state)));

  return {
    folder,
    brokenStates,
    state: () => state,
    newFile(kind) {
      const name = `${fence}-${randomBytes(9).toString('hex')}.${kind}`;
      unpublished.add(name);
      return path.join(folder, name);
    },
    keepDictionaries(name) {
      unpublished.add(name);
    },
    needs: (name) => name === currentName || filesOf(state).includes(name),
    isUnpublished: (name) => unpublished.has(name),
    async giveUp(file) {
      unpublished.delete(path.basename(file));
      const name = path.basename(file);
      if (!filesOf(state).includes(name)) await rm(path.join(folder, name), { force: true });
    },
    async publish(content) {
      const generation = state.generation + 1;
      // Both when an opt-out is heard and when its texts have left the segments: what older generations read can be deleted then.
      const evicts = content.evicting.length > 0 || state.evicting.length > 0;
      const next: IndexState = {
        ...content,
        ...standingScip(content),
        formatVersion: stateVersion,
        generation,
        fence,
        optionsHash,
        readableFrom: evicts ? generation : (state.readableFrom ?? 0),
      };
      await checkStillWriter();
      await writeState(next);
      state = next;
      currentStamp = await stampOf(path.join(folder, currentName));
      for (const file of filesOf(next)) unpublished.delete(file);
      await writtenTo(new Set(filesOf(next)));
      filesByGeneration.set(next.generation, filesOf(next));
      return next;
    },
    collect,
    async damaged({ thorough }) {
      const named = new Set(filesOf(state));
      const noted = await damageNotes(folder);
      const damaged = new Set(noted.filter((name) => named.has(name)));
      // Of what is no longer used.
      const unused = noted.filter((name) => !named.has(name));
      await removeDamageNotes(folder, unused);
      if (!thorough || named.size === 0) return [...damaged];
      const there = new Set(await readdir(folder).catch(absentAsEmpty));
      for (const name of named) if (!there.has(name)) damaged.add(name);
      for (const name of await writtenTo(named)) damaged.add(name);
      if (!(await tellsState())) damaged.add(currentName);
      return [...damaged];
    },
  };

  /** Whether CURRENT tells what was published, or what a later writer has. */
  async function tellsState(): Promise<boolean> {
    const stamp = await stampOf(path.join(folder, currentName));
    if (stamp !== null && stamp === currentStamp) return true;
    const { state: seen, broken } = await findState(folder);
    const isTold = seen !== null && seen.generation >= state.generation && !broken.includes(currentName);
    if (isTold) currentStamp = stamp;
    return isTold && stamp !== null;
  }

  /** Of some of these files those that are not as they were when they were first seen here; all have their turn. */
  async function writtenTo(named: ReadonlySet<string>): Promise<string[]> {
    for (const name of stamps.keys()) if (!named.has(name)) stamps.delete(name);
    const isLarge = (name: string) => !name.endsWith('.man');
    const small = [...named].filter((name) => !isLarge(name));
    const turn = Array.from({ length: Math.min(small.length, STAMPS_AT_ONCE) }, (_, i) => {
      return small[(nextStamped + i) % small.length]!;
    });
    nextStamped += STAMPS_AT_ONCE;
    const changed: string[] = [];
    for (const name of [...[...named].filter(isLarge), ...turn]) {
      const stamp = await stampOf(path.join(folder, name));
      const known = stamps.get(name);
      if (known === undefined && stamp !== null) stamps.set(name, stamp);
      else if (stamp !== known) changed.push(name);
    }
    return changed;
  }

  async function checkStillWriter(): Promise<void> {
    const { state: standing } = await findState(folder);
    const isOurs = standing === null || (standing.fence <= fence && standing.generation <= state.generation);
    if (!isOurs) throw writerReplaced(state.generation);
  }

  async function writeState(next: IndexState): Promise<void> {
    const bytes = encodeState(next);
    const file = path.join(folder, generationName(next.generation));
    const temporary = path.join(folder, `${fence}-${randomBytes(9).toString('hex')}.current`);
    // What clears up meanwhile must not take it for one that a killed writer left.
    unpublished.add(path.basename(temporary));
    try {
      // The directory first: what the state names must be there when the state is.
      await syncFolder(folder);
      await writeSynced(file, bytes);
      await writeSynced(temporary, bytes);
      await rename(temporary, path.join(folder, currentName));
      await syncFolder(folder);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'EEXIST') throw writerReplaced(state.generation);
      await rm(temporary, { force: true }).catch(() => {});
      await rm(file, { force: true }).catch(() => {});
      throw diskFault(error);
    } finally {
      unpublished.delete(path.basename(temporary));
    }
  }

  /** Half-written states of killed writers: their numbers are given again. */
  async function removeBroken(): Promise<void> {
    for (const name of found.broken) {
      if (generationOf(name) !== null) await rm(path.join(folder, name), { force: true });
    }
  }

  async function collect(): Promise<{ deleted: string[]; held: number }> {
    const { state: standing } = await findState(folder);
    if (standing === null || standing.fence > fence || standing.generation !== state.generation) {
      return { deleted: [], held: 0 };
    }
    const held = await heldGenerations(folder, {
      deadAfterMs: options.readerDeadAfterMs ?? deadAfterMs,
    });
    held.add(state.generation);
    const names = await readdir(folder);
    const used = new Set<string>();
    for (const generation of held) {
      const files = await filesIn(generation);
      // A reader reads what nobody can tell any more: nothing goes until it has let go of it.
      if (files === null) return { deleted: [], held: 1 };
      for (const file of files) used.add(file);
    }
    for (const generation of filesByGeneration.keys()) {
      if (!held.has(generation)) filesByGeneration.delete(generation);
    }
    // As it is now: something may have been published since the names were read, and is unpublished no longer.
    for (const file of filesOf(state)) used.add(file);
    const unused = names.filter((name) => {
      const generation = generationOf(name);
      if (generation !== null) return generation < state.generation && !held.has(generation);
      // A half-written file has the same name with an ending, and goes or stays with it.
      const whole = name.replace(/\.part$/, '');
      const writerFence = fenceOf(whole);
      return writerFence !== null && writerFence <= fence && !used.has(name) && !unpublished.has(whole);
    });
    for (const name of unused) await rm(path.join(folder, name), { force: true });
    const current = new Set(filesOf(state));
    const kept = [...used].filter((file) => !current.has(file) && names.includes(file));
    return { deleted: unused, held: kept.length };
  }

  /** Null when its file is damaged or gone. */
  async function filesIn(generation: number): Promise<readonly string[] | null> {
    const known = filesByGeneration.get(generation);
    if (known) return known;
    const file = path.join(folder, generationName(generation));
    try {
      const read = decodeState(file, await readFile(file));
      const files = read === 'old' ? [] : filesOf(read);
      filesByGeneration.set(generation, files);
      return files;
    } catch {
      return null;
    }
  }
}

/** What was uploaded for a commit goes with the last revision that stands there as it stood then. */
function standingScip({ scip, revisions }: IndexContent): Pick<IndexContent, 'scip'> {
  if (scip === undefined || scip.length === 0) return {};
  const standing = new Set(
    revisions.map(({ repositoryId, head }) => `${repositoryId} ${head.commit} ${head.policyKey}`),
  );
  return {
    scip: scip.filter(({ repositoryId, commit, policyKey }) =>
      standing.has(`${repositoryId} ${commit} ${policyKey}`),
    ),
  };
}

/**
 * The fence of the writer that made a file; null for what no writer makes. Dictionaries are named by their content: any writer's.
 */
function fenceOf(name: string): number | null {
  if (/^dict-[0-9a-f]+$/.test(name)) return 0;
  const match = /^(\d{1,15})-[0-9a-f]{18}\.(?:seg|man|facts|chunks|scip|current)$/.exec(name);
  return match ? Number(match[1]) : null;
}

async function stampOf(file: string): Promise<string | null> {
  const seen = await stat(file).catch(() => null);
  return seen && `${seen.ino} ${seen.mtimeMs} ${seen.size}`;
}

async function writeSynced(file: string, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | null = null;
  try {
    handle = await open(folder, 'r');
    await handle.sync();
  } catch (error) {
    // Some systems sync no directory; their file systems order what they write.
    const { code } = error as { code?: string };
    if (code !== 'EISDIR' && code !== 'EPERM' && code !== 'EINVAL' && code !== 'ENOTSUP') throw error;
  } finally {
    await handle?.close();
  }
}
