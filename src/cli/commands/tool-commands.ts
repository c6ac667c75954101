import type { Command } from 'commander';
import type { OperationDescription } from '../../operations/index.ts';
import { announced } from '../announced.ts';
import { type AskOptions, askTools } from '../ask-tools.ts';
import { addGlobalOptions } from '../settings.ts';
import { inShellWords } from '../shell-wording.ts';
import { showAnswer } from '../show-answer.ts';
import { givenOptions, type PropertySchema, propertiesOf, toolOption } from '../tool-option.ts';
import { showWholeFile, wholeFileTool } from '../whole-file.ts';
import { graphTool } from './graph-command.ts';
import { meaningTool } from './meaning-command.ts';
import { searchTool } from './search-command.ts';

/** What of a tool's input comes without a flag. */
const positional = ['repo', 'path', 'query'] as const;

/** One command for each operation without one of its own, its options read off the input schema: nothing is said twice. */
export function addToolCommands(program: Command): void {
  for (const description of announced.operations)
    if (!hasOwnCommand.has(description.name)) addToolCommand(program, description);
}

const hasOwnCommand: ReadonlySet<string> = new Set([searchTool, graphTool, meaningTool]);

function addToolCommand(program: Command, description: OperationDescription): void {
  const properties: Record<string, PropertySchema> = propertiesOf(description);
  const command = addGlobalOptions(program.command(description.name))
    .summary(description.title)
    .description(inShellWords(description.description))
    .option('--json', 'the structured answer, for programs');
  if (description.name.includes('_')) command.alias(description.name.replaceAll('_', '-'));
  const arguments_ = positional.filter((name) => Object.hasOwn(properties, name));
  if (Object.hasOwn(properties, 'pattern'))
    command.argument('[pattern]', inShellWords(properties['pattern']?.description ?? ''));
  for (const name of arguments_)
    command.argument(`[${name}]`, inShellWords(properties[name]?.description ?? ''));
  for (const [name, property] of Object.entries(properties)) command.addOption(toolOption(name, property));
  command.action(async (...given: unknown[]) => {
    const options = command.opts<AskOptions & Record<string, unknown>>();
    const names = [...(Object.hasOwn(properties, 'pattern') ? ['pattern'] : []), ...arguments_];
    const input: Record<string, unknown> = {};
    for (const [index, name] of names.entries())
      if (typeof given[index] === 'string') input[name] = given[index];
    await runTool(description.name, { ...input, ...givenOptions(properties, options) }, options);
  });
}

async function runTool(name: string, input: Record<string, unknown>, options: AskOptions): Promise<void> {
  await askTools(name, options, async (ask) => {
    const answer = await ask({ name, input });
    if (name === wholeFileTool && !options.json) showWholeFile(answer);
    else showAnswer(answer, options.json ?? false);
  });
}
