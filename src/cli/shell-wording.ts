import type { ToolAnswer } from '../operations/index.ts';
import { announced } from './announced.ts';
import { shellWords } from './own-command.ts';

/** The text of an answer, what it says of parameters in the words of the command line instead of a tool call's. */
export function textForShell({ text, cursor, notes, found }: ToolAnswer): string {
  const said = new Set(notes.map((note) => `Note: ${note}`));
  const [head = '', ...lines] = text.split('\n');
  // What was found is nobody's hint, whatever it holds.
  const rest = lines.map((line) => (!found || said.has(line) ? inShellWords(line) : line));
  const last = rest.at(-1);
  if (cursor !== null && last?.includes(cursor)) rest.splice(-1, 1, `CUT here. ${goOnWith(cursor)}`);
  return [head, ...rest].join('\n').replaceAll(LARGER, inShellWords(LARGER));
}

const LARGER = '(cut: ask with a larger max_tokens)';

export function goOnWith(cursor: string): string {
  return `For the rest, the same command with: --cursor ${cursor}`;
}

/**
 * A hint that names parameters, as the operations write it for models: `"exact": true` and `{"query": "x", "case": "no"}` become
 * options, and so do names where they can be nothing else.
 */
export function inShellWords(hint: string): string {
  return hint
    .replace(CALL, (call) => shellWords(wordsOf(JSON.parse(call) as Record<string, unknown>)))
    .replace(PAIR, (pair) => shellWords(wordsOf(JSON.parse(`{${pair}}`) as Record<string, unknown>)))
    .replace(LISTED, (listed) => listed.replace(NAME, (_, name: string) => optionOf(name)))
    .replace(UNDERSCORED, optionOf)
    .replace(LIST, (list) => (JSON.parse(list) as string[]).join(', '));
}

const names = [
  ...new Set(
    announced.operations.flatMap(({ inputSchema }) => Object.keys(inputSchema['properties'] as object)),
  ),
];
const anyName = `(?:${names.join('|')})`;
/** Words of everyday speech: `without line numbers` names no option. */
const plainWords = new Set([
  'line',
  'column',
  'name',
  'symbol',
  'kind',
  'outline',
  'format',
  'direction',
  'question',
]);
const clearName = `(?:${names.filter((name) => !plainWords.has(name)).join('|')})`;
const word = String.raw`"(?:[^"\\]|\\.)*"|true|false`;
const value = String.raw`(?:${word}|\d+|\[[^\]]*\])`;
const CALL = new RegExp(`\\{"${anyName}": ${value}(?:, "${anyName}": ${value})*\\}`, 'g');
/** Behind `Without "lang": ` may stand a count, which is no value. */
const PAIR = new RegExp(`"${anyName}": (?:${word})`, 'g');
/** `with repo, file or lang`, `Without "lang"`, `Leave revision out`. */
const LISTED = new RegExp(
  `\\b(?:with|without|unless|leave) "?${clearName}\\b"?(?:(?:, | or | and )"?${clearName}\\b"?)*`,
  'gi',
);
const NAME = new RegExp(`"?\\b(${clearName})\\b"?`, 'g');
const UNDERSCORED = new RegExp(
  `(?<![\\w-])(?:${names.filter((name) => name.includes('_')).join('|')})\\b`,
  'g',
);

/** An option is given once for each value. */
const LIST = /\["[^"\\]*"(?:, "[^"\\]*")*\]/g;

function optionOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

function wordsOf(input: Record<string, unknown>): string[] {
  return Object.entries(input).flatMap(([name, given]) => {
    // These stand without a flag.
    if (name === 'query' || name === 'name' || name === 'question') return [String(given)];
    if (given === false) return [];
    if (given === true) return [optionOf(name)];
    return [given].flat().flatMap((one) => [optionOf(name), String(one)]);
  });
}
