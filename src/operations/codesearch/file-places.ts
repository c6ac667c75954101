import type { FoundFile, FoundPlace } from '../../search/index.ts';

/** The file once for each path that it has in a repository, branches that have the same there as its other places. */
export function filesByPlace(file: FoundFile): FoundFile[] {
  const { alsoCount, also } = file;
  if (alsoCount === 0) return [file];
  const places = new Map<string, FoundPlace[]>();
  for (const { repositoryId, revision, commit, path } of [file, ...also]) {
    const key = `${repositoryId} ${path}`;
    const place = { repositoryId, revision, commit, path };
    const same = places.get(key);
    if (same) same.push(place);
    else places.set(key, [place]);
  }
  return [...places.values()].map(([first, ...branches]) => ({
    ...file,
    ...first!,
    ...(first!.path === file.path ? {} : { matchedPath: false, pathRanges: [] }),
    also: branches,
    alsoCount: branches.length,
  }));
}

/** In how many paths of repositories the file lies. Places that are not named are taken for one each. */
export function placeCount(file: FoundFile): number {
  return filesByPlace(file).length + file.alsoCount - file.also.length;
}
