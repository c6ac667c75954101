import { type Command, Option } from 'commander';
import type { ToolAnswer } from '../../operations/index.ts';
import { announced } from '../announced.ts';
import { type AskOptions, askTools } from '../ask-tools.ts';
import { exitCodes } from '../exit-codes.ts';
import {
  type FoundFileJson,
  grepLines,
  linesWithin,
  otherPlaces,
  placesOf,
  placesUnnamed,
  readableLines,
  vimgrepLines,
} from '../found-lines.ts';
import { addGlobalOptions } from '../settings.ts';
import { goOnWith, inShellWords, textForShell } from '../shell-wording.ts';
import { showAnswer } from '../show-answer.ts';
import { styled } from '../style.ts';
import { givenOptions, propertiesOf, toolOption } from '../tool-option.ts';

export const searchTool = 'codesearch';

interface SearchOptions extends AskOptions {
  ignoreCase?: boolean;
  fixedStrings?: boolean;
  regexp?: boolean;
  rev?: string;
  vimgrep?: boolean;
  filesWithMatches?: boolean;
  count?: boolean;
  maxFiles?: number;
  maxTokens?: number;
  cursor?: string;
  context?: number;
}

/** As many as the server gives at once: a person's terminal is no model's context. */
const TOKENS = 25_000;
const FILES_DEFAULT = 30;
const NAMES_DEFAULT = 1000;

export function addSearchCommand(program: Command): void {
  const description = announced.operations.find(({ name }) => name === searchTool)!;
  const { query, ...properties } = propertiesOf(description);
  const command = addGlobalOptions(program.command('search'))
    .alias(searchTool)
    .summary(description.title)
    .description(inShellWords(description.description))
    .argument('[query...]', inShellWords(query?.description ?? ''))
    .option('-i, --ignore-case', 'the same as --case no')
    .option('-F, --fixed-strings', 'the same as --mode literal')
    .option('-E, --regexp', 'the same as --mode regex')
    .option('-l, --files-with-matches', 'the files alone, at every place where they lie')
    .option('-c, --count', 'the matching lines of each file, counted, at every place where it lies')
    .option('--vimgrep', 'one line for each match at every place: place:line:column:text')
    .option('--json', 'the structured answer, for programs');
  for (const [name, property] of Object.entries(properties))
    command.addOption(toolOption(name, property, name === 'context' ? 'C' : undefined));
  command.addOption(new Option('--rev <text>', 'the same as --revision'));
  command.action(async (words: string[]) => {
    const options = command.opts<SearchOptions & Record<string, unknown>>();
    await search(words.join(' '), givenOptions(properties, options), options);
  });
}

async function search(query: string, given: Record<string, unknown>, options: SearchOptions): Promise<void> {
  const namesAlone = options.filesWithMatches || options.count;
  const wanted = options.maxFiles ?? (namesAlone ? NAMES_DEFAULT : FILES_DEFAULT);
  const input = {
    ...(query === '' ? {} : { query }),
    ...(options.ignoreCase ? { case: 'no' } : {}),
    ...(options.fixedStrings ? { mode: 'literal' } : {}),
    ...(options.regexp ? { mode: 'regex' } : {}),
    ...(options.rev ? { revision: options.rev } : {}),
    ...(namesAlone ? { output: 'files' } : {}),
    ...(options.count ? { exact: true } : {}),
    // Who reads lines in a pipe reads matches; a person wants to see what stands around them.
    ...(options.vimgrep || !process.stdout.isTTY ? { context: 0 } : {}),
    max_tokens: TOKENS,
    ...given,
    max_files: wanted,
  };
  await askTools('searching', options, async (ask) => {
    let answer = await ask({ name: searchTool, input });
    // One answer holds so much; a person asked for so many files.
    const isOne = options.maxTokens !== undefined || options.cursor !== undefined;
    while (!isOne && answer.cursor !== null && filesOf(answer).length < wanted)
      answer = joined(answer, await ask({ name: searchTool, input: { cursor: answer.cursor } }));
    show(answer, wanted, options);
  });
}

