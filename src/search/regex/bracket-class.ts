import { CODE_POINT_MAX, type CodePointSet, complementOf, LINE_FEED, setOf } from './code-point-set.ts';
import { takeCharacterEscape, takeClassEscape } from './escapes.ts';
import { posixClasses } from './named-classes.ts';
import type { PatternReader } from './pattern-reader.ts';
import { foldCase } from './unicode-tables.ts';

export interface BracketClass {
  set: CodePointSet;
  /** The line break is a member and written out, as in `[,\n]`; or the class is everything, as in `[\s\S]`, which has no other use. */
  namesLineBreak: boolean;
}

/** A class in brackets, `[^a-z\d[:punct:]]`, consumed. A `]` that stands first is a member. */
export function takeBracketClass(reader: PatternReader, ignoreCase: boolean): BracketClass {
  const start = reader.offset;
  reader.offset++;
  const negated = reader.take('^');
  const ranges: number[] = [];
  let hasLineFeed = false;
  const add = (set: CodePointSet) => {
    for (const bound of set) ranges.push(bound);
  };
  for (let first = true; first || reader.peek() !== ']'; first = false) {
    if (reader.done) {
      reader.fail(start, 'The class has no closing ]', 'Close it with ], or write \\[ for a bracket.');
    }
    const member = takePosixClass(reader, ignoreCase) ?? takeClass(reader, ignoreCase);
    if (member) {
      add(member);
      continue;
    }
    const range = takeRange(reader);
    hasLineFeed ||= range.includes(LINE_FEED);
    add(ignoreCase ? foldCase(range) : range);
  }
  reader.offset++;
  const members = setOf(ranges);
  const set = negated ? complementOf(members) : members;
  const isEverything = set[0] === 0 && set[1] === CODE_POINT_MAX;
  return { set, namesLineBreak: isEverything || (hasLineFeed && !negated) };
}

function takePosixClass(reader: PatternReader, ignoreCase: boolean): CodePointSet | undefined {
  const start = reader.offset;
  const found = reader.startsWith('[:') ? reader.takeMatch(/\[:(\^?)(.*?):\]/sy) : undefined;
  if (!found) return undefined;
  const named = posixClasses.get(found[2]!);
  if (!named) {
    reader.fail(start, `There is no class ${found[0]}`, `Use one of ${[...posixClasses.keys()].join(', ')}.`);
  }
  const set = ignoreCase ? foldCase(named) : named;
  return found[1] ? complementOf(set) : set;
}

function takeClass(reader: PatternReader, ignoreCase: boolean): CodePointSet | undefined {
  return reader.peek() === '\\' ? takeClassEscape(reader, ignoreCase) : undefined;
}

/** One character or two with a hyphen between, consumed. */
function takeRange(reader: PatternReader): CodePointSet {
  const start = reader.offset;
  const low = takeBound(reader);
  let high = low;
  const isRange = reader.peek() === '-' && reader.peek(1) !== '' && reader.peek(1) !== ']';
  if (isRange) {
    reader.offset++;
    high = takeBound(reader);
    if (high < low) {
      reader.fail(start, 'The range is out of order', 'Write the lower end first, or \\- for a hyphen.');
    }
  }
  return [low, high];
}

function takeBound(reader: PatternReader): number {
  return reader.peek() === '\\' ? takeCharacterEscape(reader) : reader.takeCodePoint();
}
