import type { SeededRandom } from '../../../base/testing/seeded-random.ts';

/** Characters that patterns and lines are made of: those that case folding, encodings of each length and `\b` tell apart. */
const CHARACTERS = [
  ...[
    'a',
    'b',
    'c',
    'A',
    'B',
    'k',
    's',
    'K',
    'S',
    '0',
    '1',
    '_',
    ' ',
    '-',
    'é',
    'É',
    'ß',
    'ẞ',
    'ſ',
    '\u212a',
    'σ',
    'ς',
    'Σ',
  ],
  ...['日', '本', '😀', 'ǅ', '\ufffd', 'İ', 'ı', 'i', 'I', 'Ა', 'ა', 'ꭰ', 'Ꭰ', 'µ', 'μ'],
];
/** With few characters long matches are likely. */
const FEW_CHARACTERS = ['a', 'b', 'a', 'b', 'c', 'A', '0', ' ', 'é'];

const CLASSES = [
  ...[
    '\\d',
    '\\w',
    '\\s',
    '\\D',
    '\\W',
    '\\S',
    '\\pL',
    '\\PL',
    '\\p{Lu}',
    '\\p{^Ll}',
    '\\pN',
    '\\p{Greek}',
    '\\p{Lt}',
  ],
  ...['[[:alpha:]]', '[[:^alpha:]]', '[[:word:]]', '\\pM', '\\p{So}'],
];
const REPETITIONS = ['*', '+', '?', '{2}', '{0,2}', '{1,3}', '{2,}', '{0}', '{1}', '{3,5}'];
const ASSERTIONS = ['^', '$', '\\b', '\\B', '\\A', '\\z', '\\b'];
const FLAGGED_GROUPS = ['(?i:', '(?s:', '(?U:', '(?-i:', '(', '(?-m:'];
const DAMAGES = [
  ...[
    '',
    '',
    '(',
    ')',
    '*',
    '+',
    '?',
    '{2}',
    '{',
    '}',
    '[',
    ']',
    '^',
    '-',
    '|',
    '\\',
    '\\1',
    '\\x',
    '(?',
    '(?=',
    '(?<n>',
  ],
  ...[
    '(?P<',
    '(?i)',
    '(?is-m:',
    '\\Q',
    '\\E',
    '\\p',
    '\\C',
    '[:alpha:]',
    '{1001}',
    '{2,1}',
    ':',
    '\\07',
    '\\Z',
    '&&',
  ],
];
/** Torn, overlong, surrogate and out-of-range encodings. */
const BAD_ENCODINGS = [
  ...[[0x80], [0xff], [0xfe], [0xc3], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98], [0xc0, 0x80]],
  ...[[0xf4, 0x90, 0x80, 0x80], [0xe6, 0x97], [0xbd], [0xef, 0xbf]],
].map((bytes) => Buffer.from(bytes));

export interface RandomQuestion {
  pattern: string;
  /** Lines, or whole texts. */
  lines: Buffer[];
}

/** As randomQuestion, of patterns that name the line break and texts of a few lines. */
export function randomTextQuestion(random: SeededRandom, textCount: number): RandomQuestion {
  const characters = [...FEW_CHARACTERS.slice(0, 4 + random.below(6)), '\n', '\n'];
  const flag = random.pick(['', '(?s)', '(?s)', '(?i)', '(?is)']);
  return {
    pattern: flag + new PatternWriter(random, characters).alternatives(3),
    lines: Array.from({ length: textCount }, () => randomText(random)),
  };
}

function randomText(random: SeededRandom): Buffer {
  const parts: Buffer[] = [];
  for (let left = random.below(7); left > 0; left--) {
    if (random.below(4) !== 0) parts.push(randomLine(random, FEW_CHARACTERS));
    if (left > 1 || random.below(2) === 0) parts.push(Buffer.from('\n'));
  }
  return Buffer.concat(parts);
}

/** A pattern of RE2's syntax and lines that it has a fair chance to match, a quarter of them with bytes that are no UTF-8. */
export function randomQuestion(random: SeededRandom, lineCount: number): RandomQuestion {
  const characters = random.below(2) === 0 ? CHARACTERS : FEW_CHARACTERS;
  const flag = random.below(5) === 0 ? '(?i)' : '';
  const body =
    random.below(8) === 0 ? randomWords(random) : new PatternWriter(random, characters).alternatives(3);
  return {
    pattern: flag + body,
    lines: Array.from({ length: lineCount }, () => randomLine(random, characters)),
  };
}

