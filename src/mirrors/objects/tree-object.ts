import { shownPath } from '../../base/byte-path.ts';
import type { EntryKind } from '../types.ts';

export interface TreeItem {
  /** Shown form of one name. */
  name: string;
  kind: EntryKind;
  oid: string;
}

/** A tree object, parsed once. */
export interface TreeObject {
  /** In git's order. */
  readonly items: readonly TreeItem[];
  find(name: string): TreeItem | undefined;
}

/** Tree format: `mode SP name NUL id`, the id of 20 or 32 raw bytes. Throws RangeError when it is cut short. */
export function parseTree(raw: Buffer, oidBytes: number): TreeObject {
  const items: TreeItem[] = [];
  for (let at = 0; at < raw.length; ) {
    const space = raw.indexOf(0x20, at);
    const nul = raw.indexOf(0, space + 1);
    const next = nul + 1 + oidBytes;
    if (space < 0 || nul < 0 || next > raw.length) throw new RangeError('a tree object that is cut short');
    items.push({
      name: shownPath(raw.subarray(space + 1, nul)),
      kind: kindOfMode(raw.toString('latin1', at, space)),
      oid: raw.toString('hex', nul + 1, next),
    });
    at = next;
  }
  let byName: Map<string, TreeItem> | null = null;
  return {
    items,
    find(name) {
      // Only directories that paths lead through pay for the index. Of two entries with one name the first counts, as in git.
      byName ??= new Map(items.toReversed().map((item) => [item.name, item]));
      return byName.get(name);
    },
  };
}

/** Old tools wrote modes such as 100664 and 040000: the type bits decide, as in git. */
function kindOfMode(mode: string): EntryKind {
  const bits = Number.parseInt(mode, 8);
  switch (bits & 0o170000) {
    case 0o040000:
      return 'directory';
    case 0o120000:
      return 'symlink';
    case 0o160000:
      return 'submodule';
    default:
      return (bits & 0o111) === 0 ? 'file' : 'executable';
  }
}
