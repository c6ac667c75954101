import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { describeOperations, type OperationDescription, type ToolAnswer } from '../../operations/index.ts';
import { textForShell } from '../cursor-hint.ts';
import { exitCodes, reportFailure } from '../exit-codes.ts';
import { openSession } from '../open-session.ts';
import { withProgress } from '../progress.ts';
import { repeatableOption } from '../repeatable-option.ts';
import { addGlobalOptions, configOf, type GlobalOptions } from '../settings.ts';
import { styled } from '../style.ts';
import { showWholeFile, wholeFileTool } from '../whole-file.ts';
import { wholeNumber } from '../whole-number.ts';

/** What of a tool's input comes without a flag. */
const positional = ['repo', 'path', 'query'] as const;

interface PropertySchema {
  type?: string;
  description?: string;
  enum?: string[];
}

/** One command for each operation, its options read off the input schema: nothing is said twice. */
export function addToolCommands(program: Command): void {
  for (const description of describeOperations()) addToolCommand(program, description);
}

function addToolCommand(program: Command, description: OperationDescription): void {
  const properties = description.inputSchema['properties'] as Record<string, PropertySchema>;
  const command = addGlobalOptions(program.command(description.name))
    .summary(description.title)
    .description(description.description)
    .option('--json', 'the structured answer, for programs');
  if (description.name.includes('_')) command.alias(description.name.replaceAll('_', '-'));
  const arguments_ = positional.filter((name) => Object.hasOwn(properties, name));
  if (Object.hasOwn(properties, 'pattern')) command.argument('[pattern]', properties['pattern']?.description);
  for (const name of arguments_) command.argument(`[${name}]`, properties[name]?.description);
  for (const [name, property] of Object.entries(properties)) command.addOption(optionFor(name, property));
  command.action(async (...given: unknown[]) => {
    const options = command.opts<GlobalOptions & { json?: boolean } & Record<string, unknown>>();
    const names = [...(Object.hasOwn(properties, 'pattern') ? ['pattern'] : []), ...arguments_];
    const input: Record<string, unknown> = {};
    for (const [index, name] of names.entries())
      if (typeof given[index] === 'string') input[name] = given[index];
    for (const name of Object.keys(properties))
      if (options[camelCase(name)] !== undefined) input[name] = options[camelCase(name)];
    await runTool(description.name, input, options);
  });
}

function optionFor(name: string, property: PropertySchema): Option {
  const flag = `--${name.replaceAll('_', '-')}`;
  const help = property.description ?? '';
  switch (property.type) {
    case 'boolean':
      return new Option(flag, help);
    case 'integer':
    case 'number':
      return new Option(`${flag} <number>`, help).argParser(wholeNumber);
    case 'array':
      // A glob may hold commas, so a value is never split.
      return repeatableOption(`${flag} <value>`, help);
    default: {
      const option = new Option(`${flag} <text>`, help);
      return property.enum ? option.choices(property.enum) : option;
    }
  }
}

async function runTool(
  name: string,
  input: Record<string, unknown>,
  options: GlobalOptions & { json?: boolean },
): Promise<void> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once('SIGINT', interrupt);
  try {
    const session = await withProgress('opening', openSession(await configOf(options), process.env));
    try {
      const callerFor = await session.authenticate();
      const caller = callerFor({
        conversation: randomUUID(),
        clientName: 'periscope-cli',
        signal: interrupted.signal,
      });
      const answer = await withProgress(name, session.operations.handle({ name, input }, caller));
      if (name === wholeFileTool && !options.json) showWholeFile(answer);
      else show(answer, options.json ?? false);
    } finally {
      await session.close();
    }
  } catch (fault) {
    reportFailure(fault, options.json ?? false);
  } finally {
    process.removeListener('SIGINT', interrupt);
  }
}

function show(answer: ToolAnswer, json: boolean): void {
  process.exitCode = answer.found ? exitCodes.found : exitCodes.nothingFound;
  if (json) {
    const { tool, result, notes, cut, cursor, found } = answer;
    process.stdout.write(`${JSON.stringify({ tool, result, notes, cut, cursor, found })}\n`);
    return;
  }
  const [head = '', ...rest] = textForShell(answer).split('\n');
  process.stdout.write(`${[styled('bold', head, process.stdout), ...rest].join('\n')}\n`);
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
