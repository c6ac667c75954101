import { bytesOfPath, shownPath } from '../../base/byte-path.ts';
import { pathSyntax } from '../errors.ts';

/** Longer than any path that a file system holds; what git may be given as one argument is 128 KiB, in our escapes a fifth of it. */
const pathBytesMax = 16 * 1024;

/** The names of a path from the root; none for the root itself. Refuses what could lead elsewhere: absolute, `..`, NUL. */
export function pathSegments(path: string): string[] {
  if (path === '') return [];
  if (path.length > pathBytesMax * 4) throw pathSyntax(path);
  // One and the same name has one shown form, however the caller wrote it.
  const shown = shownPath(bytesOfPath(path));
  const segments = shown.split('/');
  if (shown.startsWith('/') || segments.includes('..') || !isArgument(shown)) throw pathSyntax(path);
  return segments;
}

/** The bytes of a checked path, as git wants them. */
export function pathBytes(path: string): Buffer {
  return bytesOfPath(pathSegments(path).join('/'));
}

function isArgument(shown: string): boolean {
  if (shown.includes('\0')) return false;
  // The usual path needs no second look.
  if (shown.length * 3 <= pathBytesMax && !shown.includes('\\x')) return true;
  const bytes = bytesOfPath(shown);
  return bytes.length <= pathBytesMax && !bytes.includes(0);
}

export function childPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
