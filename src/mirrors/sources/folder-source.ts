import { type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { abortable } from '../abortable.ts';
import { blockedFolder, folderGone, notARepository } from '../errors.ts';
import type { GitHome } from '../git/git-home.ts';
import type { GitRunner } from '../git/git-process.ts';
import { sharedLook } from '../shared-look.ts';
import { type BoundedFolder, boundedFolder, checkRefsFolder, OutsideRoot } from './folder-boundary.ts';
import { type FolderConfig, readFolderConfig } from './folder-config.ts';
import type { PresentRepository, RepositorySource } from './repository-source.ts';

export interface FolderRepository extends PresentRepository {
  readonly config: FolderConfig;
}

export interface FolderSource extends RepositorySource {
  use<T>(
    need: 'present' | 'fresh' | 'now',
    signal: AbortSignal,
    work: (repository: FolderRepository) => Promise<T>,
  ): Promise<T>;
}

/** A repository read where it is. Nothing is ever written into it. */
export function createFolderSource(
  subject: { key: string; name: string; gitDir: string; root: string },
  options: { timeoutMs: number },
  deps: { runner: GitRunner; home: GitHome },
): FolderSource {
  let present: {
    repository: FolderRepository;
    folder: BoundedFolder;
    stamp: string;
    stampNow: () => string;
  } | null = null;
  let checking: Promise<FolderRepository> | null = null;

  async function check(): Promise<FolderRepository> {
    try {
      const folder = await boundedFolder(subject);
      const stamp = stampOf(folder);
      await checkRefsFolder(folder.commonDir, subject.root);
      const config = await readFolderConfig(folder.commonDir, { name: subject.name, ...options }, deps);
      const repository: FolderRepository = {
        name: subject.name,
        place: 'folder',
        gitDir: folder.gitDir,
        commonDir: folder.commonDir,
        checkRefs: () => checkRefsFolder(folder.commonDir, subject.root).catch(refuse),
        config,
        objects: {
          key: subject.key,
          objectFormat: config.objectFormat,
          objectDirectory: folder.objectDirectory,
          shallowFile: config.shallowFile,
        },
      };
      present = { repository, folder, stamp, stampNow: sharedLook(() => stampOf(folder)) };
      return repository;
    } catch (error) {
      return refuse(error);
    }
  }

  function refuse(error: unknown): never {
    present = null;
    if (error instanceof OutsideRoot) throw blockedFolder(subject.name, error.message);
    if (isFileFault(error)) throw notARepository(subject.name, error);
    throw error;
  }

  function ready(
    need: 'present' | 'fresh' | 'now',
    signal: AbortSignal,
  ): Promise<FolderRepository> | FolderRepository {
    if (present && (need === 'present' || present.stamp === present.stampNow())) return present.repository;
    checking ??= check().finally(() => {
      checking = null;
    });
    return abortable(checking, signal);
  }

  async function use<T>(
    need: 'present' | 'fresh' | 'now',
    signal: AbortSignal,
    work: (repository: FolderRepository) => Promise<T>,
  ): Promise<T> {
    try {
      return await work(await ready(need, signal));
    } catch (error) {
      // Whatever was met first when the folder went: that it is gone is what there is to say.
      if (signal.aborted || statOf(subject.gitDir)) throw error;
      present = null;
      throw folderGone(subject.name, error);
    }
  }

  return {
    use,
    peek: (signal, work) => use('fresh', signal, work),
    state: () => ({ fetchedMs: null, problem: null, sizeBytes: present?.folder.sizeBytes ?? null }),
  };
}

/** Moves when a pack, a first loose object of its kind, alternates, or the config come or go. */
function stampOf({ gitDir, commonDir, objectDirectory }: BoundedFolder): string {
  const watched = [
    path.join(gitDir, 'commondir'),
    path.join(commonDir, 'config'),
    path.join(commonDir, 'shallow'),
    objectDirectory,
    path.join(objectDirectory, 'pack'),
    path.join(objectDirectory, 'info'),
    path.join(objectDirectory, 'info', 'alternates'),
  ];
  return watched.map((file) => statOf(file)?.mtimeMs ?? '-').join(';');
}

/** Null also where a folder on the way has become a file. */
function statOf(file: string): Stats | null {
  try {
    return statSync(file, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

function isFileFault(error: unknown): boolean {
  return (
    error instanceof Error && ('syscall' in error || error.message.startsWith('neither a git directory'))
  );
}
