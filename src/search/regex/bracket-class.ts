import { type CodePointSet, complementOf, setOf } from './code-point-set.ts';
import { takeCharacterEscape, takeClassEscape } from './escapes.ts';
import { posixClasses } from './named-classes.ts';
import type { PatternReader } from './pattern-reader.ts';
import { foldCase } from './unicode-tables.ts';

/** A class in brackets, `[^a-z\d[:punct:]]`, consumed. A `]` that stands first is a member. */
export function takeBracketClass(reader: PatternReader, ignoreCase: boolean): CodePointSet {
  const start = reader.offset;
  reader.offset++;
  const negated = reader.take('^');
  const ranges: number[] = [];
  const add = (set: CodePointSet) => {
    for (const bound of set) ranges.push(bound);
  };
  for (let first = true; first || reader.peek() !== ']'; first = false) {
    if (reader.done) {
      reader.fail(start, 'The class has no closing ]', 'Close it with ], or write \\[ for a bracket.');
    }
    add(takePosixClass(reader, ignoreCase) ?? takeMember(reader, ignoreCase));
  }
  reader.offset++;
  const set = setOf(ranges);
  return negated ? complementOf(set) : set;
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

function takeMember(reader: PatternReader, ignoreCase: boolean): CodePointSet {
  const start = reader.offset;
  const escaped = reader.peek() === '\\' ? takeClassEscape(reader, ignoreCase) : undefined;
  if (escaped) return escaped;
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
  return ignoreCase ? foldCase([low, high]) : [low, high];
}

function takeBound(reader: PatternReader): number {
  return reader.peek() === '\\' ? takeCharacterEscape(reader) : reader.takeCodePoint();
}
