import { shownPath } from '../base/byte-path.ts';

export interface PatchSection {
  /** Shown form of the names on both sides; empty when the header tells none that can be read. */
  paths: string[];
  bytes: Buffer;
}

/**
 * A unified diff cut into its files. A line of content always begins with a space, a sign or a backslash, so a line that begins
 * with `diff --` is a header whatever the files hold. What stands before the first header is dropped.
 */
export function patchSections(patch: Buffer): PatchSection[] {
  const starts: number[] = [];
  for (let at = 0; at >= 0 && at < patch.length; at = patch.indexOf(0x0a, at) + 1 || -1) {
    if (patch.subarray(at, at + headerStart.length).equals(headerStart)) starts.push(at);
  }
  return starts.map((start, index) => {
    const bytes = patch.subarray(start, starts[index + 1] ?? patch.length);
    return { paths: pathsOf(bytes), bytes };
  });
}

const headerStart = Buffer.from('diff --');

/** Git's format (diff.c): `diff --git a/X b/X`, then `rename from X`, `--- a/X`, `+++ b/X`; odd names are quoted as in C. */
function pathsOf(section: Buffer): string[] {
  const paths = new Set<string>();
  let isFirst = true;
  for (const line of headerLines(section)) {
    const named = isFirst ? undefined : /^(?:rename|copy) (?:from|to) (.*)$/s.exec(line)?.[1];
    const sided = isFirst ? undefined : /^(?:---|\+\+\+) (.*?)\t?$/s.exec(line)?.[1];
    if (named !== undefined) paths.add(shownName(unquoted(named)));
    if (sided !== undefined && sided !== '/dev/null') paths.add(shownName(withoutSide(unquoted(sided))));
    isFirst = false;
  }
  if (paths.size === 0) {
    const same = nameInHeader(section);
    if (same !== null) paths.add(shownName(same));
  }
  return [...paths];
}

/** Up to the first hunk. Latin-1 keeps the bytes apart. */
function* headerLines(section: Buffer): Generator<string> {
  for (let from = 0; from < section.length; ) {
    const newline = section.indexOf(0x0a, from);
    const to = newline < 0 ? section.length : newline;
    const line = section.toString('latin1', from, to);
    if (/^(?:@@|Binary files |GIT binary patch)/.test(line)) return;
    yield line;
    from = to + 1;
  }
}

/** The name in a first line whose two sides are the same, as they are where nothing else tells it: a mode change, an empty file. */
function nameInHeader(section: Buffer): string | null {
  const newline = section.indexOf(0x0a);
  const line = section.toString('latin1', 0, newline < 0 ? section.length : newline);
  const combined = /^diff --(?:cc|combined) (.*)$/s.exec(line)?.[1];
  if (combined !== undefined) return unquoted(combined);
  const sides = /^diff --git (.*)$/s.exec(line)?.[1];
  if (sides === undefined) return null;
  const half = (sides.length - 1) / 2;
  if (!Number.isInteger(half) || sides[half] !== ' ') return null;
  const name = withoutSide(unquoted(sides.slice(0, half)));
  return name === withoutSide(unquoted(sides.slice(half + 1))) ? name : null;
}

const withoutSide = (name: string): string => name.replace(/^[a-z]\//, '');

const escapes: Record<string, string> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
};

function unquoted(name: string): string {
  if (!name.startsWith('"') || !name.endsWith('"') || name.length < 2) return name;
  return name
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/gs, (_, escaped: string) =>
      escaped.length === 3
        ? String.fromCharCode(Number.parseInt(escaped, 8) & 0xff)
        : (escapes[escaped] ?? escaped),
    );
}

const shownName = (latin1: string): string => shownPath(Buffer.from(latin1, 'latin1'));
