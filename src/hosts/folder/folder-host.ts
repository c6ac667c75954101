import { resolve } from 'node:path';
import { stillLooking } from '../errors.ts';
import type { Host, OptionsOf } from '../types.ts';
import { listFolders } from './folder-listing.ts';
import { isInside } from './real-path.ts';

/** Repositories below configured folders, read where they are. */
export function createFolderHost(
  options: OptionsOf<'folder'>,
  deps: { excluded?: readonly string[] } = {},
): Host {
  const folders = options.folders.map((folder) => resolve(folder));
  const excluded = (deps.excluded ?? []).map((folder) => resolve(folder));
  // The real paths are learnt by listing: resolving them here could hang on a dead mount.
  let boundaries: readonly string[] = folders;
  let isLooking = false;

  return {
    name: options.name,
    kind: 'folder',
    async list({ signal }) {
      // On a dead mount an aborted look goes on hanging, and each further one would hold another thread.
      if (isLooking) throw stillLooking(options.name);
      isLooking = true;
      try {
        const { name: host, depthMax } = options;
        const { listing, realFolders } = await listFolders({ host, folders, excluded, depthMax, signal });
        boundaries = [...folders, ...realFolders];
        return listing;
      } finally {
        isLooking = false;
      }
    },
    remoteAccess: () => null,
    permalink: () => null,
    serves(location) {
      if (location.kind !== 'folder') return false;
      // A configured worktree has its git directory elsewhere, so the place that was configured is the work tree.
      const place = location.workTree ?? location.gitDir;
      return boundaries.some((folder) => isInside(folder, place));
    },
  };
}
