import { takeBracketClass } from './bracket-class.ts';
import {
  ANY_BUT_LINE_FEED,
  ANY_CODE_POINT,
  type CodePointSet,
  contains,
  LINE_FEED,
  without,
} from './code-point-set.ts';
import { takeCharacterEscape, takeClassEscape } from './escapes.ts';
import { type Flags, takeGroupHead } from './group-head.ts';
import { PatternReader } from './pattern-reader.ts';
import { tooLarge } from './regex-errors.ts';
import { type Assertion, EMPTY, type Syntax } from './syntax-tree.ts';
import { foldCase } from './unicode-tables.ts';

export interface ParseOptions {
  /** As if the pattern began with (?i). */
  ignoreCase: boolean;
  /** The pattern is plain text: no character has a meaning of its own. */
  literal: boolean;
}

/** RE2's bound, also for the product of nested counts: `(a{100}){100}` is refused. */
const REPEAT_MAX = 1000;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;
const DEPTH_MAX = 250;
const NODES_MAX = 500_000;

const ASSERTION_ESCAPES: ReadonlyMap<string, Assertion> = new Map([
  ['b', 'word-edge'],
  ['B', 'no-word-edge'],
  ['A', 'text-start'],
  ['z', 'text-end'],
]);

export interface ParsedPattern {
  syntax: Syntax;
  /**
   * Matches may hold line breaks. A pattern has to name them, by `\n` or `(?s)`; then all that RE2 lets match a line break does, such
   * as `\s` and `[^a]`. In a pattern that does not, nothing matches one.
   */
  spansLines: boolean;
  /** It ends in `\s` or another class that would take the line break if one could: fewer lines match than some would expect. */
  endsInSpace: boolean;
}

/** RE2's syntax (https://github.com/google/re2/wiki/Syntax): `^` and `$` are line anchors unless (?-m). */
export function parse(source: string, options: ParseOptions): ParsedPattern {
  const byLine = new Parser(source, options, false);
  const syntax = byLine.parse();
  if (!byLine.namesLineBreak) return { syntax, spansLines: false, endsInSpace: byLine.endsInLossy(syntax) };
  const across = new Parser(source, options, true);
  return { syntax: across.parse(), spansLines: across.holdsLineBreak, endsInSpace: false };
}

/** What has been read of one alternative. `argument` says what a repetition operator would apply to. */
interface Alternative {
  items: Syntax[];
  argument: 'none' | 'item' | 'repeat';
  /** The product of the nested counts within the last item. */
  lastCount: number;
}

interface Parsed {
  syntax: Syntax;
  /** The largest product of nested counts within. */
  count: number;
}

class Parser {
  /** Whether the pattern has named a line break so far. */
  namesLineBreak = false;
  /** Whether some set of the result has it. */
  holdsLineBreak = false;
  readonly #reader: PatternReader;
  readonly #literal: boolean;
  readonly #keepsLineBreaks: boolean;
  #flags: Flags;
  #nodes = 0;
  /** Sets with a blank that the line break was taken out of. */
  readonly #lossy = new Set<Syntax>();
  /** Sets by their source text: equal ones are one object, so that the compiler makes one automaton of them. */
  readonly #sets = new Map<string, Syntax>();

  constructor(source: string, options: ParseOptions, keepsLineBreaks: boolean) {
    this.#reader = new PatternReader(source);
    this.#literal = options.literal;
    this.#keepsLineBreaks = keepsLineBreaks;
    this.#flags = { ignoreCase: options.ignoreCase, multiLine: true, swapGreed: false, dotAll: false };
  }

  parse(): Syntax {
    const reader = this.#reader;
    if (this.#literal) {
      const read: Alternative = { items: [], argument: 'none', lastCount: 1 };
      for (const item of this.#takeLiterals(reader.source.length)) append(read, item);
      return sequenceOf(read.items);
    }
    const { syntax } = this.#choice(0);
    if (reader.done) return syntax;
    reader.offset++;
    return reader.fail(
      reader.offset - 1,
      'This ) closes nothing',
      'Remove it, or write \\) for a parenthesis.',
    );
  }

  /** Alternatives up to the closing parenthesis, which stays, or the end. */
  #choice(depth: number): Parsed {
    if (depth > DEPTH_MAX) throw tooLarge(`its groups are nested more than ${DEPTH_MAX} deep`);
    const outerFlags = this.#flags;
    const options: Syntax[] = [];
    let count = 1;
    do {
      const alternative = this.#alternative(depth);
      options.push(alternative.syntax);
      count = Math.max(count, alternative.count);
    } while (this.#reader.take('|'));
    this.#flags = outerFlags;
    return { syntax: options.length === 1 ? options[0]! : { kind: 'choice', options }, count };
  }

  #alternative(depth: number): Parsed {
    const reader = this.#reader;
    const read: Alternative = { items: [], argument: 'none', lastCount: 1 };
    let count = 1;
    while (!reader.done && reader.peek() !== '|' && reader.peek() !== ')') {
      this.#piece(read, depth);
      count = Math.max(count, read.lastCount);
    }
    return { syntax: sequenceOf(read.items), count };
  }

