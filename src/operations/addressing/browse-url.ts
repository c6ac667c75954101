/** A clone or browse URL as forges write them, understood without asking anybody. */
export interface BrowseUrl {
  /** Path without leading slash, percent-decoded, `.git` left off. */
  pathname: string;
  /** What follows the repository's name in the path. */
  place(rest: string): BrowsePlace;
}

export interface BrowsePlace {
  revision: string | undefined;
  /** Set instead of both when the branch may hold slashes. */
  revisionAndPath: string | null;
  path: string;
  lines: { start: number; end: number } | null;
}

export function parseBrowseUrl(text: string): BrowseUrl | null {
  const scp = /^[\w.-]+@[\w.-]+:(?!\/)(.+)$/.exec(text);
  if (scp) return { pathname: withoutGit(scp[1]!), place: () => nowhere };
  if (!/^(?:https?|ssh|git):\/\//.test(text)) return null;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  const pathname = withoutGit(decoded(url.pathname).replace(/^\/+/, '').replace(/\/+$/, ''));
  return { pathname, place: (rest) => placeOf(rest, url) };
}

const nowhere: BrowsePlace = { revision: undefined, revisionAndPath: null, path: '', lines: null };

function placeOf(rest: string, url: URL): BrowsePlace {
  const lines = linesOf(decoded(url.hash));
  const azurePath = url.searchParams.get('path');
  if (azurePath) {
    const version = url.searchParams.get('version')?.replace(/^G[BCT]/, '');
    return { ...nowhere, revision: version || undefined, path: azurePath.replace(/^\/+/, ''), lines };
  }
  const commit = /^\/(?:-\/)?commits?\/([0-9a-f]{7,64})$/.exec(rest);
  if (commit) return { ...nowhere, revision: commit[1] };
  // Gitea says what kind of ref follows, Bitbucket says nothing, GitHub and GitLab name the view.
  const view = /^\/(?:-\/)?(?:(?:src|raw)\/(?:branch|tag|commit)|blob|tree|raw|blame|edit|src)\/(.+)$/.exec(
    rest,
  );
  if (!view) return { ...nowhere, path: rest.replace(/^\/+/, ''), lines };
  return { ...nowhere, revisionAndPath: view[1]!, lines };
}

function linesOf(hash: string): BrowsePlace['lines'] {
  const match = /^#(?:L|lines-|n|line-)?(\d{1,9})(?:C\d+)?(?:[-:]L?(\d{1,9})(?:C\d+)?)?$/.exec(hash);
  if (!match) return null;
  const start = Number(match[1]);
  return { start, end: Math.max(start, Number(match[2] ?? start)) };
}

function withoutGit(pathname: string): string {
  return pathname.replace(/\.git(?=$|\/)/, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
