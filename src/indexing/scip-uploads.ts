import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../base/clock.ts';
import { cancelled, type ErrorKind, PeriscopeError } from '../base/errors.ts';
import {
  diskFault,
  type IndexContent,
  type IndexState,
  type RevisionEntry,
  type ScipEntry,
} from '../search/index.ts';
import type { TakenScip } from '../symbols/index.ts';
import { scipNotBuilt, scipUploadsBusy, scipUploadTooLarge } from './errors.ts';
import type { IndexSession } from './index-session.ts';
import type { ScipReply, ScipWorkerData } from './scip-messages.ts';

export interface ScipUploadLimits {
  /** Of an upload. */
  uploadBytesMax: number;
  /** Of what is kept of one. */
  fileBytesMax: number;
  /** Commits of one repository, and what is kept of them together: the oldest go first. */
  commitsMax: number;
  repositoryBytesMax: number;
  /** Uploads that are made into files at once; more are told to wait. */
  atOnce: number;
  /** Memory of the thread that does it. */
  memoryMb: number;
}

export const scipUploadLimits: ScipUploadLimits = {
  uploadBytesMax: 256 << 20,
  fileBytesMax: 128 << 20,
  commitsMax: 16,
  repositoryBytesMax: 512 << 20,
  atOnce: 2,
  memoryMb: 1024,
};

/** An upload made into a file that the writer has not taken over yet. */
export interface BuiltScip {
  /** Name in the folder of uploads. */
  name: string;
  entry: Omit<ScipEntry, 'file'>;
  taken: TakenScip;
}

/** The revision that an upload is about, whose texts are all there. */
export interface ScipGround {
  state: IndexState;
  revision: RevisionEntry;
}

export interface ScipUploads {
  /**
   * Streams an upload onto the disk and makes it into a file of what the revision's commit shows. Fails with `invalid-request` and
   * `too-large` for what it is not, with `busy`, and with `missing` where there is no ground.
   */
  build(
    upload: { body: AsyncIterable<Uint8Array>; root: string },
    of: { ground(): Promise<ScipGround | null>; missing(): Error },
    signal: AbortSignal,
  ): Promise<BuiltScip>;
  /** Nobody takes it over. */
  discard(built: Pick<BuiltScip, 'name'>): Promise<void>;
}

/** Beside the files of the index, on the same disk, where the writer's cleaning does not look. */
const uploadsFolder = (folder: string) => path.join(folder, 'uploads');
const ATTEMPTS_MAX = 3;
const LEFT_OVER_MS = 24 * 60 * 60 * 1000;

