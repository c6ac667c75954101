import type { PatternReader } from './pattern-reader.ts';

export interface Flags {
  /** `i`: letters match in any case. */
  ignoreCase: boolean;
  /** `m`: `^` and `$` stand for the line's ends. On from the start, since text is searched line by line. */
  multiLine: boolean;
  /** `U`: `*` is lazy and `*?` is greedy. */
  swapGreed: boolean;
  /** `s`: `.` matches a line break. */
  dotAll: boolean;
}

export type GroupHead =
  | { readonly kind: 'group'; readonly flags: Flags }
  /** `(?i)`: no group, the flags hold up to the end of the surrounding one. */
  | { readonly kind: 'flags'; readonly flags: Flags };

const UNSUPPORTED_HEADS: readonly [pattern: RegExp, what: string, next: string][] = [
  [
    /\?<?[=!]/y,
    'Lookaround is not supported',
    'It cannot be matched in linear time: search for the text itself and filter the lines, or use two searches.',
  ],
  [
    /\?>/y,
    'Atomic groups are not supported',
    'Write (?:...): nothing backtracks here, so the group costs nothing.',
  ],
  [/\?\(/y, 'Conditional groups are not supported', 'Write the two cases as alternatives: (?:...|...).'],
  [
    /\?(?:R|&|P>|[+-]?\d)/y,
    'Recursion is not supported',
    'Write out the nesting to the depth that you need.',
  ],
  [
    /\?P=/y,
    'Backreferences are not supported',
    'They cannot be matched in linear time: write out what the group may hold.',
  ],
  [/\?#/y, 'Comments are not supported', 'Leave the comment out.'],
  [/\?\|/y, 'Branch reset groups are not supported', 'Write (?:...|...).'],
];

/** What stands between `(` and the group's content, consumed. The reader stands behind the `(` at `start`. */
export function takeGroupHead(reader: PatternReader, start: number, outer: Flags): GroupHead {
  if (reader.peek() !== '?') return { kind: 'group', flags: outer };
  for (const [pattern, what, next] of UNSUPPORTED_HEADS) {
    if (reader.takeMatch(pattern)) reader.failUnsupported(start, what, next);
  }
  const named = reader.takeMatch(/\?P?<([^>]*)>/y);
  if (named) {
    if (!/^[A-Za-z0-9_]+$/.test(named[1]!)) {
      reader.fail(
        start,
        'The group has no valid name',
        'Write (?P<name>...) with letters, digits and _, or (?:...).',
      );
    }
    return { kind: 'group', flags: outer };
  }
  return takeFlags(reader, start, outer);
}

function takeFlags(reader: PatternReader, start: number, outer: Flags): GroupHead {
  const found = reader.takeMatch(/\?([imsU]*)(-[imsU]+)?([:)])/y);
  if (!found) {
    if (reader.takeMatch(/\?[a-zA-Z-]*x/y)) {
      reader.failUnsupported(
        start,
        'The flag x (free spacing) is not supported',
        'Write the pattern without extra blanks.',
      );
    }
    reader.takeMatch(/\?[a-zA-Z-]*./suy);
    reader.fail(
      start,
      'The group does not begin in a known way',
      'Write (?:...), (?P<name>...) or flags such as (?i).',
    );
  }
  const flags = { ...outer };
  set(flags, found[1]!, true);
  set(flags, found[2] ?? '', false);
  return { kind: found[3] === ':' ? 'group' : 'flags', flags };
}

function set(flags: Flags, letters: string, on: boolean): void {
  if (letters.includes('i')) flags.ignoreCase = on;
  if (letters.includes('m')) flags.multiLine = on;
  if (letters.includes('U')) flags.swapGreed = on;
  if (letters.includes('s')) flags.dotAll = on;
}
