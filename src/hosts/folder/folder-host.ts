import { resolve } from 'node:path';
import type { Host, OptionsOf } from '../types.ts';
import { listFolders } from './folder-listing.ts';
import { isInside } from './real-path.ts';

/** Repositories below configured folders, read where they are. */
export function createFolderHost(options: OptionsOf<'folder'>): Host {
  const folders = options.folders.map((folder) => resolve(folder));
  // The real paths are learnt by listing: resolving them here could hang on a dead mount.
  let boundaries: readonly string[] = folders;

  return {
    name: options.name,
    kind: 'folder',
    async list({ signal }) {
      const { listing, realFolders } = await listFolders({
        host: options.name,
        folders,
        depthMax: options.depthMax,
        signal,
      });
      boundaries = [...folders, ...realFolders];
      return listing;
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
