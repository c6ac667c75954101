import { bytesOfPath, shownPath } from '../../base/byte-path.ts';
import { pathSyntax } from '../errors.ts';

/** The names of a path from the root; none for the root itself. Refuses what could lead elsewhere: absolute, `..`, NUL. */
export function pathSegments(path: string): string[] {
  if (path === '') return [];
  // One and the same name has one shown form, however the caller wrote it.
  const shown = path.includes('\\x') ? shownPath(bytesOfPath(path)) : path;
  const segments = shown.split('/');
  if (shown.startsWith('/') || shown.includes('\0') || segments.includes('..')) throw pathSyntax(path);
  return segments;
}

/** The bytes of a checked path, as git wants them. */
export function pathBytes(path: string): Buffer {
  return bytesOfPath(pathSegments(path).join('/'));
}

export function childPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