  #piece(read: Alternative, depth: number): void {
    const reader = this.#reader;
    if (this.#takeRepetition(read)) return;
    if (reader.peek() === '(') {
      this.#group(read, depth);
      return;
    }
    if (reader.take('\\Q')) {
      const end = reader.source.indexOf('\\E', reader.offset);
      for (const item of this.#takeLiterals(end < 0 ? reader.source.length : end)) append(read, item);
      reader.take('\\E');
      return;
    }
    append(read, this.#single());
  }

  #group(read: Alternative, depth: number): void {
    const reader = this.#reader;
    const start = reader.offset++;
    const head = takeGroupHead(reader, start, this.#flags);
    const outerFlags = this.#flags;
    this.#flags = head.flags;
    this.namesLineBreak ||= head.flags.dotAll;
    if (head.kind === 'flags') {
      // RE2 lets a repetition after (?i) apply to what stood before it.
      if (read.argument === 'repeat') read.argument = 'item';
      return;
    }
    const { syntax, count } = this.#choice(depth + 1);
    this.#flags = outerFlags;
    if (!reader.take(')')) {
      reader.offset = start + 1;
      reader.fail(start, 'This ( is never closed', 'Add the ), or write \\( for a parenthesis.');
    }
    append(read, syntax, count);
  }

  /** One item that is neither a group nor a repetition. */
  #single(): Syntax {
    const reader = this.#reader;
    const start = reader.offset;
    switch (reader.peek()) {
      case '.':
        reader.offset++;
        return this.#flags.dotAll
          ? this.#class(start, ANY_CODE_POINT)
          : this.#set('.', () => ANY_BUT_LINE_FEED);
      case '^':
        reader.offset++;
        return this.#assertion(this.#flags.multiLine ? 'line-start' : 'text-start');
      case '$':
        reader.offset++;
        return this.#assertion(this.#flags.multiLine ? 'line-end' : 'text-end');
      case '[': {
        const { set, namesLineBreak } = takeBracketClass(reader, this.#flags.ignoreCase);
        this.namesLineBreak ||= namesLineBreak;
        return this.#class(start, set);
      }
      case '\\':
        return this.#escape(start);
      default:
        return this.#character(reader.takeCodePoint());
    }
  }

  #escape(start: number): Syntax {
    const reader = this.#reader;
    const assertion = ASSERTION_ESCAPES.get(reader.peek(1));
    if (assertion) {
      reader.offset += 2;
      return this.#assertion(assertion);
    }
    const set = takeClassEscape(reader, this.#flags.ignoreCase);
    if (set) return this.#class(start, set);
    return this.#character(takeCharacterEscape(reader));
  }

  /** A `*`, `+`, `?` or `{n,m}` applied to the last item; false if none stands here. */
  #takeRepetition(read: Alternative): boolean {
    const reader = this.#reader;
    const start = reader.offset;
    const bounds = takeBounds(reader);
    if (!bounds) return false;
    const { min, max } = bounds;
    const lazy = reader.take('?') !== this.#flags.swapGreed;
    if (max < min || min > REPEAT_MAX || (max !== Number.POSITIVE_INFINITY && max > REPEAT_MAX)) {
      reader.fail(
        start,
        'The repeat count is not valid',
        `Write {min,max} with min <= max <= ${REPEAT_MAX}.`,
      );
    }
    if (read.argument === 'none') {
      reader.fail(
        start,
        'There is nothing to repeat',
        `Put something before it, or escape it: \\${reader.source[start]}.`,
      );
    }
    if (read.argument === 'repeat') this.#refuseNested(start);
    const largest = max === Number.POSITIVE_INFINITY ? min : max;
    if (bounds.counted) read.lastCount *= Math.max(1, largest);
    if (read.lastCount > REPEAT_MAX) {
      reader.fail(
        start,
        `The nested repeat counts multiply to more than ${REPEAT_MAX}`,
        'Use smaller counts, or + and *.',
      );
    }
    this.#count();
    read.items.push({ kind: 'repeat', item: read.items.pop()!, min, max, lazy });
    read.argument = 'repeat';
    return true;
  }

  #refuseNested(start: number): never {
    const reader = this.#reader;
    if (reader.source[start] === '+') {
      reader.failUnsupported(
        start,
        'Possessive repetition is not supported',
        'Leave the second + out: nothing backtracks here, so the plain form costs no more.',
      );
    }
    return reader.fail(
      start,
      'A repetition is repeated',
      'Remove one of the two, or write (?:...) around the inner one.',
    );
  }

