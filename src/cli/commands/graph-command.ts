import type { Command } from 'commander';
import { Option } from 'commander';
import type { ToolAnswer } from '../../operations/index.ts';
import { announced } from '../announced.ts';
import { type AskOptions, askTools } from '../ask-tools.ts';
import { exitCodes } from '../exit-codes.ts';
import { type FoundFileJson, grepLines } from '../found-lines.ts';
import { type GraphPlaceJson, graphLines, graphRemarks, paintedGraph } from '../graph-lines.ts';
import { addGlobalOptions } from '../settings.ts';
import { goOnWith, inShellWords, textForShell } from '../shell-wording.ts';
import { showAnswer } from '../show-answer.ts';
import { styled } from '../style.ts';
import { givenOptions, propertiesOf, toolOption } from '../tool-option.ts';

export const graphTool = 'graph';

interface GraphOptions extends AskOptions {
  maxTokens?: number;
  format?: string;
}

/** As many as the server gives at once: a person's terminal is no model's context. */
const TOKENS = 25_000;

export function addGraphCommand(program: Command): void {
  const description = announced.operations.find(({ name }) => name === graphTool)!;
  const { name, relation, ...properties } = propertiesOf(description);
  const command = addGlobalOptions(program.command(graphTool))
    .summary(description.title)
    .description(inShellWords(description.description))
    .argument('[name]', inShellWords(name?.description ?? ''))
    .option('--json', 'the structured answer, for programs')
    // Its values are many words: what people say for a relation is understood.
    .addOption(new Option('-r, --relation <text>', inShellWords(relation?.description ?? '')));
  for (const [key, property] of Object.entries(properties)) command.addOption(toolOption(key, property));
  command.action(async (asked: string | undefined) => {
    const options = command.opts<GraphOptions & Record<string, unknown>>();
    const given = givenOptions({ relation: relation!, ...properties }, options);
    const input = { ...(asked === undefined ? {} : { name: asked }), max_tokens: TOKENS, ...given };
    await askTools('asking', options, async (ask) => show(await ask({ name: graphTool, input }), options));
  });
}

function show(answer: ToolAnswer, options: GraphOptions): void {
  const isDrawn = options.format === 'graph';
  if (options.json || isDrawn) {
    showAnswer(answer, true);
    return;
  }
  process.exitCode = answer.found ? exitCodes.found : exitCodes.nothingFound;
  if (!answer.found) {
    // Who counts lines of a pipe counts what was found.
    process.stderr.write(`${textForShell(answer)}\n`);
    return;
  }
  const out = process.stdout;
  if (out.isTTY) {
    const paint = {
      head: (text: string) => styled('bold', text, out),
      place: (text: string) => styled('magenta', text, out),
      number: (text: string) => styled('green', text, out),
      doubt: (text: string) => styled('yellow', text, out),
    };
    out.write(`${paintedGraph(textForShell(answer), paint)}\n`);
    return;
  }
  const places = (answer.result['places'] ?? []) as GraphPlaceJson[];
  const files = (answer.result['textHits'] ?? []) as FoundFileJson[];
  out.write([...graphLines(places), ...files.flatMap(grepLines)].map((line) => `${line}\n`).join(''));
  const [head = ''] = answer.text.split('\n', 1);
  const remarks = [...answer.notes.map((note) => inShellWords(note)), ...graphRemarks(places)].map(
    (remark) => `Note: ${remark}`,
  );
  if (answer.cursor !== null) remarks.push(goOnWith(answer.cursor));
  process.stderr.write([head, ...remarks].map((line) => `${line}\n`).join(''));
}
