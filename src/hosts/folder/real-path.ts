import { sep } from 'node:path';

/** Whether `path` is `folder` or lies below it. Both are absolute and, where symlinks matter, already real. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
