import { PeriscopeError } from '../../base/errors.ts';
import type { Repository } from '../../catalog/index.ts';
import type { Content } from '../../content/index.ts';
import type { Mirror } from '../../mirrors/index.ts';

/** Lines of one file at one commit. */
export interface WantedLines {
  repositoryId: number;
  commit: string;
  path: string;
  lines: readonly number[];
}

export interface Slices {
  /** Null where the content door gives no such line now. */
  line(place: Omit<WantedLines, 'lines'>, line: number): string | null;
}

export interface SliceDeps {
  content: Content;
  mirrorOf(repository: Repository): Mirror;
}

const FILES_AT_ONCE = 8;
/** A line as long as this is machine-made: what lies behind is not shown. */
const LINE_BYTES_READ_MAX = 1 << 16;

/** Reads lines anew through the content door: what an answer shows is what may be shown now, credentials masked. */
export async function fileSlices(
  wanted: readonly WantedLines[],
  repositories: ReadonlyMap<number, Repository>,
  deps: SliceDeps,
  signal: AbortSignal,
): Promise<Slices> {
  const files = new Map<string, WantedLines & { lines: number[] }>();
  for (const { lines, ...place } of wanted) {
    const file = files.get(keyOf(place));
    if (file) file.lines.push(...lines);
    else files.set(keyOf(place), { ...place, lines: [...lines] });
  }
  const read = new Map<string, ReadonlyMap<number, string>>();
  const all = [...files];
  for (let at = 0; at < all.length; at += FILES_AT_ONCE) {
    const some = all.slice(at, at + FILES_AT_ONCE);
    await Promise.all(
      some.map(async ([key, file]) => {
        const repository = repositories.get(file.repositoryId);
        if (repository) read.set(key, await linesOf(file, deps.mirrorOf(repository), deps.content, signal));
      }),
    );
  }
  return { line: (place, line) => read.get(keyOf(place))?.get(line) ?? null };
}

async function linesOf(
  { commit, path, lines }: WantedLines,
  mirror: Mirror,
  content: Content,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  try {
    const firstLine = Math.min(...lines);
    const document = await content.open(mirror, commit, path, { signal, firstLine });
    if (document.kind !== 'text') return found;
    for (const line of new Set(lines)) {
      const text = document.lines(line, 1, LINE_BYTES_READ_MAX).lines[0];
      if (text !== undefined) found.set(line, text);
    }
    return found;
  } catch (fault) {
    // What has not passed the door goes to nobody.
    if (fault instanceof PeriscopeError && fault.kind !== 'cancelled') return found;
    throw fault;
  }
}

function keyOf({ repositoryId, commit, path }: Omit<WantedLines, 'lines'>): string {
  return `${repositoryId} ${commit} ${path}`;
}
