/**
 * `periscope://repository/owner/name` is a repository, `periscope://file/owner%2Fname/path/in/it` a file on its default branch.
 * The repository of a file is one segment, because names have any number of parts and a path may begin with anything.
 */
export const repositoryTemplate = 'periscope://repository/{+name}';
export const fileTemplate = 'periscope://file/{repository}/{+path}';

export type ResourceAddress =
  | { kind: 'repository'; name: string }
  | { kind: 'file'; repository: string; path: string };

export function repositoryUri(name: string): string {
  return `periscope://repository/${name.split('/').map(encodeURIComponent).join('/')}`;
}

/** Null for what is no address of ours. */
export function parseResourceUri(uri: string): ResourceAddress | null {
  const match = /^periscope:\/\/(repository|file)\/(.+)$/s.exec(uri);
  if (!match) return null;
  const rest = match[2]!;
  if (match[1] === 'repository') {
    const name = decoded(rest);
    return name === null ? null : { kind: 'repository', name };
  }
  const slash = rest.indexOf('/');
  const repository = decoded(slash === -1 ? rest : rest.slice(0, slash));
  const path = decoded(slash === -1 ? '' : rest.slice(slash + 1));
  return repository === null || !path ? null : { kind: 'file', repository, path };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
