/**
 * `periscope://repository/owner/name` is a repository, `periscope://file/owner/name/path/in/it` a file on its default branch.
 * The repository of a file may also be one segment, `owner%2Fname`, as a client writes it that fills in the template: then there is
 * no doubt where the name ends. Otherwise names have any number of parts and a path may begin with anything.
 */
export const repositoryTemplate = 'periscope://repository/{+name}';
export const fileTemplate = 'periscope://file/{repository}/{+path}';

export type ResourceAddress =
  | { kind: 'repository'; name: string }
  /** Where the name could end, the longest name first. */
  | { kind: 'file'; places: readonly FilePlace[] };

export interface FilePlace {
  repository: string;
  path: string;
}

export function repositoryUri(name: string): string {
  return `periscope://repository/${name.split('/').map(encodeURIComponent).join('/')}`;
}

/** A repository's name has no more parts than this: a host, groups, the name. */
const namePartsMax = 12;

/** Null for what is no address of ours. */
export function parseResourceUri(uri: string): ResourceAddress | null {
  const match = /^periscope:\/\/(repository|file)\/(.+)$/s.exec(uri);
  if (!match) return null;
  if (match[1] === 'repository') {
    const name = decoded(match[2]!);
    return name === null ? null : { kind: 'repository', name };
  }
  const segments: string[] = [];
  for (const segment of match[2]!.split('/')) {
    const text = decoded(segment);
    if (text === null) return null;
    segments.push(text);
  }
  const isWhole = segments[0]!.includes('/');
  const places: FilePlace[] = [];
  for (let parts = isWhole ? 1 : Math.min(segments.length - 1, namePartsMax); parts > 0; parts--) {
    const path = segments.slice(parts).join('/');
    if (path !== '') places.push({ repository: segments.slice(0, parts).join('/'), path });
  }
  return places.length === 0 ? null : { kind: 'file', places };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
