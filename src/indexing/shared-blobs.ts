/**
 * Whether a blob that came from `origin` may be shown for a repository that holds one of its id, without reading it there. What git
 * has fetched is what its id says; in a folder it is so where the same account has put both there.
 */
export function isShared(origin: string, objectsBy: string | null): boolean {
  return objectsBy === 'mirror' || (objectsBy !== null && objectsBy === origin);
}