export function createScipUploads(
  { folder, limits, workerFile }: { folder: string; limits: ScipUploadLimits; workerFile: URL | undefined },
  { clock }: { clock: Clock },
): ScipUploads {
  const uploads = uploadsFolder(folder);
  const thread = workerFile ?? new URL('./scip-worker.js', import.meta.url);
  let inWork = 0;

  return {
    async build({ body, root }, { ground, missing }, signal) {
      if (inWork >= limits.atOnce) throw scipUploadsBusy();
      inWork += 1;
      const serial = randomUUID();
      const upload = path.join(uploads, `${serial}.upload`);
      const name = `${serial}.scip`;
      const file = path.join(uploads, name);
      let isBuilt = false;
      try {
        await mkdir(uploads, { recursive: true, mode: 0o700 });
        await removeLeftOvers();
        await store(body, upload, signal);
        // Files of the index may be replaced while they are read: then it is read anew.
        for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
          const found = await ground();
          if (found === null) break;
          const taken = await inThread({ upload, file, root, ...filesOf(found) }, signal);
          if (taken === 'gone') continue;
          isBuilt = true;
          return { name, entry: entryOf(found, taken), taken };
        }
        throw missing();
      } finally {
        inWork -= 1;
        // A thread that has ended on its way leaves what it was writing.
        for (const left of isBuilt ? [upload] : [upload, file, `${file}.part`])
          await rm(left, { force: true }).catch(() => {});
      }
    },
    discard: ({ name }) => rm(path.join(uploads, name), { force: true }),
  };

  function filesOf({ state, revision }: ScipGround) {
    const inFolder = (name: string) => path.join(folder, name);
    return {
      fileBytesMax: limits.fileBytesMax,
      manifest: inFolder(revision.file),
      segments: state.segments.map(({ file, dictionaries }) => ({
        file: inFolder(file),
        dictionaries: dictionaries === null ? null : inFolder(dictionaries),
      })),
    };
  }

  function entryOf({ revision }: ScipGround, { summary }: TakenScip): BuiltScip['entry'] {
    const { commit, policyKey } = revision.head;
    const { fileBytes, documents, uses } = summary;
    const { repositoryId } = revision;
    return { repositoryId, commit, policyKey, fileBytes, documents, uses, uploadedMs: clock.now() };
  }

  /** Of processes that were killed. */
  async function removeLeftOvers(): Promise<void> {
    for (const name of await readdir(uploads)) {
      const file = path.join(uploads, name);
      const seen = await stat(file).catch(() => null);
      if (seen !== null && clock.now() - seen.mtimeMs > LEFT_OVER_MS) await rm(file, { force: true });
    }
  }

  async function store(body: AsyncIterable<Uint8Array>, file: string, signal: AbortSignal): Promise<void> {
    const handle = await open(file, 'wx', 0o600).catch((error: unknown) => {
      throw diskFault(error);
    });
    try {
      let bytes = 0;
      for await (const chunk of body) {
        if (signal.aborted) throw cancelled(signal.reason);
        bytes += chunk.length;
        if (bytes > limits.uploadBytesMax) throw scipUploadTooLarge(limits.uploadBytesMax);
        await handle.writeFile(chunk);
      }
    } catch (error) {
      if (signal.aborted) throw cancelled(signal.reason);
      throw diskFault(error);
    } finally {
      await handle.close();
    }
  }

  function inThread(workerData: ScipWorkerData, signal: AbortSignal): Promise<TakenScip | 'gone'> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(thread, {
        workerData,
        resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
      });
      const stop = () => void worker.terminate();
      signal.addEventListener('abort', stop, { once: true });
      let answer: (() => void) | null = null;
      worker.on('message', (reply: ScipReply) => {
        answer = () => {
          if ('fault' in reply) reject(faultOf(reply.fault));
          else resolve(reply.taken);
        };
      });
      worker.on('error', (error) => {
        answer = () => reject(scipNotBuilt(error));
      });
      worker.on('exit', () => {
        signal.removeEventListener('abort', stop);
        if (answer === null) reject(signal.aborted ? cancelled(signal.reason) : scipNotBuilt(null));
        else answer();
      });
    });
  }
}

function faultOf({ kind, code, message, next, options }: Extract<ScipReply, { fault: object }>['fault']) {
  return new PeriscopeError(kind as ErrorKind, code, message, next, options);
}

/** Makes a built file part of the index. False where no revision stands at its commit any more as it stood then. */
export async function adoptScip(
  session: IndexSession,
  { name, entry }: Pick<BuiltScip, 'name' | 'entry'>,
  limits: ScipUploadLimits,
): Promise<boolean> {
  const { writer } = session;
  const file = writer.newFile('scip');
  const from = path.join(uploadsFolder(writer.folder), path.basename(name));
  try {
    await rename(from, file);
    const adopted = path.basename(file);
    await session.publish((content) => withScip(content, { ...entry, file: adopted }, limits));
    const isThere = writer.needs(adopted);
    if (!isThere) await writer.giveUp(file);
    return isThere;
  } catch (error) {
    await writer.giveUp(file).catch(() => {});
    throw diskFault(error);
  }
}

function withScip(content: IndexContent, added: ScipEntry, limits: ScipUploadLimits): IndexContent {
  const isOfRepository = ({ repositoryId }: ScipEntry) => repositoryId === added.repositoryId;
  const known = content.scip ?? [];
  const own = known
    .filter((entry) => isOfRepository(entry) && entry.commit !== added.commit)
    .sort((a, b) => b.uploadedMs - a.uploadedMs);
  const kept = [added];
  let bytes = added.fileBytes;
  for (const entry of own) {
    bytes += entry.fileBytes;
    if (kept.length >= limits.commitsMax || bytes > limits.repositoryBytesMax) break;
    kept.push(entry);
  }
  return { ...content, scip: [...known.filter((entry) => !isOfRepository(entry)), ...kept] };
}
