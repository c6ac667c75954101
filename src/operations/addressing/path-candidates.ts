import type { Repository } from '../../catalog/index.ts';
import { pathEscapes } from '../errors.ts';

/** One reading of a path. The literal one comes first: a file may really be called `a.ts:12`. */
export interface PathCandidate {
  path: string;
  lines: { start: number; end: number } | null;
  /** Said when this reading is the one that exists. */
  note: string | null;
}

/** Every reading of `path` inside `repository`, in the order in which they should be tried. `also` is one more literal reading. */
export function pathCandidates(
  path: string,
  repository: Repository,
  also: string | null = null,
): PathCandidate[] {
  const candidates: PathCandidate[] = [];
  const add = (reading: string, lines: PathCandidate['lines'], note: string | null) => {
    const normal = normalPath(reading);
    if (normal === null) return;
    if (!candidates.some((known) => known.path === normal && sameLines(known.lines, lines))) {
      candidates.push({ path: normal, lines, note });
    }
  };
  for (const literal of also === null ? [path] : [path, also]) {
    add(literal, null, null);
    const slashed = forwardSlashes(literal);
    if (slashed !== literal) add(slashed, null, `Read "${literal}" with forward slashes.`);
    const { bare, lines } = splitLines(slashed);
    if (lines) add(bare, lines, `Took the line numbers out of the path "${literal}".`);
  }
  for (const { path: reading, lines } of [...candidates]) {
    for (const prefix of prefixesOf(repository)) {
      if (reading === prefix) add('', lines, null);
      else if (reading.startsWith(`${prefix}/`)) {
        add(
          reading.slice(prefix.length + 1),
          lines,
          `Left "${prefix}/" off the path: it is the repository's own name.`,
        );
      }
    }
    const side = /^[ab]\/(.+)$/.exec(reading);
    if (side) add(side[1]!, lines, `Left the diff's "${reading[0]}/" off the path.`);
  }
  if (candidates.length === 0) throw pathEscapes(path);
  return candidates;
}

/** Without empty and `.` parts, `..` followed; null when it leads out of the repository. */
function normalPath(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.trim().split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (parts.pop() === undefined) return null;
      continue;
    }
    parts.push(part);
  }
  return parts.join('/');
}

/** `\xNN` is how a byte is shown and stays; any other backslash is a Windows habit. */
function forwardSlashes(path: string): string {
  return path.replace(/\\(?!x[0-9a-fA-F]{2})/g, '/');
}

/** `file.ts:120`, `:120:5`, `:120-140`, `#L10-L20`, `#L10`, `(120,5)`, `file.ts, line 12`. */
function splitLines(path: string): { bare: string; lines: PathCandidate['lines'] } {
  const match =
    /^(.+?)(?:#L?(\d+)(?:C\d+)?(?:-L?(\d+)(?:C\d+)?)?|:L?(\d+)(?:-L?(\d+)|:\d+)?|\((\d+)(?:,\s*\d+)?\)|,? lines? (\d+)(?:-(\d+))?)$/.exec(
      path,
    );
  if (!match) return { bare: path, lines: null };
  const start = lineOf(match[2] ?? match[4] ?? match[6] ?? match[7]);
  const end = lineOf(match[3] ?? match[5] ?? match[8] ?? String(start));
  return { bare: match[1]!, lines: { start, end: Math.max(start, end) } };
}

/** No file has more lines, and no number in an address may be one that cannot be counted with. */
function lineOf(digits: string | undefined): number {
  return Math.min(Math.max(1, Number(digits)), 1_000_000_000);
}

function prefixesOf(repository: Repository): string[] {
  const short = repository.name.slice(repository.name.lastIndexOf('/') + 1);
  return [...new Set([`${repository.host}/${repository.name}`, repository.name, short])];
}

function sameLines(left: PathCandidate['lines'], right: PathCandidate['lines']): boolean {
  return left?.start === right?.start && left?.end === right?.end;
}