/** A pattern with one to three pieces of syntax inserted or replaced, mostly no longer a valid one. */
export function damagedPattern(random: SeededRandom, pattern: string): string {
  let damaged = [...pattern];
  for (let times = 1 + random.below(3); times > 0; times--) {
    damaged = [
      ...damaged.toSpliced(random.below(damaged.length + 1), random.below(2), random.pick(DAMAGES)).join(''),
    ];
  }
  return damaged.join('');
}

export function randomLine(random: SeededRandom, characters: readonly string[] = CHARACTERS): Buffer {
  const parts: Buffer[] = [];
  const hasBadBytes = random.below(4) === 0;
  for (let left = random.below(random.below(4) === 0 ? 60 : 14); left > 0; left--) {
    if (hasBadBytes && random.below(4) === 0) parts.push(random.pick(BAD_ENCODINGS));
    else parts.push(Buffer.from(random.pick(random.below(5) === 0 ? CHARACTERS : characters)));
  }
  return Buffer.concat(parts);
}

function randomWords(random: SeededRandom): string {
  const words = Array.from({ length: 2 + random.below(12) }, () =>
    Array.from({ length: 1 + random.below(5) }, () => random.pick(FEW_CHARACTERS)).join(''),
  );
  return `(?:${words.join('|')})${random.pick(['', '', 'b', '*', '\\b', '+?c', '$'])}`;
}

class PatternWriter {
  readonly #random: SeededRandom;
  readonly #characters: readonly string[];

  constructor(random: SeededRandom, characters: readonly string[]) {
    this.#random = random;
    this.#characters = characters;
  }

  alternatives(depth: number): string {
    let written = this.#sequence(depth);
    while (this.#random.below(4) === 0) written += `|${this.#sequence(depth)}`;
    return written;
  }

  #sequence(depth: number): string {
    let written = '';
    for (let left = this.#random.below(4) + (this.#random.below(6) === 0 ? 0 : 1); left > 0; left--) {
      written += this.#piece(depth);
    }
    return written;
  }

  #piece(depth: number): string {
    const atom = this.#atom(depth);
    if (this.#random.below(3) !== 0) return atom;
    return atom + this.#random.pick(REPETITIONS) + (this.#random.below(4) === 0 ? '?' : '');
  }

  #atom(depth: number): string {
    const random = this.#random;
    const kind = random.below(20);
    if (kind < 9) return this.#character();
    if (kind < 10) return '.';
    if (kind < 12) return this.#class();
    if (kind < 13) return random.pick(ASSERTIONS);
    if (kind < 14) return `\\x{${random.pick(this.#characters).codePointAt(0)!.toString(16)}}`;
    if (depth <= 0) return this.#character() + this.#character();
    const head = kind < 15 ? random.pick(FLAGGED_GROUPS) : random.pick(['(', '(?:']);
    return `${head}${this.alternatives(depth - 1)})`;
  }

  #class(): string {
    const random = this.#random;
    if (random.below(4) === 0) return random.pick(CLASSES);
    let written = random.below(3) === 0 ? '[^' : '[';
    for (let left = 1 + random.below(3); left > 0; left--) {
      const kind = random.below(6);
      if (kind === 0) written += random.pick(CLASSES.slice(0, 10));
      else if (kind < 3) written += this.#range();
      else written += escaped(random.pick(random.below(3) === 0 ? this.#characters : CHARACTERS));
    }
    return `${written}]`;
  }

  #range(): string {
    const ends = [this.#random.pick(CHARACTERS), this.#random.pick(CHARACTERS)];
    ends.sort((a, b) => a.codePointAt(0)! - b.codePointAt(0)!);
    return `${escaped(ends[0]!)}-${escaped(ends[1]!)}`;
  }

  #character(): string {
    return escaped(this.#random.pick(this.#characters));
  }
}

function escaped(character: string): string {
  if (character === '\n') return '\\n';
  return /[\\^$.|?*+()[\]{}-]/.test(character) ? `\\${character}` : character;
}