function joined(first: ToolAnswer, next: ToolAnswer): ToolAnswer {
  const files = [...filesOf(first), ...filesOf(next)];
  return { ...first, result: { ...first.result, files }, cut: next.cut, cursor: next.cursor };
}

function filesOf({ result }: ToolAnswer): FoundFileJson[] {
  return (result['files'] ?? []) as FoundFileJson[];
}

function show(answer: ToolAnswer, wanted: number, options: SearchOptions): void {
  const files = filesOf(answer).slice(0, wanted);
  if (!answer.found && !options.json) {
    // Who counts lines of a pipe counts what was found.
    process.exitCode = exitCodes.nothingFound;
    process.stderr.write(`${textForShell(answer)}\n`);
    return;
  }
  if (options.json || files.length === 0) {
    showAnswer(answer, options.json ?? false);
    return;
  }
  process.exitCode = exitCodes.found;
  const lines = linesFor(files, answer, options);
  const shown = options.maxTokens === undefined ? lines : linesWithin(lines, options.maxTokens);
  process.stdout.write(shown.map((line) => `${line}\n`).join(''));
  const [head = ''] = answer.text.split('\n', 1);
  process.stderr.write(`${styled('dim', head)}\n`);
  const remarks = [
    ...answer.notes.map((note) => `Note: ${inShellWords(note)}`),
    ...placeRemarks(files, answer, options),
    ...(shown.length < lines.length
      ? [`CUT: ${shown.length} of ${lines.length} lines. Ask with a larger --max-tokens.`]
      : []),
    ...(answer.cursor === null ? [] : [moreSaid(answer.cursor, options)]),
  ];
  process.stderr.write(remarks.map((remark) => `${remark}\n`).join(''));
}

/** What was asked for by tokens goes on at a cursor: the files that were asked for are not all there yet. */
function moreSaid(cursor: string, { maxTokens, cursor: given }: SearchOptions): string {
  return maxTokens === undefined && given === undefined
    ? 'There are more: ask with a larger --max-files.'
    : goOnWith(cursor);
}

/** Lines in a pipe are told of one place each. */
function placeRemarks(files: readonly FoundFileJson[], answer: ToolAnswer, options: SearchOptions): string[] {
  if (form(answer, options) === 'grep')
    return files.flatMap((file) => {
      const others = otherPlaces(file);
      return others ? [`${placesOf(file)[0]}: ${others}`] : [];
    });
  const unnamed = form(answer, options) === 'readable' ? 0 : placesUnnamed(files);
  return unnamed > 0
    ? [`${unnamed} more places have the same content: narrow it with --repo to see them.`]
    : [];
}

function form(
  answer: ToolAnswer,
  options: SearchOptions,
): 'count' | 'places' | 'vimgrep' | 'grep' | 'readable' {
  if (options.count) return 'count';
  if (options.filesWithMatches || answer.result['output'] === 'files') return 'places';
  if (options.vimgrep) return 'vimgrep';
  return process.stdout.isTTY ? 'readable' : 'grep';
}

function linesFor(files: readonly FoundFileJson[], answer: ToolAnswer, options: SearchOptions): string[] {
  const out = process.stdout;
  switch (form(answer, options)) {
    case 'count':
      return files.flatMap((file) => placesOf(file).map((place) => `${place}:${file.lineCount}`));
    case 'places':
      return [...new Set(files.flatMap(placesOf))];
    case 'vimgrep':
      return files.flatMap(vimgrepLines);
    case 'grep':
      return files.flatMap(grepLines);
    case 'readable': {
      const paint = {
        place: (text: string) => styled('magenta', text, out),
        number: (text: string) => styled('green', text, out),
        match: (text: string) => styled('bold', styled('red', text, out), out),
      };
      return files.flatMap((file, index) => [...(index > 0 ? [''] : []), ...readableLines(file, paint)]);
    }
  }
}
