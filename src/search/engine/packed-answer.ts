import type { FoundFile, FoundLine, SearchAnswer } from './types.ts';

/**
 * An answer on its way from its thread. Most of one is lines, each a small object: written and read as JSON they take longer than many
 * a search. So their texts go as one text, and their numbers as numbers.
 */
export interface PackedAnswer {
  /** All but the lines, as JSON. */
  json: string;
  /** The texts of all lines, one behind the other. */
  texts: string;
  /** For each file how many blocks; for each block how many lines; for each line FIXED numbers and two for each range. */
  numbers: Int32Array;
}

const MATCHED = 1;
const CUT = 2;
/** Its number, whether it is matched and cut, the characters of its text, how many ranges. */
const FIXED = 4;

const NO_BLOCKS: readonly FoundLine[][] = [];

/** Takes the lines out of the answer, which is used up by that. */
export function packAnswer(answer: SearchAnswer): PackedAnswer {
  const texts: string[] = [];
  const numbers: number[] = [];
  for (const file of answer.files) {
    numbers.push(file.blocks.length);
    for (const block of file.blocks) {
      numbers.push(block.length);
      for (const line of block) packLine(line, texts, numbers);
    }
    (file as { blocks: FoundFile['blocks'] }).blocks = NO_BLOCKS;
  }
  return { json: JSON.stringify(answer), texts: texts.join(''), numbers: Int32Array.from(numbers) };
}

function packLine(
  { number, text, ranges, matched, cut }: FoundLine,
  texts: string[],
  numbers: number[],
): void {
  texts.push(text);
  numbers.push(number, (matched ? MATCHED : 0) | (cut ? CUT : 0), text.length, ranges.length);
  for (const { start, end } of ranges) numbers.push(start, end);
}

export function unpackAnswer({ json, texts, numbers }: PackedAnswer): SearchAnswer {
  const answer = JSON.parse(json) as SearchAnswer;
  let at = 0;
  let textAt = 0;
  for (const file of answer.files) {
    const blocks: FoundLine[][] = [];
    for (let block = numbers[at++]!; block > 0; block--) {
      const lines: FoundLine[] = [];
      for (let line = numbers[at++]!; line > 0; line--) {
        const textEnd = textAt + numbers[at + 2]!;
        lines.push(unpackedLine(numbers, at, texts.slice(textAt, textEnd)));
        textAt = textEnd;
        at += FIXED + 2 * numbers[at + 3]!;
      }
      blocks.push(lines);
    }
    (file as { blocks: FoundFile['blocks'] }).blocks = blocks;
  }
  return answer;
}

function unpackedLine(numbers: Int32Array, at: number, text: string): FoundLine {
  const flags = numbers[at + 1]!;
  const end = at + FIXED + 2 * numbers[at + 3]!;
  const ranges: { start: number; end: number }[] = [];
  for (let range = at + FIXED; range < end; range += 2) {
    ranges.push({ start: numbers[range]!, end: numbers[range + 1]! });
  }
  return { number: numbers[at]!, text, ranges, matched: (flags & MATCHED) !== 0, cut: (flags & CUT) !== 0 };
}
