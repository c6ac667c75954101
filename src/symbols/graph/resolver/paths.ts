/** Folder of a path with a slash at its end; '' at the top. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

export function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The base name up to its first dot. */
export function stemOf(path: string): string {
  const base = baseOf(path);
  const dot = base.indexOf('.', 1);
  return dot < 0 ? base : base.slice(0, dot);
}

/** A path from a folder on, without `.` and `..`; null when it leads out of the tree. */
export function joined(folder: string, path: string): string | null {
  const parts: string[] = [];
  for (const part of `${folder}${path}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (parts.pop() === undefined) return null;
    } else parts.push(part);
  }
  return parts.join('/');
}

/** The folder itself and all around it, innermost first, '' last. */
export function foldersAround(folder: string): string[] {
  const folders = [folder];
  for (let at = folder; at !== ''; ) {
    at = folderOf(at.slice(0, -1));
    folders.push(at);
  }
  return folders;
}

const SLASH = 47;

/** How many folders lie between a folder and a path. */
export function distance(folder: string, path: string): number {
  let at = 0;
  let shared = 0;
  for (; at < folder.length && folder.charCodeAt(at) === path.charCodeAt(at); at++) {
    if (folder.charCodeAt(at) === SLASH) shared = at + 1;
  }
  return slashesFrom(folder, shared) + slashesFrom(path, shared);
}

function slashesFrom(path: string, from: number): number {
  let count = 0;
  for (let at = from; at < path.length; at++) if (path.charCodeAt(at) === SLASH) count++;
  return count;
}