  #takeLiterals(end: number): Syntax[] {
    const reader = this.#reader;
    const items: Syntax[] = [];
    while (reader.offset < end) items.push(this.#character(reader.takeCodePoint()));
    return items;
  }

  #character(codePoint: number): Syntax {
    this.namesLineBreak ||= codePoint === LINE_FEED;
    return this.#set(`character ${codePoint}`, () => {
      const set = [codePoint, codePoint];
      return this.#flags.ignoreCase ? foldCase(set) : set;
    });
  }

  #class(start: number, set: CodePointSet): Syntax {
    const all = this.#flags.dotAll ? ' with (?s)' : '';
    return this.#set(`class ${this.#reader.source.slice(start, this.#reader.offset)}${all}`, () => set);
  }

  #assertion(assertion: Assertion): Syntax {
    this.#count();
    return { kind: 'assertion', assertion };
  }

  /** The set that `name` stands for; without the line feed where lines are matched one by one. */
  #set(name: string, members: () => CodePointSet): Syntax {
    this.#count();
    const key = this.#flags.ignoreCase ? `${name} in any case` : name;
    const known = this.#sets.get(key);
    if (known) return known;
    const all = members();
    const hasLineFeed = contains(all, LINE_FEED);
    this.holdsLineBreak ||= hasLineFeed;
    const made: Syntax = { kind: 'set', set: this.#keepsLineBreaks ? all : without(all, LINE_FEED) };
    // Nothing but a line break is in it: `[^\x00-\x09\x0b-\x{10FFFF}]`.
    if (hasLineFeed && all.length === 2 && all[0] === all[1]) this.namesLineBreak = true;
    if (hasLineFeed && contains(all, BLANK)) this.#lossy.add(made);
    this.#sets.set(key, made);
    return made;
  }

  /** Whether what every match ends in is a class that has lost the line break. Behind it assertions may stand. */
  endsInLossy(syntax: Syntax): boolean {
    switch (syntax.kind) {
      case 'set':
        return this.#lossy.has(syntax);
      case 'sequence': {
        const last = syntax.items.findLast((item) => item.kind !== 'assertion');
        return last !== undefined && this.endsInLossy(last);
      }
      case 'choice':
        return syntax.options.some((option) => this.endsInLossy(option));
      case 'repeat':
        return syntax.min > 0 && this.endsInLossy(syntax.item);
      default:
        return false;
    }
  }

  #count(): void {
    if (++this.#nodes > NODES_MAX) throw tooLarge(`it has more than ${NODES_MAX} parts`);
  }
}

function append(read: Alternative, item: Syntax, count = 1): void {
  // `\r\n` in a text is one line break and `\n` matches it, so a pattern that writes both means the same.
  if (read.argument === 'item' && isOnly(item, LINE_FEED) && isOnly(read.items.at(-1)!, CARRIAGE_RETURN)) {
    read.items.pop();
  }
  read.items.push(item);
  read.argument = 'item';
  read.lastCount = count;
}

function isOnly(item: Syntax, codePoint: number): boolean {
  return (
    item.kind === 'set' && item.set.length === 2 && item.set[0] === codePoint && item.set[1] === codePoint
  );
}

function sequenceOf(items: Syntax[]): Syntax {
  if (items.length === 0) return EMPTY;
  return items.length === 1 ? items[0]! : { kind: 'sequence', items };
}

interface Bounds {
  min: number;
  max: number;
  /** Written as {n,m}, which counts towards the bound on products. */
  counted: boolean;
}

/** The bounds of a repetition operator, consumed. As in RE2 a `{` that begins no count, or one with leading zeros, is a plain character. */
function takeBounds(reader: PatternReader): Bounds | undefined {
  if (reader.take('*')) return { min: 0, max: Number.POSITIVE_INFINITY, counted: false };
  if (reader.take('+')) return { min: 1, max: Number.POSITIVE_INFINITY, counted: false };
  if (reader.take('?')) return { min: 0, max: 1, counted: false };
  const found = reader.takeMatch(/\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*|))?\}/y);
  if (!found) return undefined;
  const min = Number(found[1]);
  if (!found[2]) return { min, max: min, counted: true };
  return { min, max: found[3] ? Number(found[3]) : Number.POSITIVE_INFINITY, counted: true };
}
