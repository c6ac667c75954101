export interface Unnamed {
  /** The configured folder. */
  folder: string;
  /** Path below it; '' is the folder itself. */
  below: string;
}

export interface GivenName {
  name: string;
  /**
   * What it is or would be called without some of the others: whoever puts a repository beside it must not take it out of the
   * rules about its plain name.
   */
  plainNames: readonly string[];
}

/**
 * One distinct name each, the same for the same input whatever its order: the path below the folder without a `.git` suffix.
 * Of `a` and `a.git` in one folder the second keeps its suffix; equal names of different folders are all prefixed by the end of
 * their folder's path, as much of it as tells them apart.
 */
export function nameRepositories(unnamed: readonly Unnamed[]): GivenName[] {
  const wishes = unnamed.map((one): Wish => ({ ...one, keepSuffix: false, segments: 0 }));
  while (clashesOf(wishes).some((clash) => tellApart(clash))) {
    // Each round lengthens some names, and no name outgrows its path.
  }
  return wishes.map((wish) => ({ name: nameOf(wish), plainNames: plainNamesOf(wish) }));
}

interface Wish extends Unnamed {
  keepSuffix: boolean;
  /** Of the folder's path, from its end. */
  segments: number;
}

/** Groups of equal names. */
function clashesOf(wishes: readonly Wish[]): Wish[][] {
  const byName = new Map<string, Wish[]>();
  for (const wish of wishes) {
    const name = nameOf(wish);
    const group = byName.get(name);
    if (group) group.push(wish);
    else byName.set(name, [wish]);
  }
  return [...byName.values()].filter((group) => group.length > 1);
}

/** Changes the names of a group; false when nothing is left to change. */
function tellApart(clash: readonly Wish[]): boolean {
  const oneFolder = new Set(clash.map((wish) => wish.folder)).size === 1;
  if (oneFolder && clash.some((wish) => !wish.keepSuffix)) {
    for (const wish of clash) wish.keepSuffix = true;
    return true;
  }
  // The folder that is itself a repository keeps its name before one that lies in it.
  const growing = clash.filter(
    (wish) => wish.segments < segmentsOf(wish.folder).length && !(oneFolder && wish.below === ''),
  );
  for (const wish of growing) wish.segments += 1;
  return growing.length > 0;
}

/** Each with less of the suffix or of the folder's path than the name has. */
function plainNamesOf(wish: Wish): string[] {
  const names = new Set<string>();
  for (const keepSuffix of wish.keepSuffix ? [false, true] : [false]) {
    for (let segments = 0; segments <= wish.segments; segments += 1) {
      names.add(nameOf({ ...wish, keepSuffix, segments }));
    }
  }
  names.delete(nameOf(wish));
  return [...names];
}

function nameOf({ folder, below, keepSuffix, segments }: Wish): string {
  const folderSegments = segmentsOf(folder);
  const ownName = below === '' ? folderName(folderSegments) : below;
  const name = keepSuffix ? ownName : ownName.replace(/(?<=[^/])\.git$/, '');
  // The folder's own basename is already the name of a repository that is the folder itself.
  const prefixFrom = below === '' ? folderSegments.slice(0, -1) : folderSegments;
  const prefix = segments === 0 ? [] : prefixFrom.slice(-segments);
  return [...prefix, name].join('/');
}

/** `project` for `/srv/project/.git`. */
function folderName(segments: readonly string[]): string {
  const last = segments.at(-1);
  return (last === '.git' ? segments.at(-2) : last) ?? 'root';
}

const segmentsOf = (folder: string): string[] => folder.split('/').filter((segment) => segment !== '');
