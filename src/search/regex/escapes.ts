import { CODE_POINT_MAX, type CodePointSet, complementOf } from './code-point-set.ts';
import { perlClasses } from './named-classes.ts';
import type { PatternReader } from './pattern-reader.ts';
import { foldCase, unicodeProperty } from './unicode-tables.ts';

const CONTROL_ESCAPES = new Map([
  ['a', 0x07],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
]);

/** Escapes that other engines have: what each is called and what to write here. */
const FOREIGN_ESCAPES = new Map([
  ['Z', ['The anchor \\Z is not supported', 'Write \\z for the end of the text or $ for the end of a line.']],
  ['G', ['The anchor \\G is not supported', 'Leave it out.']],
  [
    'K',
    [
      '\\K (keep out) is not supported',
      'Write the whole pattern without it: every match is shown with its line.',
    ],
  ],
  ['h', ['The class \\h is not supported', 'Write [ \\t].']],
  ['H', ['The class \\H is not supported', 'Write [^ \\t].']],
  ['R', ['The class \\R is not supported', 'Write \\n: it matches \\r\\n too.']],
  ['X', ['The class \\X is not supported', 'Write \\PM\\pM* for a letter with its marks.']],
  ['C', ['The class \\C (one byte) is not supported', 'Write . for one character.']],
  ['u', ['The escape \\u is not supported', 'Write \\x{00E9}, with the code point in braces.']],
  ['U', ['The escape \\U is not supported', 'Write \\x{1F600}, with the code point in braces.']],
  [
    'k',
    [
      'Backreferences are not supported',
      'They cannot be matched in linear time: write out what the group may hold.',
    ],
  ],
  [
    'g',
    [
      'Backreferences are not supported',
      'They cannot be matched in linear time: write out what the group may hold.',
    ],
  ],
]);

const WHAT_TO_ESCAPE = 'Write \\\\ for a backslash; only punctuation needs an escape.';

/** `\d \S \pL \p{^Lu}` and the like, consumed; undefined if no class begins here. */
export function takeClassEscape(reader: PatternReader, ignoreCase: boolean): CodePointSet | undefined {
  const letter = reader.peek(1);
  const perl = perlClasses.get(letter.toLowerCase());
  if (perl) {
    reader.offset += 2;
    const set = ignoreCase ? foldCase(perl) : perl;
    return letter === letter.toLowerCase() ? set : complementOf(set);
  }
  if (letter === 'p' || letter === 'P') return takeProperty(reader, ignoreCase);
  return undefined;
}

function takeProperty(reader: PatternReader, ignoreCase: boolean): CodePointSet {
  const start = reader.offset;
  let negated = reader.peek(1) === 'P';
  reader.offset += 2;
  let name: string;
  if (reader.take('{')) {
    const found = reader.takeMatch(/([^}]*)\}/y);
    if (!found) {
      reader.offset = reader.source.length;
      reader.fail(start, 'The class has no closing }', 'Write \\p{Greek} or \\pL.');
    }
    name = found[1]!;
  } else {
    name = reader.done ? '' : String.fromCodePoint(reader.takeCodePoint());
  }
  if (name.startsWith('^')) {
    negated = !negated;
    name = name.slice(1);
  }
  const named = unicodeProperty(name);
  if (!named) {
    reader.fail(
      start,
      `There is no Unicode class named "${name}"`,
      'Use a general category such as \\pL or \\p{Lu}, or a script such as \\p{Greek}.',
    );
  }
  const set = ignoreCase ? foldCase(named) : named;
  return negated ? complementOf(set) : set;
}

/** An escape that stands for one code point, consumed. */
export function takeCharacterEscape(reader: PatternReader): number {
  const start = reader.offset;
  reader.offset++;
  if (reader.done) reader.fail(start, 'The pattern ends in a lone backslash', 'Write \\\\ for a backslash.');
  const octal = reader.takeMatch(/[1-7][0-7]{1,2}|0[0-7]{0,2}/y);
  if (octal) return Number.parseInt(octal[0], 8);
  const letter = reader.peek();
  if (letter === 'x') return takeHexadecimal(reader, start);
  const control = CONTROL_ESCAPES.get(letter);
  if (control !== undefined) {
    reader.offset++;
    return control;
  }
  if (/[A-Za-z0-9]/.test(letter) || letter.charCodeAt(0) > 0x7f) refuseEscape(reader, start, letter);
  return reader.takeCodePoint();
}

function takeHexadecimal(reader: PatternReader, start: number): number {
  const found = reader.takeMatch(/x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,8})\})/y);
  const value = found ? Number.parseInt(found[1] ?? found[2]!, 16) : Number.POSITIVE_INFINITY;
  if (value <= CODE_POINT_MAX) return value;
  if (!found) reader.offset++;
  reader.fail(start, 'The hexadecimal escape is not valid', 'Write \\x7F or \\x{10FFFF}.');
}

function refuseEscape(reader: PatternReader, start: number, letter: string): never {
  reader.takeCodePoint();
  if (/[1-9]/.test(letter)) {
    reader.failUnsupported(
      start,
      'Backreferences are not supported',
      'They cannot be matched in linear time: write out what the group may hold.',
    );
  }
  const foreign = FOREIGN_ESCAPES.get(letter);
  if (foreign) reader.failUnsupported(start, foreign[0]!, foreign[1]!);
  reader.fail(start, `There is no escape \\${letter}`, WHAT_TO_ESCAPE);
}
