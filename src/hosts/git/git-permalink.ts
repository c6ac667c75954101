import { bytesOfPath } from '../../base/byte-path.ts';
import type { PermalinkSubject } from '../types.ts';

interface PageShape {
  file: string;
  directory: string;
  anchor(lines: { start: number; end: number }): string;
}

const githubPages: PageShape = {
  file: '/blob/',
  directory: '/tree/',
  anchor: ({ start, end }) => (start === end ? `#L${start}` : `#L${start}-L${end}`),
};

const gitlabPages: PageShape = {
  file: '/-/blob/',
  directory: '/-/tree/',
  anchor: ({ start, end }) => (start === end ? `#L${start}` : `#L${start}-${end}`),
};

/** The page of a place on github.com and on hosts named gitlab.*; on others the shape of links is not known, so null. */
export function gitPermalink(
  repository: PermalinkSubject,
  commit: string,
  path: string,
  lines: { start: number; end: number } | null,
): string | null {
  if (repository.webUrl === null) return null;
  const shape = shapeOf(new URL(repository.webUrl).hostname);
  if (shape === null) return null;
  if (path === '') return repository.webUrl + shape.directory + commit;
  return `${repository.webUrl}${shape.file}${commit}/${encoded(path)}${lines === null ? '' : shape.anchor(lines)}`;
}

function shapeOf(hostname: string): PageShape | null {
  if (hostname === 'github.com') return githubPages;
  return hostname.startsWith('gitlab.') ? gitlabPages : null;
}

/** By bytes, so that a path that is no UTF-8 keeps its link. RFC 3986: unreserved characters and slashes stay. */
function encoded(path: string): string {
  let text = '';
  for (const byte of bytesOfPath(path)) {
    const char = String.fromCharCode(byte);
    text += /[A-Za-z0-9\-._~/]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return text;
}
