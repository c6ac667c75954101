import { shownPath } from '../../base/byte-path.ts';
import type { ObjectStore, ReadRepository } from '../objects/object-store.ts';
import { pathBytes } from '../objects/repository-path.ts';
import { type HistoryDeps, historyCommand } from './history-command.ts';

export interface DiffQuery {
  commit: string;
  against?: string;
  path: string;
  contextLines: number;
  bytesMax: number;
}

export interface CommitDiff {
  patch: Buffer;
  truncated: boolean;
  files: { path: string; status: string; added: number | null; removed: number | null }[];
}

/** Room for the list of files in front of the patch. */
const listBytesMax = 8 * 1024 * 1024;

const emptyTree = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

export async function commitDiff(
  repository: ReadRepository,
  query: DiffQuery,
  signal: AbortSignal,
  deps: HistoryDeps & { objects: ObjectStore },
): Promise<CommitDiff> {
  const commit = await deps.objects.commit(repository, query.commit);
  const before = query.against
    ? (await deps.objects.commit(repository, query.against)).tree
    : await firstParentTree(repository, commit.parents[0], deps.objects);
  const output = await historyCommand(
    repository,
    {
      doing: 'Reading a change',
      args: [
        'diff-tree',
        '-r',
        '-z',
        '--find-renames',
        '--raw',
        '--numstat',
        '--patch',
        `--unified=${query.contextLines}`,
        '--no-color',
        '--no-ext-diff',
        '--no-textconv',
        '--src-prefix=a/',
        '--dst-prefix=b/',
      ],
      objectIds: [before, commit.tree],
      path: pathBytes(query.path),
      stdoutBytesMax: listBytesMax + query.bytesMax,
      signal,
    },
    deps,
  );
  const { files, patchAt } = parseFiles(output.stdout);
  const patch = output.stdout.subarray(patchAt);
  return {
    patch: Buffer.from(patch.subarray(0, query.bytesMax)),
    truncated: output.cut || patch.length > query.bytesMax,
    files,
  };
}

/** At the end of a shallow clone's history the parent is named and not there: all of the commit is new then, as in git. */
async function firstParentTree(
  repository: ReadRepository,
  parent: string | undefined,
  objects: ObjectStore,
): Promise<string> {
  const found = parent === undefined ? null : await objects.commitOfHex(repository, parent);
  if (found === null) return emptyTree[repository.objects.objectFormat];
  return (await objects.commit(repository, found)).tree;
}

/** `:modes ids status NUL path NUL` for each file, then `added TAB removed TAB path NUL`, an empty field, and the patch. */
function parseFiles(output: Buffer): { files: CommitDiff['files']; patchAt: number } {
  const files = new Map<string, CommitDiff['files'][number]>();
  let at = 0;
  const field = (): Buffer | null => {
    const end = output.indexOf(0, at);
    if (end < 0) return null;
    const found = output.subarray(at, end);
    at = end + 1;
    return found;
  };
  while (output[at] === 0x3a) {
    const status = field()?.toString('latin1').split(' ')[4]?.[0] ?? '';
    const first = field();
    const path = status === 'R' || status === 'C' ? field() : first;
    if (path === null) return { files: [...files.values()], patchAt: output.length };
    const shown = shownPath(path);
    files.set(shown, { path: shown, status, added: null, removed: null });
  }
  for (let counts = field(); counts !== null && counts.length > 0; counts = field()) {
    const [added = '', removed = ''] = counts.toString('latin1').split('\t', 2);
    const inline = counts.subarray(added.length + removed.length + 2);
    // A rename leaves the path empty and names the old and the new one in fields of their own.
    let path: Buffer | null = inline;
    if (inline.length === 0) {
      field();
      path = field();
    }
    const file = path === null ? undefined : files.get(shownPath(path));
    // Binary files count as `-`.
    if (file && added !== '-') Object.assign(file, { added: Number(added), removed: Number(removed) });
  }
  return { files: [...files.values()], patchAt: at };
}
